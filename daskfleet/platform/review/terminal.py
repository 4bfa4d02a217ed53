"""The review as people read it in a terminal, in the order of the comment."""

from datetime import UTC

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.platform.review.model import CostChange, Review, Step, Verdict
from daskfleet.platform.review.wording import (
    TITLES,
    cost_in_short,
    cost_is_unchanged,
    counts_of,
    forced_by,
    happens,
    in_figures,
    labels_of,
    over_budget,
    price_age,
    usd,
    usd_after,
    usd_change,
)
from daskfleet.visible import in_short, visible, visible_lines

STYLES = {
    Verdict.NO_CHANGE: "bold",
    Verdict.SAFE: "bold green",
    Verdict.NEEDS_CARE: "bold yellow",
    Verdict.DESTROYS: "bold red",
    Verdict.FAILED: "bold red",
}
SIGN_STYLES = {"create": "green", "import": "green", "delete": "red", "replace": "red"}
MOST_STEPS = 100
"""Resources in the list at the end; ``--format json`` has all."""

LONGEST_VALUE = 100


def render_terminal(review: Review, console: Console) -> None:
    """Print all that there is to say."""
    _print_top(review, console)
    for error in review.errors:
        console.print(Padding(Text(visible_lines(error), style="red"), (1, 2)))
    if review.consequences:
        console.print(_consequences(review))
    _print_cost(review, console)
    for line in review.placement:
        fullness = f"{line.used} of {line.room} {visible(line.unit)}"
        console.print(_indented(2, f"pool {visible(line.pool)}: {fullness}"))
    for finding in review.policies:
        where = f" at {finding.resource}" if finding.resource else ""
        said = f"{finding.level}: {finding.pack}/{finding.policy}{where}: {finding.message}"
        console.print(_indented(2, f"policy, {visible(said)}", style="yellow"))
    for warning in dict.fromkeys(review.warnings):
        console.print(_indented(2, f"warning: {visible(warning)}", style="yellow"))
    _print_rehearsed(review, console)
    _print_steps(review.steps, console)


def _print_top(review: Review, console: Console) -> None:
    title = f"{TITLES[review.verdict]}: {visible(review.stack)}"
    console.print(
        Text.assemble((title, STYLES[review.verdict]), f"  {visible(review.because)}", end="\n")
    )
    figures = [counts_of(review.counts)] if any(review.counts.values()) else []
    figures += [cost_in_short(review.cost)] if review.cost else []
    figures += [review.made_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")]
    console.print(_indented(2, visible(", ".join(figures))))
    if review.gate.passes:
        console.print(_indented(2, f"gate passes: {visible(review.gate.why)}"))
    else:
        labels = " ".join(labels_of(review.gate.missing))
        needed = f" (label {labels})" if labels else ""
        console.print(
            _indented(
                2,
                f"gate stops: {visible(review.gate.why)}{needed}",
                style="bold",
            )
        )


def _consequences(review: Review) -> Table:
    table = Table(show_lines=True)
    table.add_column("who", overflow="fold")
    table.add_column("what happens", overflow="fold")
    for each in review.consequences:
        is_lost = each.change_class >= ChangeClass.REPLACES_POOL
        lines = (happens(each), in_figures(each), _reason(each))
        table.add_row(
            Text(visible(str(each.subject)), style="bold red" if is_lost else "bold"),
            Text("\n".join(visible(line) for line in lines if line)),
        )
    return table


def _reason(consequence: Consequence) -> str:
    reason = forced_by(consequence)
    if reason is None or consequence.change_class <= ChangeClass.ADDS:
        return ""
    return f"because of {reason.resource} {reason.path}".strip()


def _print_cost(review: Review, console: Console) -> None:
    if review.cost is None or cost_is_unchanged(review.cost):
        return
    console.print(_cost(review.cost))
    remarks = " ".join(each for each in (over_budget(review.cost), price_age(review)) if each)
    if remarks:
        console.print(_indented(2, remarks))


def _cost(change: CostChange) -> Table:
    table = Table("USD per month")
    for column in ("before", "after", "change"):
        table.add_column(column, justify="right")
    for label, before, after, at_least in (
        ("floor: nothing runs", change.idle_before, change.idle_after, change.idle_at_least),
        ("ceiling: all pools full", change.full_before, change.full_after, change.full_at_least),
    ):
        table.add_row(label, usd(before), usd_after(after, at_least), usd_change(before, after))
    return table


def _print_rehearsed(review: Review, console: Console) -> None:
    seen = review.rehearsed
    if seen is None:
        return
    console.print(
        _indented(2, f"rehearsed from {visible(seen.base[:10])} to {visible(seen.head[:10])}:")
    )
    if seen.error:
        console.print(Padding(Text(visible_lines(seen.error), style="red"), (0, 4)))
    for line in seen.lines:
        console.print(_indented(4, visible(line)))
    for differs in seen.differences:
        said = f"{differs.subject}: predicted {differs.foretold}, seen {differs.seen}"
        console.print(_indented(4, f"differs: {visible(said)}", style="bold"))
    for team, gap_s in sorted(seen.seconds_without_scheduler.items()):
        console.print(
            _indented(4, f"team {visible(team)}: {max(gap_s, 1):.0f} s without a scheduler")
        )
    if seen.second_up_changes is not None:
        console.print(_indented(4, f"a second up changed {seen.second_up_changes} resources"))
    for line in seen.way_back:
        console.print(_indented(4, f"going back would: {visible(line)}"))


def _print_steps(steps: tuple[Step, ...], console: Console) -> None:
    for step in steps[:MOST_STEPS]:
        console.print(
            _indented(
                2,
                f"{step.operation} {visible(step.title)}",
                style=SIGN_STYLES.get(step.operation, ""),
            )
        )
        for diff in step.diffs:
            old, new = (in_short(value, LONGEST_VALUE) for value in (diff.old, diff.new))
            forces = " (forces the replacement)" if diff.forces_replacement else ""
            console.print(
                _indented(6, f"{visible(diff.path)}: {old} -> {new}{forces}", style="dim")
            )
    if len(steps) > MOST_STEPS:
        console.print(_indented(2, f"and {len(steps) - MOST_STEPS:,} more: --format json has all."))


def _indented(columns: int, said: str, style: str = "") -> Padding:
    """A paragraph of which every line is indented."""
    return Padding(Text(said, style=style), (0, 0, 0, columns), expand=False)
