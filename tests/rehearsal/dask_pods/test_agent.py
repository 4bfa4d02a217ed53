"""Unit: the node agent on a pretended API server, with real processes."""

import asyncio
import copy
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import pytest_asyncio

from rehearsal.dask_pods.agent import NodeAgent
from rehearsal.dask_pods.model import Document, Mounted
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.dask_pods.pod_keeper import status_patch
from rehearsal.kubernetes_changes import Changes
from tests.processes_that_may_end import home
from tests.rehearsal.dask_pods.pods import NOTHING_MOUNTED, pod

NODE = "gke-a100-1"
PATIENCE_S = 60
NOT_FOLLOWED = Changes(Path("no-kubeconfig"), {})
"""Every look lists."""
SLEEPS = {"command": ["sleep", "60"], "ports": [{"name": "http", "containerPort": 8788}]}
IGNORES_SIGTERM = {"command": ["sh", "-c", "trap '' TERM; while true; do sleep 0.1; done"]}


class PretendedApi(PodApi):
    """Holds pods, and what kwok would be told of them."""

    def __init__(self) -> None:
        super().__init__(Path("no-kubeconfig"), shares=Path("no-shares"))
        self.pods: dict[str, dict[str, Any]] = {}
        self.nodes = {NODE}
        self.reached: dict[str, set[str]] = {}
        self.written: list[dict[str, Any]] = []
        self.answers = True
        self.refused: set[str] = set()
        """The pods that get no token."""

    def add(self, container: dict[str, Any], *, uid: str = "u1") -> dict[str, Any]:
        """Bind a pod to the node."""
        document = copy.deepcopy(pod(container))
        document["metadata"] |= {"uid": uid, "name": uid, "creationTimestamp": uid}
        self.pods[uid] = document
        return document

    async def pods_that_run(self) -> list[Document]:
        """All of them."""
        self._answer()
        return [copy.deepcopy(document) for document in self.pods.values()]

    def server(self) -> tuple[str, str]:
        """Nobody listens there."""
        return "127.0.0.1", "1"

    async def services(self) -> list[Document]:
        """None."""
        return []

    async def node_names(self) -> frozenset[str]:
        """Those that there are."""
        return frozenset(self.nodes)

    async def mounted(self, pod: Document) -> Mounted:
        """Nothing is."""
        if pod["metadata"]["uid"] in self.refused:
            httpx.Response(403, request=httpx.Request("POST", "http://api")).raise_for_status()
        return NOTHING_MOUNTED

    async def write_status(self, pod: Document, patch: dict[str, Any]) -> None:
        """Take note, and change the pod as a merge patch does."""
        self._answer()
        self.written.append(patch)
        if there := self.pods.get(pod["metadata"]["uid"]):
            there.setdefault("status", {}).update(patch)

    async def delete_pod(self, pod: Document) -> None:
        """Forget it."""
        self._answer()
        self.pods.pop(pod["metadata"]["uid"], None)

    async def put(self, document: dict[str, Any]) -> None:
        """Take note of the kind."""
        self.reached.setdefault(document["metadata"]["name"], set()).add(document["kind"])

    async def delete_ways_to_reach(self, pod: Document) -> None:
        """Forget them."""
        self.reached.pop(pod["metadata"]["name"], None)

    def _answer(self) -> None:
        if not self.answers:
            raise httpx.ConnectError("connection refused")


@pytest.fixture
def api() -> PretendedApi:
    """An API server without pods."""
    return PretendedApi()


@pytest_asyncio.fixture
async def agent(api: PretendedApi, tmp_path: Path) -> AsyncIterator[NodeAgent]:
    """An agent that follows it."""
    made = NodeAgent(api, changes=NOT_FOLLOWED, directory=tmp_path / "agent")
    following = asyncio.create_task(made.run())
    yield made
    following.cancel()
    await asyncio.wait((following,))
    await made.stop()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110  (it waits for processes, not for code of its own)
            await asyncio.sleep(0.05)


def phase(api: PretendedApi, uid: str = "u1") -> str:
    return str(api.pods[uid].get("status", {}).get("phase", ""))


def processes(tmp_path: Path) -> list[psutil.Process]:
    """Every process of the agent's pods; one that is being replaced by exec has no HOME yet."""
    of_agent = str(tmp_path / "agent")
    return [child for child in psutil.Process().children(recursive=True) if home(child) > of_agent]


@pytest.mark.usefixtures("agent")
@pytest.mark.asyncio
async def test_a_pod_that_has_ended_is_not_run_by_the_next_agent(
    api: PretendedApi, tmp_path: Path
) -> None:
    api.add(SLEEPS, uid="ended")["status"] = {"phase": "Succeeded"}
    api.add(SLEEPS, uid="runs")
    await until(lambda: phase(api, "runs") == "Running")

    assert phase(api, "ended") == "Succeeded"
    assert not (tmp_path / "agent" / "pods" / "ended").exists()


