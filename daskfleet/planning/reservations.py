"""The reservations that pools name: how Google spells them, and what cannot work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from daskfleet.planning.pool_zones import is_in_several, zones_of
from daskfleet.planning.pools import dask_pools
from daskfleet.settings.pools import GpuPool, SchedulerPool, WorkerPool
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.reservations import ANY, NONE, Reservation
from daskfleet.settings.stack import Stack

AFFINITY_KEY = "compute.googleapis.com/reservation-name"
"""The label that finds a reservation by its name (container.v1 ``ReservationAffinity.key``)."""

Consume = Literal["ANY_RESERVATION", "NO_RESERVATION", "SPECIFIC_RESERVATION"]

KeyedPool = tuple[str, SchedulerPool | WorkerPool]


@dataclass(frozen=True, kw_only=True)
class Affinity:
    """A pool's ``reservationAffinity``."""

    consume: Consume
    values: tuple[str, ...] = ()
    """The reservation as GKE spells it; empty unless it is a specific one."""


@dataclass(frozen=True, kw_only=True)
class Reserved:
    """A reservation, and the pools of a stack that name it."""

    name: str
    project: str
    is_own: bool
    """Whether the stack's project made it, and so pays for what nobody uses of it."""

    machines: int | None
    """How many machines it has, where the stack file says so."""

    pools: tuple[KeyedPool, ...]

    where: str = ""
    """Its zones in words, where another one has its name."""

    @property
    def title(self) -> str:
        """What it is called in texts."""
        of = "" if self.is_own else f" of project {self.project}"
        return f"{self.name}{of}{self.where}"

    @property
    def most_nodes(self) -> int:
        """Nodes of all its pools at their largest."""
        return sum(pool.max_nodes for _, pool in self.pools)


def affinity_of(pool: GpuPool, stack: Stack) -> Affinity | None:
    """What GKE is told of reservations; None where it is told nothing.

    A reservation of the same project goes by its name, another project's by its path
    (compute.v1 ``ReservationAffinity.values``).
    """
    if pool.reservation is None:
        return None
    if pool.reservation == ANY:
        return Affinity(consume="ANY_RESERVATION")
    if pool.reservation == NONE:
        return Affinity(consume="NO_RESERVATION")
    assert isinstance(pool.reservation, Reservation)  # noqa: S101 - no other choice is left
    name, project = pool.reservation.name, pool.reservation.project
    is_own = project in {None, stack.project}
    return Affinity(
        consume="SPECIFIC_RESERVATION",
        values=(name if is_own else f"projects/{project}/reservations/{name}",),
    )


def reserved(stack: Stack) -> tuple[Reserved, ...]:
    """The reservations that pools name, each once, in the order of the pools.

    Two of one name in different zones are two. Those of the zones of one pool count as one, since
    the stack file has their sum.
    """
    found: dict[tuple[str, str], list[KeyedPool]] = {}
    for key, pool in dask_pools(stack):
        if isinstance(pool.reservation, Reservation):
            project = pool.reservation.project or stack.project
            found.setdefault((project, pool.reservation.name), []).append((key, pool))
    return tuple(
        _of_zones(name, project, pools, others=len(apart) > 1, stack=stack)
        for (project, name), named in found.items()
        for apart in [_apart(named, stack)]
        for pools in apart
    )


def _apart(named: Sequence[KeyedPool], stack: Stack) -> list[list[KeyedPool]]:
    """Group pools that name one reservation by the zones that they have in common."""
    groups: list[list[KeyedPool]] = []
    for each in named:
        zones = {*zones_of(each[1], stack)}
        near = [group for group in groups if zones & {*_zones(group, stack)}]
        merged = [*(pool for group in near for pool in group), each]
        groups = [*(group for group in groups if group not in near), merged]
    return groups


def _zones(pools: Sequence[KeyedPool], stack: Stack) -> tuple[str, ...]:
    return tuple(dict.fromkeys(zone for _, pool in pools for zone in zones_of(pool, stack)))


