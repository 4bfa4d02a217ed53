"""Pure: the machines of a reservation in words, and the commands that make and show one."""

from collections.abc import Collection, Mapping

from daskfleet.catalog.machines import machines
from daskfleet.planning.reservations import Reserved
from daskfleet.platform.doctor.answers import NodeAccelerator
from daskfleet.settings.pools import SchedulerPool, WorkerPool
from daskfleet.settings.stack import Stack


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
    """What a machine type always has, a reservation of it need not say."""
    machine = machines().get(pool.machine_type)
    return bool(machine and machine.accelerator)


def create(each: Reserved, pool: SchedulerPool | WorkerPool, stack: Stack) -> str:
    """Return the command that makes a reservation."""
    gpus = (
        f"--accelerator=type={pool.accelerator},count={pool.gpus_per_node} "
        if pool.has_gpus and not has_them_built_in(pool)
        else ""
    )
    shared = "" if each.is_own else f" --share-setting=projects --share-with={stack.project}"
    return (
        f"gcloud compute reservations create {each.name} --project={each.project} "
        f"--zone={stack.zone} --machine-type={pool.machine_type} {gpus}"
        f"--vm-count={each.most_nodes} --require-specific-reservation{shared}"
    )


def describe(each: Reserved, stack: Stack) -> str:
    """Return the command that shows one."""
    return (
        f"gcloud compute reservations describe {each.name} --project={each.project} "
        f"--zone={stack.zone}"
    )
