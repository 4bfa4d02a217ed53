"""Is there room for the teams' JupyterLabs, on the system pool or with a GPU beside workers?"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from daskfleet.catalog.machines import machines
from daskfleet.planning.node_room import NodeRoom, gpu_node_room
from daskfleet.planning.notebooks import Notebooks, notebooks_of, notebooks_on
from daskfleet.planning.packing import Demand, Packing, pack
from daskfleet.planning.pools import clients_per_gpu, room_on
from daskfleet.planning.resources import too_large
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.stack import Stack

SYSTEM_CPU_M = 800
SYSTEM_MEMORY_MIB = 1024
"""What Deployments of GKE's and the operator ask of the system pool, all together: two kube-dns of
260 thousandths of a core each, the rest for metrics-server, konnectivity and the operator."""


def jupyter_room_problems(stack: Stack) -> list[Problem]:
    """Pools that have no GPU for them, and pods for which there is no room on an empty node."""
    return [*_pools(stack), *_too_large(stack), *_system_pool(stack)]


def placed_beside(
    demands: Sequence[Demand], packing: Packing, *, pool: WorkerPool, room: NodeRoom, stack: Stack
) -> tuple[Packing, tuple[Problem, ...]]:
    """Place a pool's JupyterLabs where its Dask pods leave room.

    Args:
        demands: the Dask pods, for all of which there is room.
        packing: where they are without a JupyterLab beside them.
        pool: the worker pool.
        room: the room on each of its nodes.
        stack: the settings.
    """
    asking = [each for each in notebooks_on(pool, stack) if each.demand.fitting(room)]
    both = pack([*demands, *(each.demand for each in asking)], room=room, nodes=pool.max_nodes)
    if not any(both.left_over):
        return both, ()
    # A Dask pod may be what finds no place in this order: without these pods there is one for all.
    left = both.left_over[len(demands) :]
    homeless = [each for each, count in zip(asking, left, strict=True) if count]
    return packing, tuple(_beside(each, demands, pool, room) for each in homeless or asking)


def jupyter_warnings(stack: Stack) -> Iterator[str]:
    """GPUs that notebooks keep, or share."""
    for each in notebooks_of(stack):
        if each.pool is None:
            continue
        whose = f"The JupyterLab of team {each.team.name}"
        if each.jupyter.labs > 1:
            whose = f"Each of the {each.jupyter.labs} JupyterLabs of team {each.team.name}"
        if not each.pool.min_nodes:
            yield (
                f"{whose} keeps a node of pool {each.pool.name} for as long as it is declared, "
                "whether anybody works or not."
            )
        if clients_per_gpu(each.pool) > 1:
            yield (
                f"{whose} shares a GPU of pool {each.pool.name} with other pods, and time-sharing "
                "does not divide its memory: what notebooks keep there, workers lack."
            )


def _pools(stack: Stack) -> Iterator[Problem]:
    names = [pool.name for pool in stack.worker_pools if pool.has_gpus]
    on_system_pool = "leave it out: then JupyterLab runs on the system pool, without a GPU."
    for each in notebooks_of(stack):
        named = each.jupyter.worker_pool
        if named is None or named in names:
            continue
        closest = get_close_matches(named, names, n=1, cutoff=0)
        next_step = f"write {closest[0]}, or {on_system_pool}" if closest else on_system_pool
        if named == stack.scheduler_pool.name:
            reason = "This is the pool of the schedulers, whose GPUs are for them alone."
        elif each.pool is not None:
            reason = "The pool has no GPUs, and they are what a worker pool is for here."
        else:
            reason = "There is no worker pool of this name."
        yield Problem(
            key=f"{each.key}.worker_pool",
            value=named,
            reason=reason,
            allowed=listed(names) or "a worker pool with GPUs",
            next_step=next_step,
        )


def _too_large(stack: Stack) -> Iterator[Problem]:
    for each in notebooks_of(stack):
        room = room_on(each.pool, stack=stack) if each.pool else None
        if each.pool and room and not each.demand.fitting(room):
            yield too_large(each.key, each.pod, each.pool, room)


def _beside(
    each: Notebooks, demands: Sequence[Demand], pool: WorkerPool, room: NodeRoom
) -> Problem:
    count = sum(demand.count for demand in demands)
    taken = sum(demand.count * demand.slots for demand in demands)
    with_gpus = f" with {taken} GPUs" if taken != count else ""
    slots = pool.max_nodes * room.slots
    wanted = "it" if each.jupyter.labs == 1 else f"{each.jupyter.labs} JupyterLabs"
    return Problem(
        key=f"{each.key}.worker_pool",
        value=pool.name,
        reason=f"Beside {count} Dask pod{'s' * (count != 1)}{with_gpus} there is no place for "
        f"{wanted}: at its largest the pool has GPUs for {slots} pods, and each node {room.text} "
        "for pods of ours.",
        allowed="a worker pool with a GPU to spare",
        next_step=f"ask for fewer workers, give pool {pool.name} more nodes, or add a small pool "
        "for notebooks.",
    )


def _system_pool(stack: Stack) -> Iterator[Problem]:
    """Pods for which the system pool has no room at its largest."""
    pool = stack.system_pool
    room = _system_room(stack)
    asking = [each for each in notebooks_of(stack) if not each.jupyter.worker_pool]
    if room is None or not asking:
        return
    packing = pack([each.demand for each in asking], room=room, nodes=pool.max_nodes)
    for each, left in zip(asking, packing.left_over, strict=True):
        if not left:
            continue
        fits_alone = bool(each.demand.fitting(room))
        lacks = f"{left} of its {each.jupyter.labs}" if each.jupyter.labs > 1 else "this one"
        beside = f" Beside the others none is left for {lacks}." if fits_alone else ""
        nodes = f"{pool.max_nodes} node{'s' * (pool.max_nodes != 1)} of {pool.machine_type}"
        yield Problem(
            key=each.key,
            value=each.pod.size,
            reason=f"Pool {pool.name} has {nodes}, and each leaves {room.text} for pods of ours, "
            f"after what GKE and the operator take.{beside}",
            allowed=f"at most {room.text} on a node",
            next_step="ask for less, or give system_pool more nodes or a larger machine type.",
        )


def _system_room(stack: Stack) -> NodeRoom | None:
    machine = machines().get(stack.system_pool.machine_type)
    if machine is None:
        return None
    max_pods = stack.network.max_pods_per_node
    # Counted as on a GPU node, whose agents are those of any node and two more: a little too much.
    room = gpu_node_room(machine, slots=max_pods, max_pods=max_pods)
    return NodeRoom(
        cpu_m=max(0, room.cpu_m - SYSTEM_CPU_M),
        memory_mib=max(0, room.memory_mib - SYSTEM_MEMORY_MIB),
        slots=room.slots,
        pods=room.pods,
    )
