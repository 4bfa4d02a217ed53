"""Nodes and pods as the API server answers them."""

from typing import Any

PLUGINS_CONDITION = {
    "lastHeartbeatTime": "2025-06-23T18:58:44Z",
    "lastTransitionTime": "2025-06-23T18:44:57Z",
    "message": "6e43a052-e544-467b-a972-63d7cd2ce80a",
    "reason": '{"79":true}',
    "status": "True",
    "type": "XidCriticalError",
}
"""Of a real node of GKE, which had XID 31 for a trial (container-engine-accelerators, pull request
497, 2025-06-23)."""


def node(name: str = "gke-a100-1", *, gpus: int = 2, usable: int | None = None) -> dict[str, Any]:
    """Return a healthy node."""
    amounts = {"cpu": "24", "nvidia.com/gpu": str(gpus)}
    left = amounts | {"nvidia.com/gpu": str(gpus if usable is None else usable)}
    return {
        "metadata": {"name": name, "resourceVersion": "7", "labels": {}},
        "spec": {},
        "status": {
            "capacity": amounts,
            "allocatable": left,
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        },
    }


def sick(name: str = "gke-a100-1", *, reason: str = '{"79":true}') -> dict[str, Any]:
    """Return a node of which the plugin says so."""
    ill = node(name)
    ill["status"]["conditions"].append(PLUGINS_CONDITION | {"reason": reason})
    return ill


def taken(document: dict[str, Any], *, since: str, cordoned: bool = True) -> dict[str, Any]:
    """Return it as the controller leaves it."""
    notes = {"health.daskfleet/drained-since": since, "health.daskfleet/why": "XID 79"}
    document["metadata"]["annotations"] = notes
    document["spec"]["unschedulable"] = cordoned
    return document


def worker(name: str, *, on: str) -> dict[str, Any]:
    """Return the pod of a Dask worker of team fraud."""
    labels = {"dask.org/cluster-name": "fraud", "dask.org/component": "worker"}
    variables = [{"name": "DASK_WORKER_NAME", "value": name}]
    return {
        "metadata": {
            "name": f"{name}-5d8c-x2x",
            "namespace": "fraud",
            "uid": f"uid-of-{name}",
            "labels": labels,
        },
        "spec": {"nodeName": on, "containers": [{"name": "worker", "env": variables}]},
        "status": {"phase": "Running"},
    }
