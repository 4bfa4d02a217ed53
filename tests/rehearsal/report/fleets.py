"""A small fleet as the report sees it, in order and out of order."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.process import ProcessRecord
from rehearsal.report.declared import DeclaredFleet
from rehearsal.report.fleet_state import Node, Pod
from rehearsal.supervisor.record import ClusterRecord, OperatorRecord

IMAGE = "rapids:26.10"
DRIVER = "580.126.20"

FLEET = DeclaredFleet.model_validate(
    {
        "cluster": {"name": "rapids-gpu"},
        "driver": {"install": "daemonset", "version": DRIVER},
        "teams": {
            "climate": {
                "namespace": "climate",
                "dask_cluster": "climate",
                "image": IMAGE,
                "workers": 2,
                "worker_pool": "a100",
            }
        },
    }
)


def node(name: str, *, pool: str, accelerator: str = "", gpus: int = 0) -> Node:
    labels = {"dedicated": "scheduler"} if pool == "scheduler-pool" else {}
    return Node(
        name=name,
        pool=pool,
        accelerator=accelerator,
        driver=DRIVER if accelerator else "",
        labels=labels,
        is_ready=True,
        allocatable={
            "cpu": Decimal(4),
            "memory": Decimal(2**34),
            "pods": Decimal(32),
            GPU_RESOURCE: Decimal(gpus),
        },
    )


NODES = {
    made.name: made
    for made in (
        node("system", pool="system"),
        node("t4", pool="scheduler-pool", accelerator="nvidia-tesla-t4", gpus=1),
        node("a100", pool="a100", accelerator="nvidia-tesla-a100", gpus=2),
    )
}


def dask_pod(name: str, role: str, on: str, **changes: Any) -> Pod:
    fields: dict[str, Any] = {
        "name": name,
        "namespace": "climate",
        "uid": name,
        "labels": {"dask.org/cluster-name": "climate", "dask.org/component": role},
        "owner": "ReplicaSet/x",
        "node": on,
        "phase": "Running",
        "is_ready": True,
        "is_leaving": False,
        "reason": "",
        "images": (IMAGE,),
        "requests": {"cpu": Decimal(1), GPU_RESOURCE: Decimal(1), "pods": Decimal(1)},
    }
    return Pod(**{**fields, **changes})


def fleet_pods(**of_second_worker: Any) -> tuple[Pod, ...]:
    """One scheduler and two workers where they belong, but for changes of the second worker."""
    return (
        dask_pod("scheduler", "scheduler", "t4"),
        dask_pod("worker-1", "worker", "a100"),
        dask_pod("worker-2", "worker", "a100", **of_second_worker)
        if "node" not in of_second_worker
        else dask_pod("worker-2", "worker", of_second_worker.pop("node"), **of_second_worker),
    )


def cluster_record(*, operator: ProcessRecord | None, restarts: int = 0) -> ClusterRecord:
    return ClusterRecord(
        name="rapids-gpu",
        endpoint="127.0.0.1:1",
        kubeconfig=Path("kubeconfig"),
        audit_log=Path("audit.log"),
        operator=OperatorRecord(
            process=operator,
            namespace="dask-operator",
            service_account="operator",
            image="operator:1",
            restarts=restarts,
            log_file=Path("operator.log"),
        )
        if operator
        else None,
    )
