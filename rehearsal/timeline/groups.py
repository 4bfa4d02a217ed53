"""Names of what a resource belongs to, in the words of a person who watches an `up`."""

from collections.abc import Mapping

from rehearsal.timeline.state import StateResource

COMPONENTS = {
    "daskfleet:gke:Network": "network",
    "daskfleet:gke:NodeServiceAccount": "node account",
    "daskfleet:gke:GkeCluster": "cluster",
    "daskfleet:gke:NodePool": "pool {name}",
    "daskfleet:gke:NvidiaDriver": "driver",
    "daskfleet:gke:ImagePrepull": "image prepull",
    "daskfleet:dask:DaskOperator": "operator",
    "daskfleet:dask:OperatorRights": "operator",
    "daskfleet:dask:Team": "team {name}",
    "daskfleet:dask:TeamMonitoring": "team {name}",
    "daskfleet:dask:TeamNotice": "team {name}",
    "daskfleet:dask:DaskCluster": "team {name}",
    "daskfleet:dask:DaskAutoscaler": "team {name}",
    "daskfleet:dask:EphemeralClusters": "team {name}",
    "daskfleet:dask:Jupyter": "team {name}",
    "daskfleet:gke:TeamBuckets": "team {name}",
}
"""By the type of the component around a resource; ``{name}`` is the component's own."""

OTHERS = "other resources"


def group_of(urn: str, state: Mapping[str, StateResource]) -> str:
    """Return the group of a resource: that of the nearest component with one."""
    resource = state.get(urn)
    while resource is not None:
        if resource.type in COMPONENTS:
            return COMPONENTS[resource.type].format(name=resource.name)
        resource = state.get(resource.parent)
    return OTHERS
