"""Mutants that no test can notice, each with its reason, wherever they are in their file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from tests.mutants.mutations import Change, Mutant, change, mutants_of, mutated

KNOWN = Path(__file__).with_name("equivalents.yaml")


class Equivalent(BaseModel):
    """One entry: which change of which function does nothing, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    function: str | None = None
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class Key:
    """What an entry and a mutant have in common."""

    file: str
    function: str | None
    change: Change


def known(file: Path = KNOWN) -> list[Equivalent]:
    """Read the entries."""
    return TypeAdapter(list[Equivalent]).validate_python(yaml.safe_load(file.read_text()))


def key_of(entry: Equivalent) -> Key:
    """Return what an entry is matched by."""
    return Key(entry.file, entry.function, Change(entry.before, entry.after))


def key_of_mutant(mutant: Mutant, source: str, text: str) -> Key:
    """Return what a mutant is matched by."""
    return Key(mutant.path, mutant.function, change(source, text))


def matching_nothing(entries: Iterable[Equivalent], project: Path) -> list[Equivalent]:
    """Return the entries of which the code knows nothing any more."""
    by_file: dict[str, set[Key]] = {}
    return [
        entry
        for entry in entries
        if key_of(entry) not in by_file.setdefault(entry.file, _keys(entry.file, project))
    ]


def _keys(path: str, project: Path) -> set[Key]:
    if not (project / path).exists():
        return set()
    source = (project / path).read_text()
    return {
        key_of_mutant(mutant, source, text)
        for mutant in mutants_of(path, source)
        if (text := mutated(mutant, source))
    }
