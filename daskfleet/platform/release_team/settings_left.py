"""The stack file, and whether it is a fleet without the team."""

from dataclasses import dataclass, replace
from pathlib import Path

from daskfleet.planning.fleet import plan_draft, plan_fleet
from daskfleet.platform.release_team.entry import Entry, entry_of
from daskfleet.settings.stack import Stack
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.settings.stacks import stack_file
from daskfleet.stack_text.read import read_text


@dataclass(frozen=True, kw_only=True)
class LeftSettings:
    """What the stack file says."""

    file: Path
    stack: Stack
    """With the team, if it still has an entry."""

    entry: Entry | None
    """None: the file has none, or one whose lines cannot be told, as behind a YAML merge key."""

    file_of_entry: str | None
    """Where the team stands when there is no entry: this file, or the project's own with its
    defaults for all stacks. None: nowhere any more."""


def settings_left(directory: Path, stack: str, team: str) -> LeftSettings:
    """Read the file of a stack.

    Raises:
        StackRefusedError: it has mistakes, or is no fleet without the team.
        UnknownStackError: there is no such file.

    """
    file = stack_file(directory, stack)
    draft = read_stack_file(file)
    declared = plan_draft(draft).stack
    others = tuple(each for each in declared.teams if each.name != team)
    if len(others) < len(declared.teams):
        without = declared.model_copy(update={"teams": others})
        plan_fleet(without, file=f"{file} without {team}")
    text = file.read_text(encoding="utf-8-sig")
    entry = entry_of(text, team)
    if entry and _is_needed(entry, text):
        entry = replace(entry, lines=())
    named = None
    if entry is None and len(others) < len(declared.teams):
        named = draft.files.get("teams", str(file))
    return LeftSettings(file=file, stack=declared, entry=entry, file_of_entry=named)


def _is_needed(entry: Entry, text: str) -> bool:
    """Whether the file cannot be read without the entry's lines: others repeat it by an alias."""
    lines = text.splitlines()
    rest = [*lines[: entry.first_line - 1], *lines[entry.last_line :]]
    return bool(read_text("\n".join(rest).encode()).mistakes)
