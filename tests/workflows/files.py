"""The workflows and actions of this repository, as data."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.project import PROJECT_DIR

GITHUB = PROJECT_DIR / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
ACTIONS = sorted((GITHUB / "actions").glob("*/action.yml"))

Document = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One job of one workflow."""

    workflow: str
    name: str
    content: Document

    @property
    def steps(self) -> list[Document]:
        """Its steps; a call of another workflow has none."""
        steps: list[Document] = self.content.get("steps", [])
        return steps

    @property
    def text(self) -> str:
        """All of it."""
        return yaml.safe_dump(self.content, width=10_000)


def read(path: Path) -> Document:
    """Read a workflow; YAML 1.1 takes the key ``on`` for true."""
    document: dict[object, Any] = yaml.safe_load(path.read_text("utf-8"))
    return {"on" if key is True else str(key): value for key, value in document.items()}


def workflow(name: str) -> Path:
    """Return the file of a workflow."""
    (path,) = (path for path in WORKFLOWS if path.stem == name)
    return path


def triggers(path: Path) -> set[str]:
    """Return the events that start a workflow."""
    started_by = read(path)["on"]
    return {started_by} if isinstance(started_by, str) else set(started_by)


def jobs() -> Iterator[Job]:
    """Return the jobs of all workflows."""
    for path in WORKFLOWS:
        for name, content in read(path)["jobs"].items():
            yield Job(path.stem, name, content)


def job(workflow: str, name: str) -> Job:
    """Return one job."""
    (found,) = (each for each in jobs() if (each.workflow, each.name) == (workflow, name))
    return found


def uses() -> Iterator[tuple[str, str]]:
    """Return what steps and jobs use, each with the rest of its line."""
    for path in (*WORKFLOWS, *ACTIONS):
        for line in path.read_text("utf-8").splitlines():
            if match := re.match(r"\s*(?:- )?uses: (\S+)(.*)", line):
                yield match[1], match[2]
