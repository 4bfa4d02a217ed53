"""Unit: where the names of Services lead, and that processes of any kind find them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rehearsal.dask_pods.cluster_names import finds_services_by
from rehearsal.dask_pods.hosts import ServingPod, cluster_hosts, hosts_file

NOBODY = "127.9.255.254"
LABELS = {"app": "scheduler"}

LOOK_UP = """
import asyncio, multiprocessing, socket

def thread(): return socket.getaddrinfo("dask", 8786, type=socket.SOCK_STREAM)[0][4]

async def loop():
    look_up = asyncio.get_running_loop().getaddrinfo
    return (await look_up("DASK.climate.", 1, type=socket.SOCK_STREAM))[0][4]

if __name__ == "__main__":
    print(thread(), asyncio.run(loop()), socket.getaddrinfo("127.0.0.1", 2)[0][4])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(thread))
"""


def service(name: str = "dask", *, target: int | str = "comm", **spec: Any) -> dict[str, Any]:
    ports = [{"port": 8786, "targetPort": target}]
    return {
        "metadata": {"name": name, "namespace": "climate"},
        "spec": {"selector": LABELS, "ports": ports, **spec},
    }


def serving(
    address: str, *, is_ready: bool = True, namespace: str = "climate", **labels: str
) -> ServingPod:
    container = {"ports": [{"name": "comm", "containerPort": 8786}]}
    return ServingPod(
        document={
            "metadata": {"namespace": namespace, "labels": {**LABELS, **labels}},
            "spec": {"containers": [container]},
        },
        loopback=address,
        is_ready=is_ready,
    )


def leads_to(*pods: ServingPod, **options: Any) -> str | None:
    found = cluster_hosts([service(**options)], pods, nobody=NOBODY)
    return found.get(("climate", "dask"))


def test_a_service_leads_to_a_ready_pod_that_it_selects() -> None:
    others = (
        serving("127.9.0.1", is_ready=False),
        serving("127.9.0.2", app="worker"),
        serving("127.9.0.3", namespace="genomics"),
    )
    assert leads_to(*others, serving("127.9.0.4")) == "127.9.0.4"


def test_a_service_without_a_ready_pod_refuses_connections() -> None:
    assert leads_to() == NOBODY
    assert leads_to(serving("127.9.0.1", is_ready=False)) == NOBODY


def test_a_service_that_would_need_a_proxy_has_no_name() -> None:
    assert leads_to(serving("127.9.0.1"), target=9999) is None
    assert leads_to(serving("127.9.0.1"), selector=None) is None
    assert leads_to(serving("127.9.0.1"), target=8786) == "127.9.0.1"


def test_the_bare_name_is_for_pods_of_the_same_namespace() -> None:
    found = {("climate", "dask"): "127.9.0.1"}
    spellings = "dask.climate dask.climate.svc dask.climate.svc.cluster.local"
    assert hosts_file(found, namespace="climate") == f"127.9.0.1 dask {spellings}\n"
    assert hosts_file(found, namespace="genomics") == f"127.9.0.1 {spellings}\n"
    assert hosts_file(found) == f"127.9.0.1 {spellings}\n"


def test_threads_event_loops_and_children_find_a_name_and_everything_else_as_ever(
    tmp_path: Path,
) -> None:
    hosts, script = tmp_path / "hosts", tmp_path / "look_up.py"
    hosts.write_text("127.9.0.1 other\n127.9.0.7 dask dask.climate\n")
    script.write_text(LOOK_UP)
    done = subprocess.run(
        [sys.executable, script],
        env={**finds_services_by(hosts), "PATH": os.defpath},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.splitlines() == [
        "('127.9.0.7', 8786) ('127.9.0.7', 1) ('127.0.0.1', 2)",
        "('127.9.0.7', 8786)",
    ]


def test_a_hosts_file_that_is_gone_hides_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import socket; print(socket.getaddrinfo('127.0.0.1', 3)[0][4])"],
        env={**finds_services_by(tmp_path / "gone")},
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout == "('127.0.0.1', 3)\n"
