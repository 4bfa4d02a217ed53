"""Pure: a reservation in a zone, its machines in words, and the commands that make and show it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from daskfleet.catalog.machines import machines
from daskfleet.planning.pool_zones import zones_of
from daskfleet.planning.reservations import Reserved
from daskfleet.platform.doctor.answers import NodeAccelerator
from daskfleet.settings.pools import SchedulerPool, WorkerPool
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class ReservedInZone(Reserved):
    """A reservation of one zone, and the pools that have nodes there.

    Google keeps machines in one zone: a pool in several names as many reservations of one name.
    """

    zone: str

    @property
    def most_nodes(self) -> int:
        """Nodes there of all its pools at their largest."""
        return sum(part_in_zone(pool.max_nodes, pool) for _, pool in self.pools)


def in_zones(each: Reserved, stack: Stack) -> Iterator[ReservedInZone]:
    """What pools take for one reservation, zone by zone."""
    zones = list(dict.fromkeys(zone for _, pool in each.pools for zone in zones_of(pool, stack)))
    for zone in zones:
        yield ReservedInZone(
            name=each.name,
            project=each.project,
            is_own=each.is_own,
            # Of several, the stack file has the sum.
            machines=each.machines if len(zones) == 1 else None,
            pools=tuple((key, pool) for key, pool in each.pools if zone in zones_of(pool, stack)),
            zone=zone,
        )


def part_in_zone(nodes: int, pool: SchedulerPool | WorkerPool) -> int:
    """How many of a pool's nodes are in each zone, if they are shared out evenly."""
    return -(-nodes // len(pool.zones or (None,)))


def machine_of(pool: SchedulerPool | WorkerPool) -> str:
    """What a pool's nodes are."""
    return spelt(pool.machine_type, gpus_of(pool))


def spelt(machine_type: str, gpus: Mapping[str, int] | None) -> str:
    """A machine with its GPUs in words."""
    with_gpus = [f"{count} {name}" for name, count in (gpus or {}).items()]
    return " with ".join((machine_type, *with_gpus))


def gpus_of(pool: SchedulerPool | WorkerPool) -> dict[str, int] | None:
    """How many of which GPU each node of a pool has."""
    return {pool.accelerator: pool.gpus_per_node} if pool.has_gpus else None


def gpus_in(accelerators: Collection[NodeAccelerator]) -> dict[str, int] | None:
    """The same of what a reservation says; None where it says nothing."""
    found = {e.accelerator_type.rpartition("/")[2]: e.accelerator_count for e in accelerators}
    return found or None


def has_them_built_in(pool: SchedulerPool | WorkerPool) -> bool:
    """A reservation need not name what its machine type always has."""
    machine = machines().get(pool.machine_type)
    return bool(machine and machine.accelerator)


def create(each: ReservedInZone, pool: SchedulerPool | WorkerPool, stack: Stack) -> str:
    """Return the command that makes a reservation."""
    gpus = (
        f"--accelerator=type={pool.accelerator},count={pool.gpus_per_node} "
        if pool.has_gpus and not has_them_built_in(pool)
        else ""
    )
    shared = "" if each.is_own else f" --share-setting=projects --share-with={stack.project}"
    return (
        f"gcloud compute reservations create {each.name} --project={each.project} "
        f"--zone={each.zone} --machine-type={pool.machine_type} {gpus}"
        f"--vm-count={each.most_nodes} --require-specific-reservation{shared}"
    )


def describe(each: ReservedInZone) -> str:
    """Return the command that shows one."""
    return (
        f"gcloud compute reservations describe {each.name} --project={each.project} "
        f"--zone={each.zone}"
    )
