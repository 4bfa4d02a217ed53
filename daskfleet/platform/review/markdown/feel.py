"""What people will feel: one row for each team, pool and other part, and the details in a fold."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.platform.review.markdown.escape import bold, code, text
from daskfleet.platform.review.markdown.section import FOLDS, Section, row, table, unfolds
from daskfleet.platform.review.model import PropertyDiff, Review
from daskfleet.platform.review.wording import (
    diffs_by_input,
    forced_by,
    happens,
    in_figures,
    quantity,
    short_path,
    unlike,
)

MOST_NAMES = 6
"""Subjects that one row names."""

MOST_DETAILS = 6
MOST_REASONS = 4

Row = tuple[Consequence, ...]
"""Consequences that are the same but for their subject."""


def feel(review: Review) -> tuple[Section, Section]:
    """The table, and what a reader may want next."""
    diffs = diffs_by_input(review)
    rows = _rows(review.consequences)
    return (
        Section(
            noun="teams, pools and other parts",
            opening="#### What users will notice\n\n" + table(("Who", "What happens"), "<<"),
            items=tuple(_row(each, diffs) for each in rows),
        ),
        Section(
            noun="explanations",
            opening=unfolds("Who is hit, what is lost, and every reason"),
            items=tuple(_details(each[0]) for each in rows if _says_more(each[0])),
            closing=FOLDS,
            between="\n\n",
        ),
    )


def _rows(consequences: Sequence[Consequence]) -> list[Row]:
    """Mild consequences with the same words share a row, in the place of the first."""
    alike: dict[object, list[Consequence]] = defaultdict(list)
    for each in consequences:
        is_mild = each.change_class <= ChangeClass.IN_PLACE
        alike[happens(each) if is_mild else each.subject].append(each)
    return [tuple(each) for each in alike.values()]


def _row(same: Row, diffs: Mapping[tuple[str, str], PropertyDiff]) -> str:
    first = same[0]
    names = [text(str(each.subject), 80) for each in same[:MOST_NAMES]]
    more = len(same) - len(names)
    who = ", ".join(names) + (f" and {more} more" if more else "")
    is_harmful = first.change_class > ChangeClass.IN_PLACE
    lines = (
        text(_sentence(happens(first)), 240),
        bold(in_figures(first)),
        _reason(first, diffs) if len(same) == 1 else "",
    )
    return row((bold(who) if is_harmful else who, "<br>".join(line for line in lines if line)))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _reason(consequence: Consequence, diffs: Mapping[tuple[str, str], PropertyDiff]) -> str:
    """The property that forces it, with its values where they are short."""
    reason = forced_by(consequence)
    if reason is None or not reason.path:
        return ""
    diff = diffs.get((reason.resource, reason.path))
    others = len({each.path for each in consequence.reasons if each.path} - {reason.path})
    values = ""
    if diff:
        old, new = unlike(diff.old, diff.new)
        values = f": {code(old, 60)} → {code(new, 60)}"
    more = f", and {others} more" if others else ""
    return f"because of {code(short_path(reason.path), 120)}{values}{more}"


def _says_more(consequence: Consequence) -> bool:
    return consequence.change_class > ChangeClass.ADDS and bool(
        consequence.details or consequence.reasons
    )


def _details(consequence: Consequence) -> str:
    return "\n".join([bold(text(str(consequence.subject), 80)), *_lines(consequence)])


def _lines(consequence: Consequence) -> Iterator[str]:
    considered = consequence.details[: 2 * MOST_DETAILS]
    told = [
        one for one in considered if not any(one != other and one in other for other in considered)
    ]
    for detail in told[:MOST_DETAILS]:
        yield f"- {text(detail, 300)}"
    paths: dict[str, dict[str, None]] = defaultdict(dict)
    for reason in consequence.reasons:
        paths[reason.resource][reason.path] = None
    for resource, known in list(paths.items())[:MOST_REASONS]:
        inputs = [code(path, 120) for path in known if path]
        more = len(inputs) - MOST_REASONS
        rest = f" and {quantity(more, 'other')}" if more > 0 else ""
        because = f": {', '.join(inputs[:MOST_REASONS])}{rest}" if inputs else ""
        yield f"- Because of {code(resource, 100)}{because}"
    if (left := len(paths) - MOST_REASONS) > 0:
        yield f"- … and of {quantity(left, 'other resource')}"
