"""What a chain's workers cost on each of its pools, and at the worst."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from daskfleet.planning.pools import room_on
from daskfleet.planning.reservation_cost import is_paid_unused
from daskfleet.planning.resources import GroupRequest
from daskfleet.planning.tariff import Tariff, reserved_machine
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class StepCost:
    """One pool of a chain; list prices, in US dollars."""

    pool: str
    usd_per_node_hour: float | None
    """What a node more costs: its disk alone on a reservation, which is paid for anyway. None:
    nobody knows."""

    is_reserved: bool = False

    workers_per_node: int
    most_workers: int
    """With the pool at its largest and nobody else on it."""

    @property
    def usd_per_worker_hour(self) -> float | None:
        """One worker's part of its node."""
        usd = self.usd_per_node_hour
        return None if usd is None else usd / self.workers_per_node


def steps_of(request: GroupRequest, *, stack: Stack, tariff: Tariff) -> tuple[StepCost, ...]:
    """Each pool of a chain that can carry one of the workers."""
    return tuple(
        StepCost(
            pool=pool.name,
            usd_per_node_hour=_usd_of_node(pool, stack, tariff),
            is_reserved=is_paid_unused(pool, stack),
            workers_per_node=each,
            most_workers=each * pool.max_nodes,
        )
        for pool in request.chain
        if (room := room_on(pool, stack=stack)) and (each := request.workers.fitting(room))
    )


def _usd_of_node(pool: WorkerPool, stack: Stack, tariff: Tariff) -> float | None:
    usd = tariff.node(pool)
    paid = reserved_machine(pool, tariff) if is_paid_unused(pool, stack) else 0
    return None if usd is None or paid is None else usd - paid


def usd_per_hour(steps: Sequence[StepCost], workers: int) -> float | None:
    """All workers, with the pools filled in this order; None where a price is missing.

    Whole nodes: a worker that is alone on one pays all of it.
    """
    usd, left = 0.0, workers
    for step in steps:
        here = min(left, step.most_workers)
        if here and step.usd_per_node_hour is None:
            return None
        usd += -(-here // step.workers_per_node) * (step.usd_per_node_hour or 0)
        left -= here
    return usd


def chain_notes(requests: Sequence[GroupRequest], *, stack: Stack, tariff: Tariff) -> Iterator[str]:
    """Each step of each chain, and what its workers cost at the worst."""
    for request in requests:
        if not request.fallbacks:
            continue
        steps = steps_of(request, stack=stack, tariff=tariff)
        each = ", ".join(
            f"{step.pool} {_amount(step.usd_per_worker_hour)}"
            + (" beside its reservation" if step.is_reserved else "")
            for step in steps
        )
        count = request.workers.count
        wanted = usd_per_hour(steps, count)
        dearest = sorted(steps, key=lambda step: -(step.usd_per_worker_hour or 0))
        worst = None if any(step.usd_per_node_hour is None for step in steps) else dearest
        most = usd_per_hour(worst, count) if worst else None
        yield (
            f"{request.owner}, USD per hour and worker: {each}. All {count} workers: "
            f"{_amount(wanted)} with the preferred pools first, {_amount(most)} at the worst."
        )


def _amount(usd: float | None) -> str:
    return "unknown" if usd is None else f"{usd:,.2f}"
