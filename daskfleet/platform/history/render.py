"""The history as people read it in a terminal."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from daskfleet.platform.history.model import History, Update
from daskfleet.platform.history.words import change_text, nodes_text, who_text
from daskfleet.visible import visible

STYLES = {"succeeded": "green", "failed": "bold red"}
WHEN = "%a %Y-%m-%d %H:%M:%S"


def render_history(history: History, console: Console) -> None:
    """Print a row for each update, then what happened between them and what is not known."""
    if history.updates:
        console.print(_table(history))
    for move in history.nodes:
        of_pool = f" of {move.pool}" if move.pool else ""
        line = f"  {move.at:{WHEN}}: node {move.node}{of_pool} {move.what} while no update ran"
        console.print(Text(visible(line)), soft_wrap=True)
    for unknown in history.unknown:
        console.print(Text(f"  Not known: {visible(unknown)}", style="yellow"), soft_wrap=True)
    count = len(history.updates)
    noun = "update" if count == 1 else "updates"
    console.print(
        Text(f"  {visible(history.stack)}: {count} {noun} since {history.since:{WHEN}} UTC."),
        soft_wrap=True,
    )


def _table(history: History) -> Table:
    table = Table(show_lines=True, expand=True)
    table.add_column("when (UTC)", ratio=2, overflow="fold")
    table.add_column("what", ratio=4, overflow="fold")
    table.add_column("what it did", ratio=7, overflow="fold")
    for update in history.updates:
        table.add_row(_when(update), _what(update), Text(visible_lines_of(update)))
    return table


def _when(update: Update) -> Text:
    took = (
        f"\n{(update.ended_at - update.began_at).total_seconds():.0f} s" if update.ended_at else ""
    )
    return Text(f"{update.began_at:{WHEN}}{took}")


def _what(update: Update) -> Text:
    return Text.assemble(
        visible(update.kind),
        " ",
        (visible(update.result), STYLES.get(update.result, "yellow")),
        f"\n{visible(update.message)}" if update.message else "",
        f"\n{visible(who_text(update))}",
    )


def visible_lines_of(update: Update) -> str:
    """What it did, a line for each thing."""
    return "\n".join(visible(line) for line in _lines(update))


def _lines(update: Update) -> Iterator[str]:
    for change in update.teams:
        yield f"team {change.team}: {change_text(change)}"
    for pool in update.pools:
        yield f"pool {pool.pool}: {'other settings' if pool.what == 'settings' else pool.what}"
    yield from nodes_text(update.nodes)
    if update.unknown:
        yield f"not known: {update.unknown}"
    counts = ", ".join(f"{count} {name}" for name, count in update.resources.items())
    yield f"resources: {counts or 'none'}"
