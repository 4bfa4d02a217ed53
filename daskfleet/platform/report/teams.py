"""How teams are told apart: by a colour, a pattern and one or two letters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from daskfleet.platform.report.palette import LIGHT

COLOURS = len(LIGHT.teams)
PATTERNS = 5
"""With eight colours no pair comes twice among forty teams; letters never do."""


@dataclass(frozen=True, kw_only=True)
class TeamMark:
    """A team, and how the pictures mark it."""

    name: str
    letters: str
    colour: int
    pattern: int


def team_marks(teams: Iterable[str]) -> Mapping[str, TeamMark]:
    """Give every team its mark, in the order of their names."""
    marks: dict[str, TeamMark] = {}
    taken: set[str] = set()
    for index, name in enumerate(sorted(set(teams))):
        letters = _letters(name, index, taken)
        taken.add(letters)
        marks[name] = TeamMark(
            name=name, letters=letters, colour=index % COLOURS, pattern=index % PATTERNS
        )
    return marks


def _letters(name: str, index: int, taken: set[str]) -> str:
    """Its first letter, or with a second one of it; a number where all of those are taken."""
    spelled = [letter.upper() for letter in name if letter.isalnum()]
    first = spelled[0] if spelled else "T"
    for letters in (first, *(first + second.lower() for second in spelled[1:])):
        if letters not in taken:
            return letters
    return f"{first}{index + 1}"
