"""Chains of pools: what they cannot be, and in which order their pools really grow.

Kubernetes' scheduler follows the order among nodes that exist. Where none has room the cluster
autoscaler chooses the pool, and reads no preference (kubernetes/autoscaler#2804): GKE's takes the
least expensive pool that can be had, spot at its reduced price
(cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler, "Operating criteria").
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from daskfleet.planning.chain_cost import steps_of
from daskfleet.planning.pools import room_on, worker_chain_of
from daskfleet.planning.resources import GroupRequest
from daskfleet.planning.tariff import Tariff
from daskfleet.planning.teams import all_groups
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.reservations import NONE
from daskfleet.settings.stack import Stack


def chain_problems(stack: Stack) -> Iterator[Problem]:
    """Chains on which a worker would be now one thing and now another."""
    for key, team, group in all_groups(stack):
        chain = worker_chain_of(team, stack, group=group)
        names = [pool.name for pool in chain]
        without = [pool.name for pool in chain if not pool.has_gpus]
        if without and len(without) < len(chain):
            yield Problem(
                key=f"{key}.pool" if group else f"{key}.worker_pool",
                value=", ".join(names),
                reason=f"{listed(without)} has no GPUs and the others have: a pod asks for a GPU, "
                "or for none, before it is known where it runs.",
                allowed="pools that all have GPUs, or none of which has",
                next_step="remove the pools of one kind; a group of its own may have them.",
            )
        if len(chain) > 1 and group is None and team.scheduler.fallback == "worker-pool":
            yield Problem(
                key=f"{key}.scheduler.fallback",
                value=team.scheduler.fallback,
                reason="The workers have a chain of pools. A scheduler that falls back keeps the "
                "GPU that it took, and would be lost with a spot node or hold back the pool that "
                "is wanted most.",
                allowed="none, or worker-pool with one worker pool",
                next_step="remove the key, or name one worker pool.",
            )


def chain_warnings(stack: Stack, requests: Sequence[GroupRequest]) -> Iterator[str]:
    """What a chain does otherwise than its reader may think."""
    tariff = Tariff(stack)
    for request in requests:
        if request.fallbacks:
            yield from _differences(request)
            yield from _fixed_sizes(request)
            yield from _order(request, stack, tariff)
            yield from _without_the_first(request, stack)


def _differences(request: GroupRequest) -> Iterator[str]:
    kinds = {_kind(pool): pool.name for pool in reversed(request.chain)}
    if len(kinds) > 1:
        yield (
            f"{request.owner}: {_names(request)} are not the same to a worker ("
            f"{'; '.join(dict.fromkeys(_kind(pool) for pool in request.chain))}). Its memory and "
            "speed depend on where it comes up, and one Dask cluster may have both: set what "
            "workers keep in GPU memory for the smallest."
        )


def _kind(pool: WorkerPool) -> str:
    if not pool.has_gpus:
        return pool.machine_type
    parts = f" in partitions of {pool.gpu_partition_size}" if pool.gpu_partition_size else ""
    shared = f", {pool.workers_per_gpu} workers each" if pool.workers_per_gpu > 1 else ""
    return f"{pool.accelerator}{parts}{shared}"


def _fixed_sizes(request: GroupRequest) -> Iterator[str]:
    """Pools whose nodes have to be there: an `up` waits for them, and fails where none are."""
    waited_for = [pool for pool in request.chain if pool.min_nodes]
    if waited_for:
        yield (
            f"{request.owner}: `pulumi up` waits for the nodes of "
            f"{listed([pool.name for pool in waited_for])}, and fails where the zone has none, "
            "although another pool of the chain could carry the workers. With autoscaling: "
            "{min_nodes: 0, ...} a pool comes up without machines, and never fails for want of "
            "them; keep a minimum where a reservation holds the machines."
        )


def _order(request: GroupRequest, stack: Stack, tariff: Tariff) -> Iterator[str]:
    """Steps that the autoscaler takes in another order than the chain has them.

    Those with a reservation have no price that counts: of one's own project the unused machines
    are taken first, and which comes first of another project's nobody says (decision 0056).
    """
    growing = {
        pool.name
        for pool in request.chain
        if pool.min_nodes < pool.max_nodes and pool.reservation in (None, NONE)
    }
    priced = [
        (step.pool, usd)
        for step in steps_of(request, stack=stack, tariff=tariff)
        if step.pool in growing and (usd := step.usd_per_worker_hour) is not None
    ]
    for (before, dearer), (after, cheaper) in pairwise(priced):
        if dearer > cheaper:
            yield (
                f"{request.owner}: {before} is preferred to {after}, but GKE's autoscaler grows "
                f"the cheaper first: {after} at {cheaper:.2f} USD per hour and worker, then "
                f"{before} at {dearer:.2f}. Nodes that exist are taken in the chain's order: give "
                f"{before} a minimum, or put {after} first."
            )
            return


def _without_the_first(request: GroupRequest, stack: Stack) -> Iterator[str]:
    """Workers that stay without a node while the preferred pool is out of stock."""
    wanted = request.workers.count
    rest = sum(
        pool.max_nodes * request.workers.fitting(room)
        for pool in request.fallbacks
        if (room := room_on(pool, stack=stack))
    )
    if rest < wanted:
        yield (
            f"{request.owner}: while {request.pool.name} is out of stock, the rest of the chain "
            f"has room for {rest} of {wanted} workers at most."
        )


def _names(request: GroupRequest) -> str:
    return listed([pool.name for pool in request.chain])
