"""What really happened in the rehearsal, beside what was foretold."""

from collections.abc import Iterator

from daskfleet.platform.review.markdown.escape import bold, code, fence, text
from daskfleet.platform.review.markdown.section import Section, row, table
from daskfleet.platform.review.model import Rehearsed, Review
from daskfleet.platform.review.wording import quantity
from daskfleet.visible import shortened

MOST_TEAMS = 8
"""Teams that one line names."""

MOST_STOOD_IN = 8
LONGEST_ERROR = 700
"""Characters."""


def rehearsed(review: Review) -> tuple[Section, ...]:
    """How it ended, every difference from what was foretold, then what happened."""
    seen = review.rehearsed
    if seen is None:
        return ()
    commits = f"from {code(seen.base[:10])} to {code(seen.head[:10])}"
    return (
        Section(noun="outcomes", opening=f"#### Rehearsed, {commits}\n\n", items=(_outcome(seen),)),
        _differences(seen),
        Section(
            noun="events",
            items=tuple(_lines(seen)),
            closing="" if seen.way_back else _stood_in(seen),
        ),
        Section(
            noun="consequences of going back",
            opening="Going back would, by a preview on the changed fleet:\n\n",
            items=tuple(f"- {text(line, 300)}" for line in seen.way_back),
            closing=_stood_in(seen),
        ),
    )


def _outcome(seen: Rehearsed) -> str:
    if seen.error:
        failed = fence(shortened(seen.error, LONGEST_ERROR), "text")
        return f"**The change could not be carried out.**\n\n{failed}"
    if seen.differences:
        return "**Differs from the prediction:**"
    if seen.second_up_changes is None:
        return "Nothing was applied, so there is nothing to compare."
    return "Everything happened as predicted."


def _lines(seen: Rehearsed) -> Iterator[str]:
    for line in seen.lines:
        yield f"- {text(line, 300)}"
    if gaps := [f"{text(team, 80)} {max(gap, 1):,.0f} s" for team, gap in _longest_first(seen)]:
        more = f" and {len(gaps) - MOST_TEAMS} more" if len(gaps) > MOST_TEAMS else ""
        yield f"- Without a scheduler: {', '.join(gaps[:MOST_TEAMS])}{more}."
    if seen.second_up_changes:
        changed = quantity(seen.second_up_changes, "resource")
        yield f"- **A second `up` changed {changed}; it must change nothing.**"
    elif seen.second_up_changes is not None:
        yield "- A second `up` changed nothing."


def _stood_in(seen: Rehearsed) -> str:
    stood_in = ", ".join(text(each, 60) for each in seen.stood_in[:MOST_STOOD_IN])
    return f"\n\n<sub>Not real in the rehearsal: {stood_in}.</sub>" if stood_in else ""


def _longest_first(seen: Rehearsed) -> list[tuple[str, float]]:
    return sorted(seen.seconds_without_scheduler.items(), key=lambda each: (-each[1], each[0]))


def _differences(seen: Rehearsed) -> Section:
    return Section(
        noun="differences from the prediction",
        opening=table(("", "predicted", "seen"), "<<<"),
        items=tuple(
            row((text(each.subject, 80), text(each.foretold, 200), bold(text(each.seen, 200))))
            for each in seen.differences
        ),
    )
