"""The project in a repository of its own, whose commits a test makes and has rehearsed."""

import re
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console

from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.model import Review
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run.rehearse import RehearsedChange, rehearse_change
from daskfleet.platform.review.rehearsal_run.revisions import read_revisions
from rehearsal.progress import Steps
from tests.daskfleet.platform.review.rehearsal_run.repositories import Repository
from tests.project import PROJECT_DIR

NOT_THE_PROGRAM = shutil.ignore_patterns(
    ".*", "__pycache__", "tests", "bench", "docs", "toolchain", "rehearsal"
)
"""The rehearsal is left out too: the one of this checkout drives both sides."""

Settings = dict[str, Any]
"""A stack file's ``config``."""


class RehearsedProject(Repository):
    """A copy of what runs, with one commit to begin with."""

    def __init__(self, directory: Path) -> None:
        shutil.copytree(PROJECT_DIR, directory, ignore=NOT_THE_PROGRAM)
        super().__init__(directory)
        self.commit(_gitignore=".rehearsal/\n")

    def configure(self, stack: str, change: Callable[[Settings], None]) -> None:
        """Commit a change of a stack's settings."""
        file = self.directory / "stacks" / f"Pulumi.{stack}.yaml"
        document = yaml.safe_load(file.read_text())
        change(document["config"])
        file.write_text(yaml.safe_dump(document, sort_keys=False))
        self.commit()

    def edit(self, file: str, pattern: str, replacement: str) -> None:
        """Change a file of the program where a pattern fits once; commits nothing."""
        path = self.directory / file
        text, count = re.subn(pattern, replacement, path.read_text())
        assert count == 1, f"{pattern} fits {count} times in {file}"
        path.write_text(text)

    def rehearse(
        self, change: str, *, stack: str = "rehearsal", packs: Sequence[PolicyPack] = ()
    ) -> RehearsedChange:
        """Have a change rehearsed."""
        return rehearsed_in(self.directory, change, stack=stack, packs=packs)


def rehearsed_in(
    project_dir: Path,
    change: str,
    *,
    stack: str = "rehearsal",
    packs: Sequence[PolicyPack] = (),
) -> RehearsedChange:
    """A change of some project, rehearsed; what is shown meanwhile is the failing test's."""
    return rehearse_change(
        read_revisions(change, project_dir),
        project_dir=project_dir,
        stack=stack,
        providers="stand-in",
        steps=Steps(Console(width=160)),
        packs=packs,
    )


def team(settings: Settings, name: str) -> dict[str, Any]:
    """A team's part of the settings."""
    teams: list[dict[str, Any]] = settings["daskfleet:teams"]
    (found,) = (each for each in teams if each["name"] == name)
    return found


def pool(settings: Settings, name: str) -> dict[str, Any]:
    """A worker pool's part of the settings."""
    pools: list[dict[str, Any]] = settings["daskfleet:worker_pools"]
    (found,) = (each for each in pools if each["name"] == name)
    return found


def judged(done: RehearsedChange) -> Review:
    """The review of a change that was rehearsed."""
    return assess(
        done.preview,
        done.plan,
        commit=done.commit,
        made_at=datetime(2026, 11, 21, tzinfo=UTC),
        allowed=frozenset(),
        rehearsed=done.rehearsed,
    )