def _of_zones(
    name: str, project: str, pools: Sequence[KeyedPool], *, others: bool, stack: Stack
) -> Reserved:
    return Reserved(
        name=name,
        project=project,
        is_own=project == stack.project,
        machines=max(_counts(pools), default=None),
        pools=tuple(pools),
        where=f" in {listed(_zones(pools, stack))}" if others else "",
    )


def _counts(pools: Sequence[KeyedPool]) -> Iterator[int]:
    for _, pool in pools:
        if isinstance(pool.reservation, Reservation) and pool.reservation.machines:
            yield pool.reservation.machines


def reservation_problems(stack: Stack) -> Iterator[Problem]:
    """Pools that could never have a node from the reservation that they name."""
    for key, pool in dask_pools(stack):
        if pool.spot and pool.reservation not in {None, NONE}:
            yield _spot(key, pool)
    for each in reserved(stack):
        yield from _other_machines(each)
        yield from _sizes(each)


def _spot(key: str, pool: GpuPool) -> Problem:
    return Problem(
        key=f"{key}.reservation",
        value=_shown(pool),
        reason="Spot machines use no reservation, and GKE refuses a pool that asks for both.",
        allowed="a reservation on demand, or spot: true without one",
        next_step="remove spot or reservation.",
    )


def _other_machines(each: Reserved) -> Iterator[Problem]:
    """A reservation is of machines of one kind, with the same number of the same GPUs."""
    (_, first), *others = each.pools
    for key, pool in others:
        if _machine(pool) != _machine(first):
            yield Problem(
                key=f"{key}.reservation",
                value=_shown(pool),
                reason=f"A reservation has machines of one kind: pool {first.name} wants "
                f"{_machine(first)} from it, and pool {pool.name} {_machine(pool)}.",
                allowed="the machine_type, accelerator and gpus_per_node of the reservation",
                next_step="give one of the pools another reservation, or none.",
            )


def _sizes(each: Reserved) -> Iterator[Problem]:
    """What the stack file says of a reservation's size, beside itself and beside the pools."""
    key, _ = each.pools[-1]
    if len(counts := {*_counts(each.pools)}) > 1:
        yield Problem(
            key=f"{key}.reservation.machines",
            value=", ".join(map(str, sorted(counts))),
            reason=f"Pools give different numbers of machines for {each.title}.",
            allowed="one number, in each of its pools or in one of them",
            next_step="write how many it has.",
        )
    elif each.machines is not None and each.most_nodes > each.machines:
        names = listed([pool.name for _, pool in each.pools])
        yield Problem(
            key=f"{key}.reservation.machines",
            value=str(each.machines),
            reason=f"Nodes of {names} come from reservation {each.title} and from nowhere else: "
            f"at their largest they are {each.most_nodes}, and it has {each.machines}.",
            allowed=f"{each.most_nodes} or more",
            next_step="lower node_count or autoscaling.max_nodes, or make the reservation larger "
            "first.",
        )


def reservation_warnings(stack: Stack) -> Iterator[str]:
    """That a second generation needs room there, too, and that a reservation is of one zone."""
    for each in reserved(stack):
        for _, pool in each.pools:
            if is_in_several(pool):
                yield (
                    f"Pool {pool.name} is in several zones and takes its nodes from reservation "
                    f"{each.title} alone. A reservation is of one zone: each of "
                    f"{listed(zones_of(pool, stack))} needs one of this name, and "
                    "reservation.machines is their sum."
                )
            if pool.replacement == "surge":
                yield (
                    f"Pool {pool.name} is replaced by surge and takes its nodes from reservation "
                    f"{each.title} alone: a new generation comes only where the reservation has "
                    "room for it beside the old one."
                )


def _machine(pool: SchedulerPool | WorkerPool) -> str:
    gpus = f" with {pool.gpus_per_node} {pool.accelerator}" if pool.has_gpus else ""
    return f"{pool.machine_type}{gpus}"


def _shown(pool: GpuPool) -> str:
    return pool.reservation.name if isinstance(pool.reservation, Reservation) else ANY
