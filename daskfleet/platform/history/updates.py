"""Pure: the history, put together from Pulumi's records and what Kubernetes tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from daskfleet.platform.history.compare import pool_changes, team_changes
from daskfleet.platform.history.gaps import CUT_S, MadeCluster, gap
from daskfleet.platform.history.model import (
    Gap,
    History,
    NodeMove,
    PoolChange,
    TeamChange,
    Update,
)
from daskfleet.platform.history.pulumi_records import PulumiRecord
from daskfleet.platform.history.seen import Seen
from daskfleet.platform.history.settings_then import (
    NOTHING,
    SettingsThen,
    UnreadableSettingsError,
    settings_then,
)
from daskfleet.settings.team import RolloutKind

SUCCEEDED = "succeeded"
CHANGING = ("update", "destroy")
"""Kinds of updates that change what the fleet is."""

NOT_KEPT = (
    "Nodes that went: Kubernetes keeps their events for about an hour, so only the last hour is "
    "told. A Dask cluster that was made anew without another image is told while it runs."
)
NO_BEGINNING = "the settings before it are not known, so what it changed is not told"


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """An update with the settings before it and its own, or why they are not known."""

    record: PulumiRecord
    before: SettingsThen | None
    after: SettingsThen | None
    unknown: str = ""


def history_of(
    stack: str,
    records: Sequence[PulumiRecord],
    *,
    is_all: bool,
    since: datetime,
    read_at: datetime,
    seen: Seen | None,
    unread: str = "",
) -> History:
    """Put the history together.

    Args:
        stack: its name.
        records: what Pulumi keeps, the newest first.
        is_all: whether the oldest of them is the stack's first.
        since: where the history begins.
        read_at: where it ends.
        seen: what Kubernetes tells; None where it could not be asked.
        unread: why it could not.
    """
    moves = [move for move in (seen.nodes if seen else ()) if since <= move.at <= read_at]
    compared = _compared(tuple(reversed(records)), is_all=is_all)
    told = [
        _update(each, compared, seen, moves) for each in compared if each.record.began_at >= since
    ]
    claimed = {(move.node, move.what) for each in told for move in each.nodes}
    between = [move for move in moves if (move.node, move.what) not in claimed]
    return History(
        stack=stack,
        since=since,
        read_at=read_at,
        updates=tuple(reversed(told)),
        nodes=tuple(sorted(between, key=lambda move: move.at, reverse=True)),
        unknown=(
            *([unread] if unread else []),
            *([] if seen is None else [*seen.unread, NOT_KEPT]),
        ),
    )


def _compared(records: Sequence[PulumiRecord], *, is_all: bool) -> list[_Compared]:
    """Each record beside the settings of the one before it; the oldest first."""
    found: list[_Compared] = []
    current = NOTHING if is_all else None
    for record in records:
        if record.kind not in CHANGING:
            found.append(_Compared(record=record, before=current, after=current))
            continue
        try:
            after = NOTHING if record.kind == "destroy" else settings_then(record.config)
        except UnreadableSettingsError as error:
            why = f"this release does not read the settings of that update: {error}"
            found.append(_Compared(record=record, before=None, after=None, unknown=why))
            current = None
            continue
        why = NO_BEGINNING if current is None else ""
        found.append(_Compared(record=record, before=current, after=after, unknown=why))
        if record.kind != "destroy" or record.result == SUCCEEDED:
            current = after
    return found


def _update(
    each: _Compared, among: Sequence[_Compared], seen: Seen | None, moves: Sequence[NodeMove]
) -> Update:
    record, environment = each.record, each.record.environment
    made = _made_by(record, seen)
    passed = next(
        (
            other.record.ended_at
            for other in among
            if other.record.began_at >= record.began_at
            and other.record.kind == "update"
            and other.record.result == SUCCEEDED
        ),
        None,
    )

    def is_replaced(team: str) -> bool | None:
        if team in made:
            return True
        of_today = [one for name, one in (seen.clusters if seen else ()) if name == team]
        is_older = bool(of_today) and all(one.made_at < record.began_at for one in of_today)
        return False if is_older else None

    def gap_of(team: str, rollouts: tuple[RolloutKind, RolloutKind]) -> Gap:
        return gap(
            rollouts=rollouts,
            began_at=record.began_at,
            passed_at=passed,
            made=made.get(team),
        )

    teams: tuple[TeamChange, ...] = ()
    pools: tuple[PoolChange, ...] = ()
    if each.before is not None and each.after is not None:
        teams = tuple(team_changes(each.before, each.after, is_replaced=is_replaced, gap_of=gap_of))
        pools = tuple(pool_changes(each.before, each.after))
    return Update(
        kind=record.kind,
        began_at=record.began_at,
        ended_at=record.ended_at,
        result=record.result,
        message=next(iter(record.message.splitlines()), ""),
        commit=environment.get("git.head", ""),
        is_dirty=environment.get("git.dirty") == "true",
        author=environment.get("git.author", ""),
        run_url=environment.get("ci.build.url", ""),
        held_to_a_plan=_flag(environment.get("updatePlan")),
        resources={name: count for name, count in record.resources.items() if count},
        teams=teams,
        pools=pools,
        nodes=_during(record, moves),
        unknown=each.unknown,
    )


def _made_by(record: PulumiRecord, seen: Seen | None) -> Mapping[str, MadeCluster]:
    """The clusters of today that an update made, by team; a scheduler that came later is none."""
    end = record.ended_at
    if seen is None or record.kind != "update" or end is None:
        return {}
    cut = timedelta(seconds=CUT_S)
    found: dict[str, MadeCluster] = {}
    for team, cluster in sorted(seen.clusters, key=lambda pair: pair[1].made_at):
        if record.began_at <= cluster.made_at <= end + cut:
            is_of_it = cluster.ready_at is not None and cluster.ready_at <= end + cut
            found[team] = (
                cluster
                if is_of_it
                else MadeCluster(name=cluster.name, made_at=cluster.made_at, ready_at=None)
            )
    return found


def _during(record: PulumiRecord, moves: Sequence[NodeMove]) -> tuple[NodeMove, ...]:
    if record.ended_at is None or record.kind not in CHANGING:
        return ()
    return tuple(
        sorted(
            (move for move in moves if record.began_at <= move.at <= record.ended_at),
            key=lambda move: move.at,
        )
    )


def _flag(text: str | None) -> bool | None:
    return None if text is None else text == "true"
