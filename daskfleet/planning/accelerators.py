"""GPUs: do the zones have them, do the machine types carry them?"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from daskfleet.catalog.accelerators import accelerators, attach_limits, gpus_in, zones
from daskfleet.catalog.machines import TYPE_NAME, Machine, machines
from daskfleet.planning.pool_zones import zones_of
from daskfleet.planning.pools import gpu_pools
from daskfleet.settings.pools import GpuPool, Pool
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack

ATTACHABLE_FAMILY = "n1-"
"""GPUs can be attached to N1 machines only (cloud.google.com/compute/docs/gpus)."""


def accelerator_problems(stack: Stack) -> list[Problem]:
    """Unknown or impossible machine types and GPUs, and zones without them."""
    problems = [
        problem for key, pool in gpu_pools(stack) for problem in _pool_problems(key, pool, stack)
    ]
    return [*_system_pool(stack), *problems, *_zone(stack)]


def _system_pool(stack: Stack) -> Iterator[Problem]:
    """Refuse what is no machine type; one that only the catalog does not know has no price."""
    machine = machines().get(stack.system_pool.machine_type)
    if machine is None:
        if not TYPE_NAME.fullmatch(stack.system_pool.machine_type):
            yield unknown_machine(
                "system_pool",
                stack.system_pool,
                (each.name for each in machines().values() if not each.accelerator),
            )
    elif machine.accelerator is not None:
        yield Problem(
            key="system_pool.machine_type",
            value=machine.name,
            reason=f"This type always carries {machine.accelerator_count} x {machine.accelerator}, "
            "and nothing in the system pool uses a GPU.",
            allowed="a machine type without GPUs, such as e2-standard-4",
            next_step="choose one of those.",
        )


def _pool_problems(key: str, pool: GpuPool, stack: Stack) -> Iterator[Problem]:
    gpu = accelerators().get(pool.accelerator)
    if gpu is None:
        closest = get_close_matches(pool.accelerator, accelerators(), n=1, cutoff=0.3)
        yield Problem(
            key=f"{key}.accelerator",
            value=pool.accelerator,
            reason="GKE has no accelerator of this name, or the catalog does not know it.",
            allowed=", ".join(accelerators()),
            next_step=f"write {closest[0]} if that is what was meant."
            if closest
            else "choose one of those.",
        )
    machine = machines().get(pool.machine_type)
    if machine is None:
        yield unknown_machine(key, pool, _carrying(pool))
        return
    if stack.region not in machine.regions and pool.accelerator in _in_zones(pool, stack):
        yield Problem(
            key=f"{key}.machine_type",
            value=pool.machine_type,
            reason=f"Google does not offer this type in {stack.region}.",
            allowed=f"this type in {', '.join(machine.regions)}",
            next_step="choose another type, or move the stack to one of those regions.",
        )
    if gpu is not None:
        yield from (
            _fixed(key, pool, machine) if machine.accelerator else _attached(key, pool, machine)
        )


def _carrying(pool: GpuPool) -> Iterator[str]:
    """Machine types that have, or take, a pool's GPUs."""
    for machine in machines().values():
        takes = not machine.accelerator
        if machine.accelerator == pool.accelerator or (
            takes and (pool.accelerator, pool.gpus_per_node) in attach_limits()
        ):
            yield machine.name


def unknown_machine(key: str, pool: Pool, fitting: Iterable[str]) -> Problem:
    """A machine type that the catalog does not know, with those that would do; else all."""
    return Problem(
        key=f"{key}.machine_type",
        value=pool.machine_type,
        reason="The catalog does not know this machine type, so what fits on it is unknown.",
        allowed=", ".join(fitting) or ", ".join(machines()),
        next_step="choose one of those, or add the type with its source to "
        "daskfleet/catalog/data/machines.csv.",
    )


def _fixed(key: str, pool: GpuPool, machine: Machine) -> Iterator[Problem]:
    carries = f"{machine.name} always carries {machine.accelerator_count} x {machine.accelerator}."
    if pool.accelerator != machine.accelerator:
        yield Problem(
            key=f"{key}.accelerator",
            value=pool.accelerator,
            reason=carries,
            allowed=str(machine.accelerator),
            next_step=f"write {machine.accelerator}, or choose a machine type for "
            f"{pool.accelerator}.",
        )
    if pool.gpus_per_node != machine.accelerator_count:
        same_gpu = ", ".join(
            f"{other.name} ({other.accelerator_count})"
            for other in machines().values()
            if other.accelerator == pool.accelerator
        )
        yield Problem(
            key=f"{key}.gpus_per_node",
            value=str(pool.gpus_per_node),
            reason=carries,
            allowed=f"{machine.accelerator_count}; GPUs by machine type: {same_gpu or 'none'}",
            next_step=f"write {machine.accelerator_count}, or choose the machine type that has "
            f"{pool.gpus_per_node}.",
        )


def _attached(key: str, pool: GpuPool, machine: Machine) -> Iterator[Problem]:
    counts = [count for name, count in attach_limits() if name == pool.accelerator]
    limit = attach_limits().get((pool.accelerator, pool.gpus_per_node))
    if not machine.name.startswith(ATTACHABLE_FAMILY) or not counts:
        built_in = [m.name for m in machines().values() if m.accelerator == pool.accelerator]
        yield Problem(
            key=f"{key}.machine_type",
            value=machine.name,
            reason=f"{pool.accelerator} cannot be attached to {machine.name}.",
            allowed=", ".join(built_in) if not counts else "n1 machine types",
            next_step="choose one of those, or another accelerator.",
        )
    elif limit is None:
        yield Problem(
            key=f"{key}.gpus_per_node",
            value=str(pool.gpus_per_node),
            reason=f"Google does not attach so many {pool.accelerator} to one machine.",
            allowed=", ".join(map(str, counts)),
            next_step="choose one of those, and more nodes where more GPUs are needed.",
        )
    elif machine.vcpus > limit.max_vcpus or machine.memory_gib > limit.max_memory_gib:
        yield Problem(
            key=f"{key}.machine_type",
            value=machine.name,
            reason=f"It is too large for {limit.count} x {pool.accelerator}.",
            allowed=f"at most {limit.max_vcpus} vCPUs and {limit.max_memory_gib:g} GiB",
            next_step="choose a smaller type, or more GPUs per node.",
        )


def _in_zones(pool: GpuPool, stack: Stack) -> set[str]:
    """GPUs of any of a pool's zones."""
    return {name for zone in zones_of(pool, stack) for name in gpus_in(zone)}


def _zone(stack: Stack) -> Iterator[Problem]:
    """Judge the one zone of all nodes; pools that name their own are judged in ``zones``."""
    here = [(key, pool) for key, pool in gpu_pools(stack) if pool.zones is None]
    needed = {pool.accelerator for _, pool in here} & accelerators().keys()
    missing = sorted(needed - {name for _, pool in here for name in _in_zones(pool, stack)})
    if not missing:
        return
    complete = [zone for zone in zones() if needed <= gpus_in(zone)]
    users = ", ".join(key for key, pool in here if pool.accelerator in missing)
    yield Problem(
        key="node_zone" if stack.node_zone else "location",
        value=stack.zone,
        reason=f"This zone has no {' and no '.join(missing)}, which {users} needs.",
        allowed=f"zones with {' and '.join(sorted(needed))}: {', '.join(complete) or 'none'}",
        next_step="choose one of those zones, or another accelerator.",
    )
