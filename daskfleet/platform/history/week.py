"""The history as part of a page: what happened when, and all of it as a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from daskfleet.platform.history.model import History, TeamChange, Update
from daskfleet.platform.history.words import change_text, nodes_text, who_text

TEMPLATES = Path(__file__).with_name("templates")
WHEN = "%a %-d %b, %H:%M:%S"
MOST_DAYS_NAMED = 14
"""Marks of days on the axis; of a longer time every second, third, … day is named."""

MOST_ROWS = 60
"""Teams that the picture has rows for; the table has all."""

UPDATES = "updates"
NODES = "nodes"
SIGNS = {"came": "+", "went": "-", "image": "◆", "workers": "↕", "settings": "●", "cluster": "●"}
FAILED = "✕"
RAN = "▲"
"""Signs, each with its words: nothing is told by a colour alone."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """One thing at its time."""

    left_percent: float
    sign: str
    told: str
    anchor: str
    """The row of the table that tells it; empty: none does."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """What happened to one team, or to the fleet."""

    label: str
    team: str = ""
    """Whose it is; empty: the fleet's."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One thing that an update did."""

    text: str
    team: str = ""
    """Whose it is; empty: the fleet's."""


@dataclass(frozen=True, kw_only=True)
class Told:
    """A row of the table."""

    anchor: str
    when: str
    took: str
    what: str
    who: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, kw_only=True)
class Week:
    """All that the section shows."""

    since: str
    until: str
    days: tuple[tuple[float, str], ...]
    """Where each day begins, in percent, and its name."""

    rows: tuple[Row, ...]
    left_out: int
    """Teams without a row in the picture."""

    table: tuple[Told, ...]
    between: tuple[str, ...]
    """Nodes that came or went while no update ran."""

    unknown: tuple[str, ...]


def week_html(history: History) -> Markup:
    """The inside of a section, for the report's page, which has its styles."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("week.html.jinja")
    return Markup(template.render(week=week_of(history)))  # noqa: S704 - escaped by the template


def week_of(history: History) -> Week:
    """Lay the history out on its time."""
    teams = sorted({change.team for each in history.updates for change in each.teams})
    rows = [
        Row(label=UPDATES, marks=tuple(_updates(history))),
        *(
            Row(label=f"team {team}", team=team, marks=tuple(_of_team(history, team)))
            for team in teams
        ),
        Row(label=NODES, marks=tuple(_nodes(history))),
    ]
    shown = [rows[0], *rows[1:-1][:MOST_ROWS], rows[-1]]
    return Week(
        since=_when(history.since),
        until=_when(history.read_at),
        days=tuple(_days(history)),
        rows=tuple(row for row in shown if row.marks),
        left_out=max(0, len(teams) - MOST_ROWS),
        table=tuple(_told(update, index) for index, update in enumerate(history.updates)),
        between=tuple(
            f"{_when(move.at)}: node {move.node}"
            f"{f' of {move.pool}' if move.pool else ''} {move.what}"
            for move in history.nodes
        ),
        unknown=history.unknown,
    )


def _updates(history: History) -> Iterator[Mark]:
    for index, each in enumerate(history.updates):
        sign = FAILED if each.result == "failed" else RAN
        told = f"{_when(each.began_at)}: {each.kind} {each.result}. {each.message}".strip()
        yield Mark(
            left_percent=_left(history, each.began_at),
            sign=sign,
            told=told,
            anchor=_anchor(index),
        )


def _of_team(history: History, team: str) -> Iterator[Mark]:
    for index, each in enumerate(history.updates):
        own = [change for change in each.teams if change.team == team]
        if own:
            yield Mark(
                left_percent=_left(history, each.began_at),
                sign="".join(dict.fromkeys(SIGNS[change.what] for change in own)),
                told=f"{_when(each.began_at)}, team {team}: {_joined(own)}",
                anchor=_anchor(index),
            )


def _nodes(history: History) -> Iterator[Mark]:
    moves = [(each, "") for each in history.nodes]
    moves += [
        (move, _anchor(index)) for index, each in enumerate(history.updates) for move in each.nodes
    ]
    for move, anchor in moves:
        of_pool = f" of {move.pool}" if move.pool else ""
        yield Mark(
            left_percent=_left(history, move.at),
            sign=SIGNS[move.what],
            told=f"{_when(move.at)}: node {move.node}{of_pool} {move.what}",
            anchor=anchor,
        )


def _told(update: Update, index: int) -> Told:
    took = (
        f"{(update.ended_at - update.began_at).total_seconds():.0f} s"
        if update.ended_at
        else "not known"
    )
    pools = (
        f"pool {each.pool}: {'other settings' if each.what == 'settings' else each.what}"
        for each in update.pools
    )
    return Told(
        anchor=_anchor(index),
        when=_when(update.began_at),
        took=took,
        what=f"{update.kind} {update.result}",
        who=f"{update.message} ({who_text(update)})" if update.message else who_text(update),
        lines=(
            *(
                Line(team=each.team, text=f"team {each.team}: {change_text(each)}")
                for each in update.teams
            ),
            *(Line(text=text) for text in (*pools, *nodes_text(update.nodes))),
            *([Line(text=f"not known: {update.unknown}")] if update.unknown else []),
        ),
    )


def _joined(changes: list[TeamChange]) -> str:
    return "; ".join(change_text(each) for each in changes)


def _days(history: History) -> Iterator[tuple[float, str]]:
    first = history.since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    count = (history.read_at - first).days
    for number in range(1, count + 1, 1 + count // MOST_DAYS_NAMED):
        at = first + timedelta(days=number)
        yield _left(history, at), f"{at:%a %-d}"


def _left(history: History, at: datetime) -> float:
    whole = (history.read_at - history.since).total_seconds()
    part = (at - history.since).total_seconds()
    return round(100 * min(max(part / whole, 0), 1), 2) if whole else 0.0


def _when(at: datetime) -> str:
    return f"{at.astimezone(UTC):{WHEN}}"


def _anchor(index: int) -> str:
    return f"update-{index + 1}"
