"""How teams are told apart: by a colour, a pattern and one or two letters."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os.path import commonprefix

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
    names = sorted(set(teams))
    return {
        name: TeamMark(
            name=name,
            letters=_letters(name, names),
            colour=index % COLOURS,
            pattern=index % PATTERNS,
        )
        for index, name in enumerate(names)
    }


def _letters(name: str, names: Sequence[str]) -> str:
    """Its first letter, and each one with which it parts from names that began alike.

    So no two names have the same letters, and letters have the order of the names.
    """
    parts_at = {
        len(commonprefix([name, other]))  # noqa: RUF071 - letter by letter is what is wanted
        for other in names
        if other != name
    }
    # A hyphen alone would say too little: climate-2 is C-2.
    parts_at |= {at + 1 for at in parts_at if name[at : at + 1] == "-"}
    return name[:1].upper() + "".join(name[at : at + 1] for at in sorted(parts_at) if at)
