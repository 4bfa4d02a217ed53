"""Unit: what the controller asks and writes, against APIs of a few lines."""

import json
import ssl
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from in_cluster.gpu_health.apis import KubernetesApi, Schedulers
from in_cluster.gpu_health.decisions import MISSING_PATIENCE_S, RESULTS_PATIENCE_S
from in_cluster.gpu_health.loop import LOOK_EVERY_S, Loop
from in_cluster.gpu_health.rules import Rules, read, written
from in_cluster.operator_http.answers import UnansweredError
from tests.in_cluster.gpu_health.nodes import node, sick, worker

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
RULES = Rules(namespaces=("fraud",), most_drained_nodes=1)


class Cluster:
    """The Kubernetes API: some nodes, and the workers of a team."""

    def __init__(self) -> None:
        self.nodes = [sick("ill"), node("well")]
        self.pods = [worker("fraud-default-worker-a", on="ill")]
        self.pods += [worker("fraud-default-worker-b", on="well")]
        self.events: list[dict[str, Any]] = []
        self.refuses = False

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer as it does."""
        assert request.headers["Authorization"] == "Bearer of-today"
        if self.refuses:
            return httpx.Response(403, json={"message": "forbidden"})
        match request.method, request.url.path.removeprefix("/api/v1/").split("/"):
            case "GET", ["nodes"]:
                selector = request.url.params["labelSelector"]
                assert selector == "cloud.google.com/gke-accelerator,dedicated!=scheduler"
                return httpx.Response(200, json={"items": self.nodes})
            case "PATCH", ["nodes", name]:
                return self._patch(name, json.loads(request.content))
            case "GET", ["namespaces", "fraud", "pods"]:
                assert request.url.params["labelSelector"] == "dask.org/component=worker"
                return httpx.Response(200, json={"items": self.pods})
            case "DELETE", ["namespaces", "fraud", "pods", name]:
                return self._delete(name, json.loads(request.content))
            case "POST", ["namespaces", "fraud", "events"]:
                return self._event(json.loads(request.content))
        raise AssertionError(request.url)

    def _patch(self, name: str, patch: dict[str, Any]) -> httpx.Response:
        (found,) = [each for each in self.nodes if each["metadata"]["name"] == name]
        assert patch["metadata"]["resourceVersion"] == found["metadata"]["resourceVersion"]
        annotations = found["metadata"].get("annotations", {}) | patch["metadata"]["annotations"]
        found["metadata"]["annotations"] = {k: v for k, v in annotations.items() if v}
        found["spec"] = {k: v for k, v in (found["spec"] | patch["spec"]).items() if v}
        return httpx.Response(200, json=found)

    def _delete(self, name: str, options: dict[str, Any]) -> httpx.Response:
        (found,) = [each for each in self.pods if each["metadata"]["name"] == name]
        assert options["preconditions"] == {"uid": found["metadata"]["uid"]}
        self.pods.remove(found)
        return httpx.Response(200, json={})

    def _event(self, event: dict[str, Any]) -> httpx.Response:
        if event["metadata"]["name"] in {each["metadata"]["name"] for each in self.events}:
            return httpx.Response(409, json={"message": "already exists"})
        self.events.append(event)
        return httpx.Response(201, json=event)

    def cordoned(self) -> list[str]:
        """Return the nodes that take no pods."""
        return [n["metadata"]["name"] for n in self.nodes if n["spec"].get("unschedulable")]

    def left(self) -> list[str]:
        """Return the nodes of the pods that are there."""
        return [pod["spec"]["nodeName"] for pod in self.pods]


class Scheduler(Schedulers):
    """One that moves what it can."""

    def __init__(self) -> None:
        self.connected = {f"fraud-default-worker-{n}": f"tcp://10.0.0.1:{n}" for n in "ab"}
        self.moves = True
        self.answers = True
        self.asked: list[Sequence[str]] = []

    def workers(self, namespace: str, cluster: str) -> dict[str, str]:
        """Return those that are connected."""
        assert (namespace, cluster) == ("fraud", "fraud")
        if not self.answers:
            raise UnansweredError("refused")
        return self.connected

    def retire(self, namespace: str, cluster: str, addresses: Sequence[str]) -> list[str]:
        """Retire them, where it can."""
        assert (namespace, cluster) == ("fraud", "fraud")
        self.asked.append(addresses)
        return [n for n, a in self.connected.items() if a in addresses] if self.moves else []


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def scheduler() -> Scheduler:
    return Scheduler()


@pytest.fixture
def loop(
    cluster: Cluster, scheduler: Scheduler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Loop:
    token = tmp_path / "token"
    token.write_text("of-today\n", encoding="ascii")
    client = httpx.Client

    def with_transport(**options: Any) -> httpx.Client:
        return client(transport=httpx.MockTransport(cluster.answer), **options)

    monkeypatch.setattr(httpx, "Client", with_transport)
    monkeypatch.setattr(ssl, "create_default_context", lambda **_: None)
    api = KubernetesApi(server="https://10.8.0.1:443", token_file=token, ca_file=tmp_path / "ca")
    return Loop(api, scheduler, RULES)


def test_a_worker_on_a_sick_gpu_hands_over_and_goes_and_no_other_does(
    cluster: Cluster, scheduler: Scheduler, loop: Loop
) -> None:
    loop.look(now=NOW)

    assert cluster.cordoned() == ["ill"]
    assert scheduler.asked == [["tcp://10.0.0.1:a"]]
    assert cluster.left() == ["well"]
    (event,) = cluster.events
    assert event["reason"] == "LeftSickGpu"
    assert event["message"] == (
        "GPU of node ill: XID 79. Dask worker fraud-default-worker-a was retired, what it held was "
        "moved to other workers. Another one comes up on another node."
    )


def test_a_worker_whose_results_nobody_can_take_waits_and_then_goes_without(
    cluster: Cluster, scheduler: Scheduler, loop: Loop
) -> None:
    scheduler.moves = False
    last = NOW + timedelta(seconds=RESULTS_PATIENCE_S - 1)
    for moment in (NOW, NOW + timedelta(seconds=LOOK_EVERY_S), last):
        loop.look(now=moment)
        assert cluster.left() == ["ill", "well"]

    loop.look(now=NOW + timedelta(seconds=RESULTS_PATIENCE_S))

    assert cluster.left() == ["well"]
    assert "could not be moved in time" in cluster.events[0]["message"]


class TwoTeams(Cluster):
    """Each has its worker on the sick node."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer for whichever team as for the first."""
        path = request.url.path.replace("/namespaces/climate/", "/namespaces/fraud/")
        return super().answer(
            httpx.Request(
                request.method,
                request.url.copy_with(path=path),
                headers=request.headers,
                content=request.content,
            )
        )


