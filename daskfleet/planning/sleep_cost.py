"""What a fleet costs at the least, with workers that sleep and without."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from daskfleet.planning.cost_lines import HOURS_PER_MONTH, CostLine
from daskfleet.planning.plan import FleetPlan, PodGroup, PoolPlacement
from daskfleet.planning.pools import dask_pools
from daskfleet.planning.reservation_cost import item_of, reservations_paid
from daskfleet.planning.sleep import opening_hours, sleepers
from daskfleet.settings.pools import GpuPool
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from in_cluster.idle_controller.opening_hours import opening_at, openings

WEEK_START = datetime(2026, 1, 5, tzinfo=UTC)
WEEK = timedelta(days=7)
"""A week in which clocks change nowhere."""


@dataclass(frozen=True, kw_only=True)
class Floor:
    """What is paid in a month when nobody works, in US dollars; None where a price is missing."""

    without_sleep: float | None
    """All declared workers stay, and the nodes under them."""

    with_sleep: float | None

    @property
    def text(self) -> str:
        """As people read it."""
        if self.with_sleep is None or self.without_sleep is None:
            return "The cost with nobody at work is unknown, since a price is missing."
        return (
            f"With nobody at work {self.with_sleep:,.0f} USD per month, where workers that never "
            f"slept would cost {self.without_sleep:,.0f}. Teams with `hours` count as awake in all "
            "of them, those with `idle` alone as asleep."
        )


def floor_of(plan: FleetPlan) -> Floor | None:
    """The floor of a fleet in which a team sleeps; None for any other."""
    asleep_or_not = {team.name: team for team in sleepers(plan.stack)}
    if not asleep_or_not:
        return None
    if plan.cost.full_is_at_least:
        return Floor(without_sleep=None, with_sleep=None)
    lines = {line.item: line for line in plan.cost.lines}
    pools = {pool.name: pool for _, pool in dask_pools(plan.stack)}
    with_sleep = without_sleep = plan.cost.idle_usd_per_hour
    for placed in plan.placement:
        pool = pools[placed.pool]
        usd = _usd_of_node(pool, plan.stack, lines)
        without_sleep += _above_minimum(pool, len(placed.nodes), usd)
        with_sleep += _average(pool, placed, usd, asleep_or_not)
    return Floor(
        without_sleep=without_sleep * HOURS_PER_MONTH, with_sleep=with_sleep * HOURS_PER_MONTH
    )


def _usd_of_node(pool: GpuPool, stack: Stack, lines: Mapping[str, CostLine]) -> float:
    """What a node more costs per hour; on a reservation that is paid anyway, its disk alone."""
    paid = (
        lines[item_of(each)].usd_per_hour_each or 0
        for each in reservations_paid(stack)
        if any(other.name == pool.name for _, other in each.pools)
    )
    return (lines[pool.name].usd_per_hour_each or 0) - sum(paid)


def _above_minimum(pool: GpuPool, nodes: int, usd: float) -> float:
    """The hourly price of the nodes beyond those that the idle fleet's cost has already."""
    return max(0, nodes - pool.min_nodes) * usd


def _average(pool: GpuPool, placed: PoolPlacement, usd: float, sleeping: dict[str, Team]) -> float:
    """The same over a week, of the nodes that hold a pod at each time."""
    total = 0.0
    moments = sorted({WEEK_START, *_changes(sleeping), WEEK_START + WEEK})
    for begin, end in pairwise(moments):
        nodes = sum(any(_is_there(pod, sleeping, begin) for pod in node) for node in placed.nodes)
        total += _above_minimum(pool, nodes, usd) * ((end - begin) / WEEK)
    return total


def _changes(sleeping: dict[str, Team]) -> Iterator[datetime]:
    """All moments of the week at which a team's hours begin or end."""
    for team in sleeping.values():
        if hours := opening_hours(team):
            for opening in openings(hours, since=WEEK_START, until=WEEK_START + WEEK):
                yield from (max(opening.start, WEEK_START), min(opening.end, WEEK_START + WEEK))


def _is_there(pod: PodGroup, sleeping: dict[str, Team], moment: datetime) -> bool:
    """Whether pods are there although nobody works."""
    team = sleeping.get(pod.team)
    if team is None or pod.component != "worker":
        return True
    hours = opening_hours(team)
    return hours is not None and opening_at(hours, moment) is not None
