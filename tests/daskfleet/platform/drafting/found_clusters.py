"""Clusters as Google and Kubernetes tell of them."""

from typing import Any

from daskfleet.platform.drafting.dask_answers import (
    DaskAutoscalers,
    DaskClusters,
    DaskWorkerGroups,
)
from daskfleet.platform.drafting.found import Found, FoundDask, FoundPool
from daskfleet.platform.drafting.google_answers import Cluster, NodePool

PROJECT = "acme-research"
ZONE = "us-central1-c"
SCOPE = "https://www.googleapis.com/auth/cloud-platform"


def pool_answer(name: str, machine_type: str, **more: Any) -> dict[str, Any]:
    """A pool in Google's words; ``config`` adds to that of its nodes."""
    config = {"machineType": machine_type, "diskSizeGb": 200, **more.pop("config", {})}
    return {"name": name, "locations": [ZONE], "config": config, **more}


def gpus(kind: str, count: int, **more: Any) -> dict[str, Any]:
    """The configuration of nodes with GPUs."""
    return {"accelerators": [{"acceleratorType": kind, "acceleratorCount": str(count), **more}]}


A100S = pool_answer("a100", "a2-highgpu-2g", config=gpus("nvidia-tesla-a100", 2))
T4 = pool_answer(
    "scheduler-pool",
    "n1-standard-2",
    config={**gpus("nvidia-tesla-t4", 1), "labels": {"dedicated": "scheduler"}},
)
CPUS = pool_answer("system", "e2-standard-4")

FITTING: dict[str, Any] = {
    "name": "rapids",
    "location": ZONE,
    "networkConfig": {"datapathProvider": "ADVANCED_DATAPATH"},
    "ipAllocationPolicy": {
        "clusterSecondaryRangeName": "pods",
        "servicesSecondaryRangeName": "services",
    },
    "defaultMaxPodsConstraint": {"maxPodsPerNode": "32"},
    "releaseChannel": {"channel": "STABLE"},
}
"""A cluster of which nothing that cannot change is unlike a fleet's."""


def dask_cluster(name: str = "fraud", **worker: Any) -> dict[str, Any]:
    """A DaskCluster in Kubernetes' words."""
    image = worker.pop("image", "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13")
    container = {"name": "worker", "image": image, **worker.pop("container", {})}
    pod = {"containers": [container], **worker.pop("pod", {})}
    return {
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "worker": {"replicas": 2, "spec": pod, **worker},
            "scheduler": {"spec": {"containers": [{"name": "scheduler", "image": image}]}},
        },
    }


def dask(*clusters: dict[str, Any], **more: list[dict[str, Any]]) -> FoundDask:
    """What Kubernetes tells of Dask."""
    return FoundDask(
        clusters=DaskClusters.model_validate({"items": clusters}).items,
        autoscalers=DaskAutoscalers.model_validate({"items": more.get("autoscalers", [])}).items,
        groups=DaskWorkerGroups.model_validate({"items": more.get("groups", [])}).items,
    )


def found(
    *pools: dict[str, Any],
    of_dask: FoundDask | None = None,
    nodes: int = 2,
    **cluster: Any,
) -> Found:
    """A cluster that fits, with such pools, but for what ``cluster`` says."""
    return Found(
        project=PROJECT,
        cluster=Cluster.model_validate({**FITTING, **cluster}),
        pools=tuple(
            FoundPool(pool=NodePool.model_validate(each), nodes=nodes)
            for each in pools or (CPUS, T4, A100S)
        ),
        dask=of_dask,
        not_looked_at="" if of_dask else "nobody asked.",
    )
