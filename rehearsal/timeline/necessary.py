"""The shortest that an `up` can be: the chain of steps that no order avoids."""

from collections.abc import Iterator, Mapping
from math import ceil

from rehearsal.emulator import Latency
from rehearsal.emulator.operations import CONCURRENT_POOL_OPERATIONS
from rehearsal.timeline.model import NecessaryStep
from rehearsal.timeline.spans import DASK_CLUSTER_OBJECT
from rehearsal.timeline.state import StateResource
from rehearsal.timeline.step_times import ResourceWork

NETWORK = "gcp:compute/network:Network"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"
CLUSTER = "gcp:container/cluster:Cluster"
NODE_POOL = "gcp:container/nodePool:NodePool"

ESTIMATE = "estimate"


def necessary_steps(
    latency: Latency, worked: Mapping[str, ResourceWork], state: Mapping[str, StateResource]
) -> tuple[NecessaryStep, ...]:
    """Return the chain for what was created, with the emulator's durations; empty with ``fast``.

    Kubernetes' own part, from a ready node to a ready pod, has no duration in the emulator: no
    image is pulled. So it is not in the chain, and its seconds here count against the `up`.
    """
    created = [
        state[urn] for urn, work in worked.items() if work.is_created and urn in state
    ]  # fmt: skip
    return tuple(step for step in _chain(latency, created, state) if step.duration_s > 0)


def _chain(
    latency: Latency, created: list[StateResource], state: Mapping[str, StateResource]
) -> Iterator[NecessaryStep]:
    types = {resource.type for resource in created}
    if NETWORK in types:
        yield NecessaryStep(
            name="network",
            duration_s=latency.compute_s,
            source=f"{ESTIMATE}: the provider's logs show 10 s to 30 s",
        )
    if SUBNETWORK in types:
        yield NecessaryStep(
            name="subnetwork, in the network",
            duration_s=latency.compute_s,
            source=f"{ESTIMATE}: the provider's logs show 10 s to 30 s",
        )
    if CLUSTER in types:
        yield NecessaryStep(
            name="cluster, in the subnetwork",
            duration_s=latency.cluster_create_s,
            source="about 5 min with a pool of GPU nodes: HAMi's lab on GKE 1.35.7, August 2026",
        )
        yield NecessaryStep(
            name="removal of the default pool, by the provider as part of the cluster",
            duration_s=latency.node_delete_s,
            source=f"{ESTIMATE}: no published figure found",
        )
    boot = "2 min 34 s from the pool to its GPUs, driver included: HAMi's lab, August 2026"
    booting = sum(r.type == NODE_POOL and _first_nodes(r) > 0 for r in created)
    if booting:
        waves = ceil(booting / CONCURRENT_POOL_OPERATIONS)
        yield NecessaryStep(
            name=f"node pools, {CONCURRENT_POOL_OPERATIONS} at a time",
            duration_s=waves * latency.node_boot_s,
            source=boot,
        )
    if _has_pool_from_zero(created, state):
        yield NecessaryStep(
            name="nodes of a pool that begins at zero, when a team's pods ask for them",
            duration_s=latency.node_boot_s,
            source=boot,
        )


def _has_pool_from_zero(created: list[StateResource], state: Mapping[str, StateResource]) -> bool:
    """Tell whether a new Dask cluster needs a pool that boots its first node for the pods.

    Those pods exist only when the operator runs, and the operator needs a node of its own pool: so
    this boot cannot be beside that of the other pools.
    """
    from_zero = {
        urn
        for urn, resource in state.items()
        if resource.type == NODE_POOL and not _first_nodes(resource)
    }
    return any(
        from_zero & set(resource.needs)
        for resource in created
        if resource.type == DASK_CLUSTER_OBJECT
    )


def _first_nodes(pool: StateResource) -> int:
    """Nodes, per zone, that a pool is created with."""
    return int(pool.inputs.get("nodeCount") or pool.inputs.get("initialNodeCount") or 0)
