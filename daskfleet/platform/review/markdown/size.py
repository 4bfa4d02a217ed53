"""Pure: a comment that GitHub takes, whatever is in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from daskfleet.platform.review.markdown.section import Section

COMMENT_LIMIT_BYTES = 65_536
"""GitHub refuses more with "Body is too long (maximum is 65536 characters)".

What it counts is told differently: 65,536 code points in a pull request's body and 262,144 bytes in
a comment were measured (dead-claudia/github-limits#13, objectstack-ai/objectstack#18826). So many
bytes of UTF-8 are as many characters or fewer by any way of counting.
"""

STEP_SUMMARY_LIMIT_BYTES = 1_024 * 1_024
"""The limit of ``$GITHUB_STEP_SUMMARY``, documented as 1 MiB."""

RESERVED_BYTES = 5_000
"""What each section gets of its items before earlier ones get more."""

REMARK_BYTES = 200
"""Room for the remark that items of a section are left out."""


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What there is room for."""

    blocks: tuple[str, ...]
    left_out: tuple[str, ...]
    """``4,812 of 5,000 resources``, by section."""


def fit(sections: Sequence[Section], limit_bytes: int) -> Fitted:
    """Cut sections at the borders of their items.

    Each gets a little first, then the first get more; one that gives way gets what is left.
    """
    present = [section for section in sections if section.items]
    firm = [index for index, section in enumerate(present) if not section.gives_way]
    yielding = [index for index, section in enumerate(present) if section.gives_way]
    kept, used = [0] * len(present), [0] * len(present)
    for index in firm:
        kept[index], used[index] = _fill(present[index], RESERVED_BYTES)
    for index in (*firm, *yielding):
        room = limit_bytes - sum(used) + used[index]
        kept[index], used[index] = _fill(present[index], room)
    shown = list(zip(present, kept, strict=True))
    return Fitted(
        blocks=tuple(_block(section, count) for section, count in shown if count),
        left_out=tuple(
            f"{len(section.items) - count:,} of {len(section.items):,} {section.noun}"
            for section, count in shown
            if count < len(section.items)
        ),
    )


def _fill(section: Section, room: int) -> tuple[int, int]:
    """How many items go into so many bytes, and how many they and the frame take."""
    used = _frame(section)
    for count, item in enumerate(section.items):
        size = _size(item, section.between)
        if used + size > room:
            return count, used if count else 0
        used += size
    return len(section.items), used


def _frame(section: Section) -> int:
    return _size(section.opening, section.closing, "\n\n") + REMARK_BYTES


def _size(*parts: str) -> int:
    return sum(len(part.encode()) for part in parts)


def _block(section: Section, count: int) -> str:
    missing = len(section.items) - count
    remark = f"\n\n… and {missing:,} more {section.noun}." if missing else ""
    body = section.between.join(section.items[:count])
    return f"{section.opening}{body}{remark}{section.closing}"