@pytest.mark.asyncio
async def test_a_bound_pod_runs_is_told_and_can_be_reached(
    agent: NodeAgent, api: PretendedApi, tmp_path: Path
) -> None:
    api.add(SLEEPS)
    await until(lambda: phase(api) == "Running")
    await until(lambda: api.reached.get("u1") == {"Logs", "Exec", "PortForward"})
    await until(lambda: len(processes(tmp_path)) == 1)
    assert agent.operators_hosts_file.exists()


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_what_does_not_change_is_written_once(api: PretendedApi) -> None:
    api.add({"command": ["sleep", "60"]})
    await until(lambda: phase(api) == "Running")
    await until(lambda: "u1" in api.reached)
    await asyncio.sleep(1)  # some looks
    written = len(api.written)
    await asyncio.sleep(1.5)
    assert len(api.written) == written


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_a_deleted_pod_ends_and_goes_with_all_that_it_had(
    api: PretendedApi, tmp_path: Path
) -> None:
    document = api.add(SLEEPS)
    await until(lambda: phase(api) == "Running")
    document["metadata"] |= {"deletionTimestamp": "now", "deletionGracePeriodSeconds": 30}
    await until(lambda: not api.pods)
    await until(lambda: not api.reached)
    assert processes(tmp_path) == []
    await until(lambda: not list((tmp_path / "agent" / "pods").iterdir()))


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize("lost", ["node", "pod"])
async def test_of_a_pod_that_vanishes_within_its_grace_nothing_is_left(
    api: PretendedApi, tmp_path: Path, lost: str
) -> None:
    document = api.add(IGNORES_SIGTERM)
    await until(lambda: phase(api) == "Running")
    document["metadata"] |= {"deletionTimestamp": "now", "deletionGracePeriodSeconds": 3600}
    await asyncio.sleep(1)
    assert processes(tmp_path)
    if lost == "node":
        api.nodes.clear()
    else:
        api.pods.clear()
    await until(lambda: not api.pods and not processes(tmp_path))


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_a_pod_without_a_node_is_left_to_the_scheduler(
    api: PretendedApi, tmp_path: Path
) -> None:
    del api.add(SLEEPS)["spec"]["nodeName"]
    api.add(SLEEPS, uid="u2")
    await until(lambda: phase(api, "u2") == "Running")
    assert phase(api) == ""
    await until(lambda: len(processes(tmp_path)) == 1)


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_a_pod_that_is_refused_a_token_keeps_no_other_waiting_and_can_go(
    api: PretendedApi,
) -> None:
    """The API server gives none in a namespace that is being deleted."""
    api.refused.add("u1")
    api.add(SLEEPS)
    api.add(SLEEPS, uid="u2")
    await until(lambda: phase(api, "u2") == "Running")
    assert phase(api) == ""
    api.pods["u1"]["metadata"] |= {"deletionTimestamp": "now", "deletionGracePeriodSeconds": 30}
    await until(lambda: "u1" not in api.pods)


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_what_the_api_server_has_missed_it_is_told_again(api: PretendedApi) -> None:
    document = api.add({"command": ["sh", "-c", "sleep 1; exit 3"]})
    document["spec"]["restartPolicy"] = "Never"
    await until(lambda: phase(api) == "Running")
    api.answers = False
    await asyncio.sleep(2)
    assert phase(api) == "Running"
    api.answers = True
    await until(lambda: phase(api) == "Failed")
    (container,) = api.pods["u1"]["status"]["containerStatuses"]
    assert container["state"]["terminated"]["exitCode"] == 3


@pytest.mark.asyncio
async def test_an_agent_that_is_stopped_leaves_no_process_and_no_file(
    api: PretendedApi, tmp_path: Path
) -> None:
    agent = NodeAgent(api, changes=NOT_FOLLOWED, directory=tmp_path / "agent")
    api.add(IGNORES_SIGTERM)
    await agent.look()
    await until(lambda: phase(api) == "Running")
    assert (tmp_path / "agent" / "processes.json").exists()
    await agent.stop()
    assert processes(tmp_path) == []
    assert not (tmp_path / "agent").exists()
    assert phase(api) == "Running"  # the cluster is gone, or about to be


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_a_pod_of_an_agent_before_this_one_is_unready_until_its_process_is_and_keeps_its_ip(
    api: PretendedApi,
) -> None:
    before = {
        "phase": "Running",
        "podIP": "198.18.3.7",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "then"}],
        "containerStatuses": [{"name": "main", "ready": True, "state": {"running": {}}}],
    }
    api.add(SLEEPS)["status"] = before
    await until(lambda: phase(api) == "Running" and bool(api.reached))
    first, *later = api.written
    assert [c["status"] for c in first["conditions"] if c["type"] == "Ready"] == ["False"]
    assert [c["state"].keys() for c in first["containerStatuses"]] == [{"waiting"}]
    assert [c["state"].keys() for c in later[-1]["containerStatuses"]] == [{"running"}]
    assert api.pods["u1"]["status"]["podIP"] == "198.18.3.7"


@pytest.mark.asyncio
@pytest.mark.usefixtures("agent")
async def test_readiness_that_the_node_controller_took_is_given_back(api: PretendedApi) -> None:
    """By the words of Kubernetes' controller: MarkPodsNotReady."""

    def readiness() -> list[str]:
        conditions = api.pods["u1"].get("status", {}).get("conditions", ())
        return [each["status"] for each in conditions if each["type"] == "Ready"]

    api.add(SLEEPS)
    await until(lambda: readiness() == ["True"])
    written = len(api.written)
    api.pods["u1"]["status"] |= {"conditions": [{"type": "Ready", "status": "False"}]}
    await until(lambda: readiness() == ["True"])
    assert [patch.keys() for patch in api.written[written:]] == [{"conditions"}]


def test_a_patch_takes_away_what_is_no_longer_said() -> None:
    before = {"phase": "Running", "message": "waiting"}
    after = {"phase": "Running", "podIP": "198.18.0.1"}
    assert status_patch(before, after) == {"message": None, "podIP": "198.18.0.1"}
