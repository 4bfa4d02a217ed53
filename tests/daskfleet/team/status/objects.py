"""Objects of a team's namespace, in the shapes that Kubernetes gives them."""

from datetime import UTC, datetime
from typing import Any

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.assess import assess
from daskfleet.team.status.model import Report
from daskfleet.team.status.observed import Observed

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)

TEAM = DeclaredTeam(
    namespace="fraud",
    dask_cluster="fraud",
    address="tcp://dask.fraud.svc.cluster.local:8786",
    dashboard="http://dask.fraud.svc.cluster.local:8787/status",
    image=IMAGE,
    rapids="26.10",
    cuda=12,
    workers=2,
    worker_pool="a100",
    scheduler_pool="scheduler-pool",
)


def pod(
    name: str,
    role: str = "worker",
    *,
    cluster: str = "fraud",
    ready: bool = True,
    unscheduled: str | None = None,
    phase: str = "Running",
    image: str = IMAGE,
    memory: str = "70Gi",
    state: dict[str, Any] | None = None,
    last_state: dict[str, Any] | None = None,
    restarts: int = 0,
    status: dict[str, Any] | None = None,
) -> KubernetesObject:
    """A pod of a Dask cluster; ``unscheduled`` is kube-scheduler's reason why it has no node."""
    conditions: list[dict[str, Any]] = [{"type": "PodScheduled", "status": "True"}]
    if unscheduled:
        conditions = [
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "Unschedulable",
                "message": unscheduled,
            }
        ]
    conditions.append({"type": "Ready", "status": str(ready and not unscheduled)})
    container = {
        "name": role,
        "restartCount": restarts,
        "state": state or {"running": {"startedAt": "2026-11-23T08:00:10Z"}},
        "lastState": last_state or {},
    }
    labels = {"dask.org/cluster-name": cluster, "dask.org/component": role}
    if role == "worker":
        labels["dask.org/workergroup-name"] = f"{cluster}-default"
    return {
        "metadata": {
            "name": name,
            "namespace": "fraud",
            "labels": labels,
            "creationTimestamp": "2026-11-23T08:00:00Z",
        },
        "spec": {
            **({} if unscheduled else {"nodeName": "gke-a100-1"}),
            "containers": [
                {"name": role, "image": image, "resources": {"limits": {"memory": memory}}}
            ],
        },
        "status": {
            "phase": "Pending" if unscheduled else phase,
            "conditions": conditions,
            **({} if unscheduled else {"containerStatuses": [container]}),
            **(status or {}),
        },
    }


def event(
    about: str,
    reason: str,
    message: str,
    *,
    kind: str = "Pod",
    of_type: str = "Warning",
    at: str = "2026-11-23T08:50:00Z",
) -> KubernetesObject:
    """An event of the namespace."""
    return {
        "involvedObject": {"kind": kind, "name": about, "namespace": "fraud"},
        "type": of_type,
        "reason": reason,
        "message": message,
        "lastTimestamp": at,
    }


def group(
    name: str = "fraud-default", replicas: int = 2, *, cluster: str = "fraud", **annotations: str
) -> KubernetesObject:
    """A DaskWorkerGroup, as the operator makes it."""
    return {
        "metadata": {
            "name": name,
            "labels": {"dask.org/cluster-name": cluster},
            "annotations": {f"idle.daskfleet/{key}": each for key, each in annotations.items()},
        },
        "spec": {"cluster": cluster, "worker": {"replicas": replicas}},
    }


def cluster(name: str = "fraud") -> KubernetesObject:
    """A DaskCluster."""
    return {"metadata": {"name": name}, "status": {"phase": "Pending"}}


HEALTHY = (pod("fraud-scheduler-1", "scheduler"), pod("w-1"), pod("w-2"))


def observed(*pods: KubernetesObject, **changes: Any) -> Observed:
    """What was read, of a fixed cluster whose objects are all there."""
    whole: dict[str, Any] = {"clusters": (cluster(),), "groups": (group(),), **changes}
    return Observed(pods=pods, **whole)


def report_of(*pods: KubernetesObject, team: DeclaredTeam = TEAM, **changes: Any) -> Report:
    """The report about that."""
    return assess(team, observed(*pods, **changes), name="fraud", stack="prod", at=NOW)
