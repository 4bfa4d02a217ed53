"""End to end: Dask's pods as processes, reached, used, scaled, broken and ended by plain means."""

import asyncio
import json
import operator
import os
import signal
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from distributed import Client, Event, wait

from components.gates.dask_cluster_api import DaskClusterApi
from components.gates.namespace_api import NamespaceApi
from rehearsal.report.stage_parts import stage_parts
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.objects import existing
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.kr8s_client import connect

pytestmark = pytest.mark.rehearsal

TEAM = "climate"
FAILS = "import sys; print('no such dataset'); sys.exit(3)"


@pytest.fixture
def client(fleet: RunningRehearsal) -> Iterator[Client]:
    """A client on this machine, through the API server to the team's address."""
    with (
        forwarded(fleet, "service/dask", 8786, namespace=TEAM) as address,
        Client(f"tcp://{address}", timeout=30) as connected,
    ):
        yield connected


def test_pods_are_ready_by_their_own_probes_and_say_which_process_they_are(
    fleet: RunningRehearsal,
) -> None:
    pods = dask_pods(fleet)
    assert len(pods) == 3
    for pod in pods.values():
        (container,) = pod["status"]["containerStatuses"]
        assert container["ready"]
        assert container["started"]
        assert container["containerID"]
        assert pod["status"]["podIP"].startswith("198.18.")
    dask = fleet.cluster.dask
    assert dask is not None
    assert any("`dask cuda worker` runs as `dask worker`" in said for said in dask.departures)
    assert len(dask.departures) == len(set(dask.departures)) < 12
    parts = stage_parts(fleet.stage.binaries, providers=(), dask=dask)
    (said,) = (part for part in parts if part.part == "Dask pods")
    assert said.is_real
    assert "no image was pulled" in said.what_ran


def test_a_client_computes_where_the_pod_declares_its_resources(client: Client) -> None:
    assert client.submit(operator.add, 40, 2, resources={"GPU": 1}).result(timeout=30) == 42
    workers = client.scheduler_info()["workers"].values()
    assert {worker["nthreads"] for worker in workers} == {1}
    assert {worker["memory_limit"] for worker in workers} == {512 * 2**20}


def test_logs_and_exec_answer_from_the_pod(fleet: RunningRehearsal) -> None:
    here, scheduler = ("--namespace", TEAM), scheduler_pod(fleet)
    assert "distributed.scheduler - INFO" in kubectl(fleet, *here, "logs", scheduler)
    look_up = (
        "import socket;"
        "print(socket.getaddrinfo('dask', 8786)[0][4]"
        f" == socket.getaddrinfo('dask.{TEAM}.svc.cluster.local', 8786)[0][4])"
    )
    assert kubectl(fleet, *here, "exec", scheduler, "--", "dask", "--version").startswith("dask")
    assert kubectl(fleet, *here, "exec", scheduler, "--", "python", "-c", look_up) == "True\n"


def test_the_gate_asks_the_real_scheduler_whether_it_is_idle(
    fleet: RunningRehearsal, client: Client
) -> None:
    async def is_idle() -> bool:
        api = NamespaceApi(await connect(fleet.cluster.kubeconfig), namespace=TEAM)
        return await DaskClusterApi(api, name=cluster).is_idle()

    labels = dask_pods(fleet)[scheduler_pod(fleet)]["metadata"]["labels"]
    cluster = labels["dask.org/cluster-name"]

    def asked() -> bool:
        return asyncio.run(is_idle())

    def busy() -> None:
        Event("enough").wait()

    until(asked)
    future = client.submit(busy, pure=False)
    until(lambda: not asked())
    Event("enough", client=client).set()
    future.result(timeout=30)
    until(asked)


