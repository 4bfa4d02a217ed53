"""Pure: what is said before and after."""

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from daskfleet.platform.release_team.consequences import ends, goes_on
from daskfleet.platform.release_team.entry import Entry
from daskfleet.platform.release_team.let_go import Release
from daskfleet.platform.release_team.settings_left import LeftSettings
from daskfleet.visible import visible


def prospect(release: Release, left: LeftSettings) -> Iterator[str]:
    """Say what would go on and what would end."""
    team = release.team
    yield f"The stack would forget the {len(release.urns)} resources of team {team}."
    yield ""
    yield "Goes on:"
    yield from _points(goes_on(team))
    yield ""
    yield "Ends:"
    yield from _points(ends(team, left.stack))
    yield ""


def farewell(team: str, left: LeftSettings, *, backup: Path, stack: str) -> Iterator[str]:
    """Say what was done, and what is to be done."""
    yield f"Released team {team}. The state as it was is in {backup}, for you alone to read."
    if left.entry:
        yield ""
        yield from _to_remove(team, left.file, left.entry)
    elif left.file_of_entry:
        yield ""
        yield (
            f"Now remove the entry of {team} from {left.file_of_entry}: the stack has it from "
            f"there."
        )
    yield ""
    yield (
        "Then `pulumi preview` shows no deletion of the team. As long as the entry is there, "
        "`pulumi up` would try to make the team anew."
    )
    yield "To take the team back before the next `pulumi up`:"
    yield f"  pulumi stack import --stack {shlex.quote(stack)} --file {shlex.quote(str(backup))}"


def _to_remove(team: str, file: Path, entry: Entry) -> Iterator[str]:
    if not entry.lines:
        yield f"Now remove the entry of {team} from {file}, line {entry.first_line}."
        return
    yield f"Now remove lines {entry.first_line} to {entry.last_line} of {file}:"
    for number, line in enumerate(entry.lines, entry.first_line):
        yield f"  {number:>4} -{visible(line)}"


def _points(sentences: Iterable[str]) -> Iterator[str]:
    return (f"- {sentence}" for sentence in sentences)