class MeetingSchedulers(Scheduler):
    """They answer once both are asked, as slow ones would while others wait."""

    def __init__(self) -> None:
        super().__init__()
        self.both = threading.Barrier(2, timeout=5)

    def workers(self, namespace: str, cluster: str) -> dict[str, str]:
        """Wait for the other's question."""
        self.asked.append((namespace, cluster))
        try:
            self.both.wait()
        except threading.BrokenBarrierError:
            raise UnansweredError("the other scheduler was never asked") from None
        return {}


def test_a_slow_scheduler_does_not_hold_up_another_teams_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = tmp_path / "token"
    token.write_text("of-today\n", encoding="ascii")
    cluster, client = TwoTeams(), httpx.Client
    monkeypatch.setattr(
        httpx,
        "Client",
        lambda **options: client(transport=httpx.MockTransport(cluster.answer), **options),
    )
    monkeypatch.setattr(ssl, "create_default_context", lambda **_: None)
    api = KubernetesApi(server="https://10.8.0.1:443", token_file=token, ca_file=tmp_path / "ca")
    schedulers = MeetingSchedulers()
    rules = Rules(namespaces=("fraud", "climate"), most_drained_nodes=1)
    Loop(api, schedulers, rules).look(now=NOW)

    assert not schedulers.both.broken


def test_a_scheduler_that_does_not_answer_gets_the_same_time(
    cluster: Cluster, scheduler: Scheduler, loop: Loop
) -> None:
    scheduler.answers = False
    loop.look(now=NOW)
    assert cluster.left() == ["ill", "well"]

    loop.look(now=NOW + timedelta(seconds=RESULTS_PATIENCE_S))

    assert cluster.left() == ["well"]


def test_a_worker_that_is_not_connected_holds_nothing(
    cluster: Cluster, scheduler: Scheduler, loop: Loop
) -> None:
    del scheduler.connected["fraud-default-worker-a"]

    loop.look(now=NOW)

    assert scheduler.asked == []
    assert cluster.left() == ["well"]


def test_a_pod_with_a_worker_for_each_gpu_goes_when_the_last_has_handed_over(
    cluster: Cluster, scheduler: Scheduler, loop: Loop
) -> None:
    name = "fraud-default-worker-a"
    scheduler.connected = {f"{name}-{n}": f"tcp://10.0.0.1:{n}" for n in (0, 1)}
    scheduler.connected[f"{name}b"] = "tcp://10.0.0.9:1"

    loop.look(now=NOW)

    assert scheduler.asked == [["tcp://10.0.0.1:0", "tcp://10.0.0.1:1"]]
    assert cluster.left() == ["well"]


def test_a_second_sick_node_stays_and_its_team_is_told_once(cluster: Cluster, loop: Loop) -> None:
    cluster.nodes = [sick("ill"), sick("well")]

    loop.look(now=NOW)
    loop.look(now=NOW + timedelta(seconds=LOOK_EVERY_S))

    assert cluster.cordoned() == ["ill"]
    assert cluster.left() == ["well"]
    told = {each["reason"]: each["message"] for each in cluster.events}
    assert [*told] == ["SickGpu", "LeftSickGpu"]
    assert len(cluster.events) == 2
    assert "as many nodes are drained as may be at a time" in told["SickGpu"]


def test_a_node_that_is_whole_again_takes_pods(cluster: Cluster, loop: Loop) -> None:
    loop.look(now=NOW)
    cluster.nodes[0]["status"] = node()["status"]

    loop.look(now=NOW + timedelta(hours=1))

    assert cluster.cordoned() == []
    assert cluster.nodes[0]["metadata"]["annotations"] == {}


def test_a_gpu_that_is_missing_for_long_is_sick_and_a_break_counts_anew(
    cluster: Cluster, loop: Loop
) -> None:
    lacking = node("ill", usable=1)
    cluster.nodes[0] = lacking
    loop.look(now=NOW)
    cluster.nodes[0] = node("ill")
    loop.look(now=NOW + timedelta(seconds=MISSING_PATIENCE_S - 1))
    cluster.nodes[0] = lacking
    again = NOW + timedelta(seconds=MISSING_PATIENCE_S)
    loop.look(now=again)
    assert cluster.cordoned() == []

    loop.look(now=again + timedelta(seconds=MISSING_PATIENCE_S))

    assert cluster.cordoned() == ["ill"]


def test_what_is_refused_ends_nothing(cluster: Cluster, loop: Loop) -> None:
    cluster.refuses = True
    loop.look(now=NOW)
    cluster.refuses = False

    loop.look(now=NOW)

    assert cluster.cordoned() == ["ill"]


def test_the_rules_are_read_as_they_were_written() -> None:
    assert read(written(RULES)) == RULES
