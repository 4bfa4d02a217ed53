"""A small fleet as the report sees it, in order and out of order."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.process import ProcessRecord
from rehearsal.report.fleet_state import Node, Pod
from rehearsal.supervisor.record import ClusterRecord, OperatorRecord

IMAGE = "rapids:26.10"
DRIVER = "580.126.20"

FLEET = FleetOutputs.model_validate(
    {
        "cluster": {"name": "rapids-gpu", "location": "us-central1-c", "get_credentials": "gcloud"},
        "driver": {"install": "daemonset", "version": DRIVER},
        "operator": {"namespace": "dask-operator", "version": "2026.3.0"},
        "teams": {
            "climate": {
                "namespace": "climate",
                "dask_cluster": "climate",
                "address": "tcp://dask.climate.svc.cluster.local:8786",
                "dashboard": "http://dask.climate.svc.cluster.local:8787/status",
                "port_forward": "kubectl port-forward",
                "connect": "Client()",
                "image": IMAGE,
                "rapids": "26.10",
                "cuda": 12,
                "workers": 2,
                "worker_pool": "a100",
                "scheduler_pool": "scheduler-pool",
            }
        },
        "retired_teams": {},
        "pools": [],
        "cost": {
            **dict.fromkeys(("idle_usd_per_hour", "full_usd_per_hour"), 1.0),
            **dict.fromkeys(("idle_usd_per_month", "full_usd_per_month"), 730.0),
            "teams": {"climate": {"idle": 730.0, "full": 730.0}},
            "unused": {"idle": 0.0, "full": 0.0},
            "platform": {"idle": 0.0, "full": 0.0},
            "prices_as_of": "2026-07-30",
            "monthly_budget_usd": None,
            "budget": "none",
            "unpriced": [],
            "notes": [],
        },
        "protection": {
            "long_lived": False,
            "protected": [],
            "to_remove_a_team": "retire",
            "to_destroy": "pulumi destroy",
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
