"""What a reservation costs: the same whether nodes use its machines or not.

Google charges the machines of a reservation at the rates of running ones for as long as it exists,
commitments included, and a machine that uses one costs nothing besides (cloud.google.com/compute,
"Reservations of Compute Engine zonal resources"). Boot disks are no part of it. What nobody uses of
another project's reservation is that project's.
"""

from collections.abc import Iterator

from daskfleet.planning.cost_lines import CostLine
from daskfleet.planning.reservations import Reserved, reserved
from daskfleet.planning.tariff import Tariff, reserved_machine
from daskfleet.settings.pools import GpuPool, Pool
from daskfleet.settings.reservations import ANY
from daskfleet.settings.stack import Stack


def reservations_paid(stack: Stack) -> tuple[Reserved, ...]:
    """The reservations that this project pays for, used or not."""
    return tuple(each for each in reserved(stack) if each.is_own)


def is_paid_unused(pool: Pool, stack: Stack) -> bool:
    """Whether the machines of a pool are paid for although there is no node on them."""
    paid = (other.name for each in reservations_paid(stack) for _, other in each.pools)
    return isinstance(pool, GpuPool) and pool.name in paid


def reservation_lines(stack: Stack, tariff: Tariff) -> Iterator[CostLine]:
    """The machines of reservations on which there is no node.

    Without the size of a reservation those of its pools are counted, and the rest is unknown.
    """
    for each in reservations_paid(stack):
        _, first = each.pools[0]
        pool = first.name if len(each.pools) == 1 else ""
        fewest = sum(pool.min_nodes for _, pool in each.pools)
        machines = each.machines or each.most_nodes
        yield CostLine(
            item=item_of(each),
            usd_per_hour_each=reserved_machine(first, tariff),
            idle=machines - fewest,
            full=machines - each.most_nodes,
            pool=pool,
        )
        if each.machines is None:
            tariff.unknown.add(f"further machines of reservation {each.title} (set its machines)")
            yield CostLine(
                item=f"further machines of reservation {each.title}",
                usd_per_hour_each=None,
                idle=1,
                full=1,
                pool=pool,
            )
        if stack.committed_use and (saved := tariff.committed(first, stack.committed_use)):
            yield CostLine(
                item=f"reservation {each.title}: committed use",
                usd_per_hour_each=-saved,
                idle=machines,
                full=machines,
                pool=pool,
            )


def item_of(each: Reserved) -> str:
    """What the line of a reservation's unused machines is called."""
    return f"reservation {each.title}: machines without a node"


def reservation_notes(stack: Stack) -> Iterator[str]:
    """Whose the bill is, and what of it is not known."""
    for each in reserved(stack):
        if not each.is_own:
            yield (
                f"What nobody uses of reservation {each.title} is that project's to pay, and not "
                "counted here."
            )
            continue
        yield (
            f"Reservation {each.title} is paid for whether nodes use it or not: a smaller pool on "
            "it costs no less."
        )
        if each.machines is None:
            yield (
                f"How many machines reservation {each.title} has, reservation.machines does not "
                "say: what is beyond its pools is unknown, and sums are at least."
            )
    for pool in (stack.scheduler_pool, *stack.worker_pools):
        if pool.reservation == ANY:
            yield (
                f"Pool {pool.name} uses any reservation that matches. Reservations are paid for "
                "whether nodes use them or not; none of them is counted here."
            )
