"""Pods that these tests run: the team's real ones, and small ones that say one thing."""

import socket
import sys
from pathlib import Path
from typing import Any

from daskfleet.planning.plan import TeamPlan
from manifests.dask_manifest import dask_cluster_manifest
from rehearsal.dask_pods.model import Mounted, PodAddress, PodPlace
from tests.components.fleets import alpha

NOTHING_MOUNTED = Mounted(config_maps={}, secrets={})


def place(directory: Path, *, loopback: str = "127.77.3.4", pod_ip: str = "198.18.3.4") -> PodPlace:
    hosts = directory / "hosts"
    hosts.touch()
    return PodPlace(
        address=PodAddress(pod_ip=pod_ip, loopback=loopback),
        directory=directory / "pod",
        hosts_file=hosts,
        python=Path(sys.executable),
        host_ip="10.128.0.7",
        api_server=("127.0.0.1", "6443"),
    )


def pod(container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    """A pod with one container, ``main``."""
    return {
        "metadata": {
            "name": "alpha-worker-1",
            "namespace": "alpha",
            "uid": "0f6c1c1e",
            "labels": {"dask.org/component": "worker"},
            "annotations": {"note": "one"},
        },
        "spec": {
            "nodeName": "gke-a100-1",
            "serviceAccountName": "dask",
            "containers": [{"name": "main", "image": "example/dask:1", **(container or {})}],
            **spec,
        },
    }


def team_pod(component: str, plan: TeamPlan | None = None, /, **environment: str) -> dict[str, Any]:
    """A scheduler or worker of team alpha, as the program declares it and the operator makes it."""
    spec = dask_cluster_manifest(plan or alpha(), name="alpha")["spec"][component]["spec"]
    (container,) = spec["containers"]
    variables = [{"name": name, "value": value} for name, value in environment.items()]
    document = pod()
    document["metadata"]["name"] = f"alpha-{component}"
    document["metadata"]["labels"] = {"dask.org/component": component}
    document["spec"] = {
        **spec,
        "nodeName": "gke-a100-1",
        "containers": [{**container, "env": [*container["env"], *variables]}],
    }
    return document


def is_listening(address: str, port: int) -> bool:
    with socket.socket() as client:
        client.settimeout(1)
        return client.connect_ex((address, port)) == 0
