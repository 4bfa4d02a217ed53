"""Unit: the gate against an API server of a few lines, whose operator does as the real one does."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from aiohttp import web

from components.gates import namespace_watch, readiness_gate
from components.gates.namespace_api import NamespaceApi
from components.gates.readiness_gate import NotReadyError, wait_until_ready
from in_cluster.idle_controller.note import Note
from tests.components.cluster_objects import DECLARED
from tests.components.cluster_server import Cluster, Namespace, served


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_gate, "OPERATOR_PAUSE_S", 0.01)
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(namespace_watch, "BURST_S", 0)


def gate(cluster: Cluster, *, timeout_s: float = 5, busy_requests: int = 0) -> list[str]:
    """Run the gate; return what it reported."""
    reports: list[str] = []
    namespace = Namespace(cluster)
    namespace.busy_requests = busy_requests
    run_gate(namespace, timeout_s=timeout_s, reports=reports)
    return reports


def run_gate(
    namespace: Namespace,
    *,
    timeout_s: float,
    reports: list[str],
    meanwhile: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Run the gate, also when it ends with an error; ``meanwhile`` happens beside it."""

    async def run() -> None:
        async with served(namespace) as kubeconfig:
            api = await NamespaceApi.connect(kubeconfig, namespace="alpha")
            happening = asyncio.ensure_future(meanwhile()) if meanwhile else None
            await wait_until_ready(api, DECLARED, timeout_s=timeout_s, report=reports.append)
            if happening:
                happening.cancel()

    asyncio.run(run())


def test_a_ready_cluster_passes_without_a_write_and_without_a_word() -> None:
    cluster = Cluster()

    assert gate(cluster) == []
    assert cluster.phases == []


def test_workers_that_sleep_are_brought_back_when_the_team_may_sleep_no_more() -> None:
    cluster = Cluster()
    cluster.note = Note(since=datetime(2026, 11, 22, tzinfo=UTC), declared=2).annotations
    cluster.note = {key: value for key, value in cluster.note.items() if value}
    cluster.pods = cluster.pods[:1]

    (line,) = gate(cluster)

    assert line.endswith("the 2 workers that slept come back")
    assert cluster.note == {}


def test_a_pod_that_never_comes_ends_the_wait_with_its_name_and_reason() -> None:
    cluster = Cluster()
    cluster.pods[1]["status"]["conditions"] = [
        {"type": "PodScheduled", "status": "False", "message": "no GPU is free"}
    ]

    with pytest.raises(NotReadyError, match=r"pod w1: not scheduled: no GPU is free"):
        gate(cluster, timeout_s=0.1)


def test_what_is_waited_for_is_reported_once_and_not_at_every_look() -> None:
    cluster = Cluster()
    cluster.pods.pop()

    reports: list[str] = []

    with pytest.raises(NotReadyError):
        run_gate(Namespace(cluster), timeout_s=0.2, reports=reports)

    assert reports == ["0 of at most 0 s: 1 of 2 worker pods exist"]


def test_an_object_that_the_operator_lost_is_asked_for_and_comes_back() -> None:
    cluster = Cluster(phase="Running")
    cluster.children.remove("DaskWorkerGroup/alpha-default")

    reports = gate(cluster)

    assert cluster.phases == ["Created"]
    assert any("DaskWorkerGroup/alpha-default" in line for line in reports)


def test_a_creation_that_fails_once_is_tried_again() -> None:
    cluster = Cluster(failures=1, phase="Created", complete=False)

    gate(cluster)

    assert cluster.phases == ["Error", "Created"]


def test_a_creation_that_keeps_failing_ends_the_wait_with_the_operators_error() -> None:
    cluster = Cluster(failures=99, phase="Created", complete=False)

    with pytest.raises(NotReadyError, match=r"deployments\.apps is forbidden"):
        gate(cluster)


def test_a_failed_creation_is_left_in_a_phase_in_which_it_can_be_deleted() -> None:
    cluster = Cluster(failures=99, phase="Created", complete=False)

    with pytest.raises(NotReadyError):
        gate(cluster)

    assert cluster.document["status"]["phase"] == "Error"
    assert cluster.document["metadata"]["annotations"] == {}


def test_the_next_up_asks_again_for_what_an_earlier_one_gave_up() -> None:
    cluster = Cluster(failures=0, phase="Error", complete=False)

    gate(cluster)

    assert cluster.phases == ["Created"]


def test_a_cluster_that_no_operator_takes_up_is_left_in_a_phase_in_which_it_can_be_deleted() -> (
    None
):
    cluster = Cluster(complete=False)
    cluster.document["status"]["phase"] = "Created"

    with pytest.raises(NotReadyError, match="the Dask operator has not made"):
        gate(cluster, timeout_s=0.1)

    assert cluster.phases == ["Error"]


def test_a_cluster_deleted_behind_the_states_back_is_told_with_the_way_out() -> None:
    cluster = Cluster()
    cluster.exists = False

    with pytest.raises(NotReadyError, match="pulumi up --refresh"):
        gate(cluster)


def test_an_api_server_that_is_busy_for_a_moment_is_asked_again() -> None:
    reports = gate(Cluster(), busy_requests=3)

    assert reports == [
        "0 of at most 5 s: the Kubernetes API does not answer: storage is (re)initializing"
    ]


def test_a_cluster_that_is_ready_at_the_first_look_is_not_watched() -> None:
    namespace = Namespace(Cluster())

    run_gate(namespace, timeout_s=5, reports=[])

    assert (namespace.looks, namespace.watches.opened) == (1, 0)


def test_the_last_pod_that_becomes_ready_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespace_watch, "LOOK_EVERY_S", 60)
    namespace = Namespace(cluster := Cluster())
    last = cluster.pods.pop()

    async def become_ready() -> None:
        await asyncio.sleep(0.5)
        cluster.pods.append(last)
        namespace.watches.tell()

    started = time.monotonic()
    run_gate(namespace, timeout_s=60, reports=[], meanwhile=become_ready)

    assert time.monotonic() - started < 10
    assert namespace.watches.opened == 1


def test_the_operator_is_left_alone_while_it_is_at_work_however_much_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readiness_gate, "OPERATOR_PAUSE_S", 1)
    namespace = Namespace(cluster := Cluster(phase="Running"))
    cluster.children.remove(late := "DaskWorkerGroup/alpha-default")

    async def work() -> None:
        for _ in range(50):
            namespace.watches.tell()
            await asyncio.sleep(0.01)
        cluster.children.append(late)

    run_gate(namespace, timeout_s=10, reports=[], meanwhile=work)

    assert cluster.phases == []


def test_a_failure_that_cannot_be_taken_back_at_once_is_still_one_failure() -> None:
    class Unwritable(Cluster):
        refusals = 5

        def write(self, patch: dict[str, Any]) -> None:
            if self.refusals:
                self.refusals -= 1
                raise web.HTTPServiceUnavailable
            super().write(patch)

    cluster = Unwritable(failures=1, phase="Created", complete=False)

    gate(cluster)

    assert cluster.phases == ["Error", "Created"]
