"""A small `up`: a network, a cluster, two pools and a team, as the engine and its state have it."""

import json
from typing import Any

from rehearsal.timeline.step_times import StepTimes

PREFIX = "urn:pulumi:s::p::"

NETWORK = PREFIX + "gcp:compute/network:Network::vpc"
SUBNETWORK = PREFIX + "gcp:compute/subnetwork:Subnetwork::nodes"
CLUSTER = PREFIX + "gcp:container/cluster:Cluster::control-plane"
FIXED_POOL = PREFIX + "gcp:container/nodePool:NodePool::fixed-nodes"
POOL_FROM_ZERO = PREFIX + "gcp:container/nodePool:NodePool::auto-nodes"
KUBERNETES = PREFIX + "pulumi:providers:kubernetes::inside"
OPERATOR = PREFIX + "kubernetes:helm.sh/v3:Release::operator"
DASK = PREFIX + "kubernetes:kubernetes.dask.org/v1:DaskCluster::climate"
ADDRESS = PREFIX + "kubernetes:core/v1:Service::address"

NETWORK_PART = PREFIX + "daskfleet:gke:Network::network"
CLUSTER_PART = PREFIX + "daskfleet:gke:GkeCluster::cluster"
FIXED_PART = PREFIX + "daskfleet:gke:NodePool::fixed"
AUTO_PART = PREFIX + "daskfleet:gke:NodePool::auto"
OPERATOR_PART = PREFIX + "daskfleet:dask:DaskOperator::dask"
TEAM_PART = PREFIX + "daskfleet:dask:DaskCluster::climate"

TIMES = {
    NETWORK: (1.0, 3.0),
    SUBNETWORK: (3.0, 5.0),
    CLUSTER: (5.0, 41.0),
    FIXED_POOL: (41.0, 56.0),
    POOL_FROM_ZERO: (41.0, 41.5),
    OPERATOR: (41.2, 44.0),
    DASK: (56.0, 56.5),
    ADDRESS: (60.0, 60.2),
}
"""Seconds; between the Dask cluster and its address lies the wait for its pods."""


def step_times(*, only: tuple[str, ...] = (), operation: str = "create") -> StepTimes:
    """Return the steps of the whole `up`, or of some resources."""
    times = StepTimes()
    for urn, (begin_s, end_s) in TIMES.items():
        if not only or urn in only:
            times.began(urn, at_s=begin_s)
            name = urn.rpartition("::")[2]
            times.ended(urn, name=name, operation=operation, at_s=end_s)
    return times


def resource(urn: str, parent: str = "", *, needs: tuple[str, ...] = (), **rest: Any) -> Any:
    """Return a resource of an exported state."""
    kind = urn.split("::")[2]
    return {"urn": urn, "type": kind, "parent": parent, "dependencies": list(needs), **rest}


def exported_state(**auto_pool_inputs: Any) -> str:
    """Return the state after the `up`, as it is exported."""
    inside: dict[str, Any] = {"provider": f"{KUBERNETES}::an-id"}
    resources = [
        *(
            resource(urn)
            for urn in (
                NETWORK_PART,
                CLUSTER_PART,
                FIXED_PART,
                AUTO_PART,
                OPERATOR_PART,
                TEAM_PART,
            )
        ),
        resource(NETWORK, NETWORK_PART),
        resource(SUBNETWORK, NETWORK_PART, propertyDependencies={"network": [NETWORK]}),
        resource(CLUSTER, CLUSTER_PART, needs=(SUBNETWORK,)),
        resource(FIXED_POOL, FIXED_PART, needs=(CLUSTER,), inputs={"nodeCount": 1}),
        resource(POOL_FROM_ZERO, AUTO_PART, needs=(CLUSTER,), inputs=auto_pool_inputs),
        resource(KUBERNETES, propertyDependencies={"kubeconfig": [CLUSTER]}),
        resource(OPERATOR, OPERATOR_PART, **inside),
        resource(DASK, TEAM_PART, needs=(FIXED_POOL, POOL_FROM_ZERO, OPERATOR), **inside),
        resource(ADDRESS, TEAM_PART, propertyDependencies={"spec": [DASK]}, **inside),
    ]
    return json.dumps({"version": 3, "deployment": {"resources": resources}})
