"""A part of the comment that can be cut between its items, and what all parts are made of."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Section:
    """Text around items; a section without items is left out."""

    items: tuple[str, ...]
    """Whole lines or blocks, the most important first; each small, and Markdown already."""

    noun: str = ""
    """What an item is, in the plural, for the remark that some are left out."""

    opening: str = ""
    closing: str = ""
    between: str = "\n"
    gives_way: bool = False
    """Whether all other sections are filled first."""


def table(header: tuple[str, ...], alignments: str) -> str:
    """The two lines above a table's rows; ``alignments`` has ``<`` or ``>`` for each column."""
    rules = {"<": ":---", ">": "---:"}
    return f"{row(header)}\n{row(rules[each] for each in alignments)}\n"


def row(cells: Iterable[str]) -> str:
    """One row of a table; the cells are Markdown already."""
    return f"| {' | '.join(cells)} |"


def unfolds(summary: str) -> str:
    """The beginning of a fold; ``summary`` is our own words, no value."""
    return f"<details><summary>{summary}</summary>\n\n"


FOLDS = "\n\n</details>"
"""The end of a fold."""
