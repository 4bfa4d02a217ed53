"""What people do to a fleet without Pulumi, where that takes more than a line of kubectl."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from dask_kubernetes.operator._objects import DaskWorkerGroup

from tests.rehearsal.end_to_end.drift_command import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.kr8s_client import connect


async def scale_with_dask_kubernetes(fleet: RunningRehearsal, name: str, workers: int) -> None:
    """Do what `KubeCluster.scale` does; a KubeCluster itself wants to talk to a scheduler."""
    api = await connect(fleet.cluster.kubeconfig)
    group = await DaskWorkerGroup(f"{name}-default", namespace=name, api=api)
    await group.scale(workers)


@contextmanager
def extra_dask_cluster(fleet: RunningRehearsal) -> Iterator[str]:
    """A DaskCluster that nobody declared, as the report names it."""
    pod = {"containers": [{"name": "any", "image": "example.com/any:1"}]}
    service = {"type": "ClusterIP", "ports": [{"name": "tcp-comm", "port": 8786}]}
    document = {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskCluster",
        "metadata": {"name": "extra", "namespace": "climate"},
        "spec": {
            "scheduler": {"spec": pod, "service": service},
            "worker": {"replicas": 0, "spec": pod},
        },
    }
    file = fleet.workspace.directory / "extra.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    kubectl(fleet, "create", "--filename", str(file))
    try:
        yield "DaskCluster climate/extra"
    finally:
        gone = ("--ignore-not-found", "--namespace", "climate")
        kubectl(fleet, "delete", "daskcluster", "extra", *gone)


def at_gke(
    fleet: RunningRehearsal, method: str, path: str, body: dict[str, Any] | None = None
) -> None:
    """Change the cluster by the emulated GKE API, as the console would."""
    project = f"projects/{fleet.base['daskfleet:project']}"
    cluster = f"{project}/locations/us-central1-c/clusters/{fleet.cluster.name}"
    url = f"{fleet.base_url}/container/v1beta1/{cluster}{path}"
    operation = httpx.request(method, url, json=body).raise_for_status().json()["name"]
    done = f"{fleet.base_url}/container/v1beta1/{project}/locations/us-central1-c/operations"
    until(lambda: httpx.get(f"{done}/{operation}").json()["status"] == "DONE")
