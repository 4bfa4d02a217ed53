"""How long each file of tests took, as a run noted it, and the table of it in CONTRIBUTING.md."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from bench.record import RESULTS_DIR, Figures, Record
from tests.project import PROJECT_DIR

NAME = "test_durations"
TABLE = PROJECT_DIR / "CONTRIBUTING.md"
SHOWN_S = 10
"""Rooms of less are summed up in one row."""
_MARKED = re.compile(r"(?<=<!-- durations -->\n).*?(?=<!-- end of durations -->)", re.DOTALL)


class FileDuration(Figures):
    """One file of tests."""

    tests: int
    seconds: float
    """Setup, call and teardown of all its tests: a shared fixture counts where it is first used."""
    engine_runs: int
    """Commands of Pulumi that its tests started themselves."""


class Durations(Figures):
    """One run."""

    command: str
    workers: int
    wall_s: float
    files: Mapping[str, FileDuration]


def recorded_seconds() -> dict[str, float]:
    """Give the seconds of each file, as they were last recorded; nothing before the first time."""
    if not (RESULTS_DIR / f"{NAME}.json").exists():
        return {}
    files = Record[Durations].read(NAME).result.files
    return {file: each.seconds for file, each in files.items()}


def slowest(files: Mapping[str, FileDuration], *, count: int) -> list[tuple[str, FileDuration]]:
    """Give the files that took longest."""
    return sorted(files.items(), key=lambda item: -item[1].seconds)[:count]


def table(record: Record[Durations]) -> str:
    """Draw the run as a table of Markdown, a row for each room."""
    run, machine = record.result, record.conditions.machine
    rooms = _rooms(run.files)
    shown = {room: each for room, each in rooms.items() if each.seconds >= SHOWN_S}
    rest = _sum(each for room, each in rooms.items() if room not in shown)
    whole = _sum(rooms.values())
    rows = [_row(f"`{room}`", each) for room, each in slowest(shown, count=len(shown))]
    told = (
        f"`{run.command}` took {_minutes(run.wall_s)} with {run.workers} workers on "
        f"{machine.cores} cores of {machine.processor}, load before "
        f"{machine.load_1_min:g}, on {record.conditions.measured_at:%Y-%m-%d}."
    )
    head = ["| room | tests | engine runs | time |", "|---|---:|---:|---:|"]
    sums = [
        _row(f"{len(rooms) - len(shown)} others", rest),
        _row("all, one after the other", whole),
    ]
    return "\n".join([told, "", *head, *rows, *sums, ""])


def with_table(document: str, drawn: str) -> str:
    """Put the table in place of the one between the marks."""
    return _MARKED.sub(lambda _: drawn, document)


def _rooms(files: Mapping[str, FileDuration]) -> dict[str, FileDuration]:
    kept: dict[str, list[FileDuration]] = defaultdict(list)
    for file, each in files.items():
        kept[str(PurePosixPath(file).parent)].append(each)
    return {room: _sum(each) for room, each in kept.items()}


def _sum(durations: Iterable[FileDuration]) -> FileDuration:
    kept = list(durations)
    return FileDuration(
        tests=sum(each.tests for each in kept),
        seconds=round(sum(each.seconds for each in kept), 1),
        engine_runs=sum(each.engine_runs for each in kept),
    )


def _row(title: str, each: FileDuration) -> str:
    return f"| {title} | {each.tests} | {each.engine_runs} | {_minutes(each.seconds)} |"


def _minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
