"""Who causes which part of the cost."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from daskfleet.planning.cost_lines import HOURS_PER_MONTH, Cost, CostLine, CostShare, ShareKind
from daskfleet.planning.plan import PoolPlacement
from daskfleet.planning.pools import dask_pools, gpu_slots, room_on
from daskfleet.planning.resources import GroupRequest
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.pools import GpuPool, SchedulerPool
from daskfleet.settings.stack import Stack

UNUSED = ""
"""Stands for no team while a pool is shared out."""


def shares_of(
    lines: Sequence[CostLine],
    stack: Stack,
    *,
    placement: Sequence[PoolPlacement],
    requests: Sequence[GroupRequest],
) -> tuple[CostShare, ...]:
    """The shares of each team with a cluster, of what no team uses, and of the platform.

    A node costs each Dask pod on it the same: a scheduler its part of the T4 node, a worker that
    of its GPU. A node without GPUs costs a pod what part of the node it takes. Where fewer nodes
    exist than the teams declare pods for, as in an idle fleet, the teams share what exists in the
    same proportions.
    """
    slots_on = {each.pool: _slots(each) for each in placement}
    idle: dict[str, Fraction] = defaultdict(Fraction)
    full: dict[str, Fraction] = defaultdict(Fraction)
    idle_unknown: set[str] = set()
    full_unknown: set[str] = set()
    for _, pool in dask_pools(stack):
        nodes = _nodes_used(pool, slots_on.get(pool.name, Counter()), requests, stack)
        of_pool = [line for line in lines if line.pool == pool.name]
        _share_out(_idle(of_pool), nodes, there=pool.min_nodes, onto=idle)
        _share_out(_full(of_pool), nodes, there=pool.max_nodes, onto=full)
        if any(line.is_idle_unknown for line in of_pool):
            idle_unknown |= _sharers(nodes, there=pool.min_nodes)
        if any(line.is_full_unknown for line in of_pool):
            full_unknown |= _sharers(nodes, there=pool.max_nodes)
    for line in lines:
        if line.team:
            idle[line.team] += line.usd_per_hour_idle
            full[line.team] += line.usd_per_hour_full
    platform = [line for line in lines if not line.pool and not line.team]
    owners: list[tuple[ShareKind, str]] = [
        *(("team", team.name) for _, team in teams_with_cluster(stack)),
        ("unused", UNUSED),
    ]
    return (
        *(
            CostShare(
                kind=kind,
                team=name,
                idle=idle[name],
                full=full[name],
                idle_is_at_least=name in idle_unknown,
                full_is_at_least=name in full_unknown,
            )
            for kind, name in owners
        ),
        CostShare(
            kind="platform",
            team="",
            idle=_idle(platform),
            full=_full(platform),
            idle_is_at_least=any(line.is_idle_unknown for line in platform),
            full_is_at_least=any(line.is_full_unknown for line in platform),
        ),
    )


@dataclass(frozen=True, kw_only=True)
class MonthlyShare:
    """A share as it is shown: whole cents, that add up to the cost of a month as it is shown."""

    kind: ShareKind
    team: str
    idle_cents: int
    full_cents: int
    idle_is_at_least: bool
    full_is_at_least: bool


def monthly_shares(cost: Cost) -> tuple[MonthlyShare, ...]:
    """The shares of a fleet's cost for a month."""
    idle = in_cents([share.idle * HOURS_PER_MONTH for share in cost.shares])
    full = in_cents([share.full * HOURS_PER_MONTH for share in cost.shares])
    return tuple(
        MonthlyShare(
            kind=share.kind,
            team=share.team,
            idle_cents=cents[0],
            full_cents=cents[1],
            idle_is_at_least=share.idle_is_at_least,
            full_is_at_least=share.full_is_at_least,
        )
        for share, *cents in zip(cost.shares, idle, full, strict=True)
    )


def in_cents(usd: Sequence[Fraction]) -> list[int]:
    """Amounts in whole cents whose sum is the sum of the amounts, rounded.

    Each is at most a cent off: rounded down, and those that lost most get a cent of the rest.
    """
    cents = [each * 100 for each in usd]
    whole = [floor(each) for each in cents]
    missing = round(sum(cents)) - sum(whole)
    by_loss = sorted(range(len(cents)), key=lambda i: whole[i] - cents[i])
    for position in by_loss[:missing]:
        whole[position] += 1
    return whole


def _share_out(
    usd: Fraction, nodes: Mapping[str, Fraction], *, there: int, onto: dict[str, Fraction]
) -> None:
    """Share a pool's cost out by the nodes that each team uses, parts of nodes included."""
    used = sum(nodes.values(), Fraction(0))
    parts = max(Fraction(there), used)
    if not parts:
        # No node and nobody who wants one: what is paid is a reservation's.
        onto[UNUSED] += usd
        return
    for team, part in nodes.items():
        onto[team] += usd * part / parts
    onto[UNUSED] += usd * (parts - used) / parts


def _sharers(nodes: Mapping[str, Fraction], *, there: int) -> set[str]:
    """Among whom ``_share_out`` shares a pool's cost."""
    used = sum(nodes.values(), Fraction(0))
    return {*nodes, UNUSED} if there > used or not used else set(nodes)


def _slots(placement: PoolPlacement) -> Counter[str]:
    """How many GPUs, or shares of one, the Dask pods of each team take on a pool."""
    slots: Counter[str] = Counter()
    for node in placement.nodes:
        for group in node:
            slots[group.team] += group.count * group.slots
    return slots


def _nodes_used(
    pool: GpuPool, slots: Counter[str], requests: Sequence[GroupRequest], stack: Stack
) -> dict[str, Fraction]:
    """How many nodes of a pool each team uses, parts of nodes included."""
    if pool.has_gpus:
        return {team: Fraction(count, gpu_slots(pool)) for team, count in slots.items()}
    room = room_on(pool, stack=stack)
    used: dict[str, Fraction] = defaultdict(Fraction)
    for request in requests:
        if not room or not slots[request.team.name]:
            continue
        if isinstance(pool, SchedulerPool):
            demand = request.schedulers
            there = demand.count if request.is_first else 0
        else:
            demand = request.workers
            is_its_pool = pool in request.chain
            there = _workers_there(request, pool, slots, requests) if is_its_pool else 0
        used[request.team.name] += Fraction(there, max(1, demand.fitting(room)))
    return used


def _workers_there(
    request: GroupRequest, pool: GpuPool, slots: Counter[str], requests: Sequence[GroupRequest]
) -> int:
    """A group's workers on a pool without GPUs: of a chain, what the team's others leave.

    Of several chains over one pool the first group is counted there first, and each worker once.
    """
    if not request.fallbacks:
        return request.workers.count
    of_team = [other for other in requests if other.team is request.team and pool in other.chain]
    bound = sum(other.workers.count for other in of_team if not other.fallbacks)
    before = of_team[: of_team.index(request)]
    chained = sum(
        _workers_there(other, pool, slots, requests) for other in before if other.fallbacks
    )
    return max(0, min(request.workers.count, slots[request.team.name] - bound - chained))


def _idle(lines: Iterable[CostLine]) -> Fraction:
    return sum((line.usd_per_hour_idle for line in lines), Fraction(0))


def _full(lines: Iterable[CostLine]) -> Fraction:
    return sum((line.usd_per_hour_full for line in lines), Fraction(0))
