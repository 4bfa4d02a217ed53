"""The lines that suffice to decide, and the marker by which the comment is found again."""

from daskfleet.platform.review.markdown.escape import bold, in_html_comment, text
from daskfleet.platform.review.markdown.gate import gate
from daskfleet.platform.review.markdown.shown_commit import commit_line
from daskfleet.platform.review.model import Rehearsed, Review, Verdict
from daskfleet.platform.review.wording import TITLES, cost_in_short, counts_of, quantity

SIGNS = {
    Verdict.NO_CHANGE: "⚪",
    Verdict.SAFE: "🟢",
    Verdict.NEEDS_CARE: "🟡",
    Verdict.DESTROYS: "🔴",
    Verdict.FAILED: "❌",
}


def marker(project: str, stack: str) -> str:
    """The hidden line by which the comment of a project's stack is found and updated."""
    return f"<!-- daskfleet-review: {in_html_comment(project)}/{in_html_comment(stack)} -->"


def top(review: Review) -> str:
    """Marker, verdict, reason, and one line of figures."""
    title = f"{SIGNS[review.verdict]} {TITLES[review.verdict]}: {text(review.stack, 80)}"
    lines = [
        marker(review.project, review.stack),
        f"### {title}",
        bold(text(review.because, 300)),
    ]
    lines.append(" · ".join(_figures(review)))
    hidden = commit_line(review.commit)
    first = "\n".join(line for line in (lines[0], hidden, lines[1]) if line)
    return "\n\n".join([first, *lines[2:]])


def _figures(review: Review) -> list[str]:
    figures = [text(counts_of(review.counts), 300)] if any(review.counts.values()) else []
    if review.cost and review.verdict is not Verdict.NO_CHANGE:
        figures.append(cost_in_short(review.cost))
    if review.verdict is not Verdict.NO_CHANGE or not review.gate.passes:
        figures.append(gate(review))
    if review.rehearsed:
        figures.append(_rehearsed(review.rehearsed))
    return [figure for figure in figures if figure]


def _rehearsed(seen: Rehearsed) -> str:
    if seen.error:
        return "**the rehearsal failed**"
    if seen.differences:
        return f"**the rehearsal saw {quantity(len(seen.differences), 'difference')}**"
    return "rehearsed as predicted" if seen.second_up_changes is not None else ""