def test_two_workers_become_four_and_one_and_no_result_is_lost(
    fleet: RunningRehearsal, client: Client
) -> None:
    results = client.map(operator.add, range(40), range(40))
    scattered = client.scatter(list(range(1000)), hash=False, broadcast=False)
    wait(results, timeout=30)
    for workers in (4, 1):
        settings = fleet.settings()
        team(settings, TEAM)["workers"] = workers
        fleet.up(settings)
        assert len(dask_pods(fleet)) == workers + 1
        until(lambda count=workers: len(client.scheduler_info()["workers"]) == count)  # type: ignore[misc]
        assert client.gather(results) == [2 * number for number in range(40)]
        assert client.gather(scattered) == list(range(1000))

    assert "Retire worker" in kubectl(fleet, "--namespace", TEAM, "logs", scheduler_pod(fleet))
    (log,) = fleet.workspace.logs_dir.glob("operator-*.log")
    assert "Traceback" not in log.read_text(encoding="utf-8")


def test_a_worker_process_that_dies_is_started_again(
    fleet: RunningRehearsal, client: Client
) -> None:
    before = {name: restarts(pod) for name, pod in dask_pods(fleet).items()}
    until(lambda: len(client.scheduler_info()["workers"]) == 2)
    address = next(iter(client.scheduler_info()["workers"]))
    name = client.scheduler_info()["workers"][address]["name"]
    (nanny,) = client.run(os.getppid, workers=[address]).values()
    assert name in psutil.Process(nanny).cmdline()
    os.kill(nanny, signal.SIGKILL)

    def again() -> list[dict[str, Any]]:
        """Containers that have started once more than before."""
        return [
            pod["status"]["containerStatuses"][0]
            for name, pod in dask_pods(fleet).items()
            if restarts(pod) == before[name] + 1
        ]

    until(lambda: [container["ready"] for container in again()] == [True])
    (container,) = again()
    assert container["lastState"]["terminated"]["exitCode"] == 128 + signal.SIGKILL
    until(lambda: len(client.scheduler_info()["workers"]) == 2)


def test_a_command_that_fails_is_seen_to_crash_again_and_again(fleet: RunningRehearsal) -> None:
    container = {"name": "main", "image": "example/dask:1", "command": ["python", "-c", FAILS]}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "fails",
            "namespace": "default",
            "labels": {"dask.org/component": "worker"},
        },
        "spec": {"containers": [container]},
    }

    def status() -> dict[str, Any]:
        seen = pods_of(fleet, "default")["fails"]["status"].get("containerStatuses")
        return seen[0] if seen else {"state": {}}

    with existing(fleet.cluster.kubeconfig, pod):
        until(lambda: status().get("restartCount", 0) >= 1 and is_backing_off(status()))
        assert status()["lastState"]["terminated"]["exitCode"] == 3
        assert "no such dataset" in kubectl(fleet, "logs", "--previous", "fails")
    until(lambda: "fails" not in pods_of(fleet, "default"))


def pods_of(fleet: RunningRehearsal, namespace: str) -> dict[str, dict[str, Any]]:
    """Pods by name, as the API server has them."""
    listed = kubectl(fleet, "get", "pods", "--namespace", namespace, "--output", "json")
    return {pod["metadata"]["name"]: pod for pod in json.loads(listed)["items"]}


def dask_pods(fleet: RunningRehearsal) -> dict[str, dict[str, Any]]:
    """The team's Dask pods."""
    return pods_of(fleet, TEAM)


def scheduler_pod(fleet: RunningRehearsal) -> str:
    """Name of the team's scheduler."""
    (name,) = (
        name
        for name, pod in dask_pods(fleet).items()
        if pod["metadata"]["labels"]["dask.org/component"] == "scheduler"
    )
    return name


def restarts(pod: dict[str, Any]) -> int:
    """How often the pod's one container has started again."""
    (container,) = pod["status"]["containerStatuses"]
    count: int = container["restartCount"]
    return count


def is_backing_off(container: dict[str, Any]) -> bool:
    reason: str = container["state"].get("waiting", {}).get("reason", "")
    return reason == "CrashLoopBackOff"
