"""What `daskfleet history` tells of the last week, from what the page has read anyway."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.platform.history.model import History
from daskfleet.platform.history.pulumi_records import PulumiRecord, read_records
from daskfleet.platform.history.seen import Seen, seen_in
from daskfleet.platform.history.updates import NOT_KEPT, history_of
from daskfleet.platform.report.running.in_cluster import InCluster
from daskfleet.platform.report.running.reading import Reading
from daskfleet.platform.report.running.told import all_told

WEEK = timedelta(days=7)


@dataclass(frozen=True, kw_only=True)
class Records:
    """What Pulumi keeps of a week's updates."""

    updates: tuple[PulumiRecord, ...]
    is_all: bool
    since: datetime
    read_at: datetime


def week_of_records(project_dir: Path, stack: str) -> Records:
    """Ask Pulumi, which takes seconds.

    Raises:
        HistoryError: Pulumi does not tell.

    """
    read_at = datetime.now(tz=UTC).replace(microsecond=0)
    since = read_at - WEEK
    updates, is_all = read_records(Pulumi(project_dir=project_dir, stack=stack), since=since)
    return Records(updates=updates, is_all=is_all, since=since, read_at=read_at)


def told_history(records: Reading[Records], stack: str, found: InCluster) -> Reading[History]:
    """Pure: put the updates beside what the cluster tells, every text as it may be shown."""
    read = records.value
    if read is None:
        return Reading(value=None, source=records.source)
    why_not = found.teams.source.why_not and found.nodes.source.why_not
    history = all_told(
        history_of(
            stack,
            read.updates,
            is_all=read.is_all,
            since=read.since,
            read_at=read.read_at,
            seen=None if why_not else _seen(found),
            unread=f"The cluster was not asked: {why_not}" if why_not else "",
        )
    )
    source = records.source.model_copy(update={"lacks": not_told(history)})
    return Reading(value=history, source=source)


def not_told(history: History) -> tuple[str, ...]:
    """Return what could not be read; what nobody keeps is no failure."""
    return tuple(each for each in history.unknown if each != NOT_KEPT)


def _seen(found: InCluster) -> Seen:
    teams = tuple((found.teams.value or {}).values())
    return seen_in(
        [each for team in teams for each in team.clusters or ()],
        pods=[each for team in teams for each in team.pods or ()],
        nodes=found.nodes.value or (),
        events=found.gone,
        unread=_unread(found),
    )


def _unread(found: InCluster) -> Iterator[str]:
    if why_not := found.teams.source.why_not:
        yield f"pods and Dask clusters were not read: {why_not}"
    yield from found.teams.source.lacks
    if why_not := found.nodes.source.why_not:
        yield f"nodes were not read: {why_not}"
    yield from found.gone_unread
