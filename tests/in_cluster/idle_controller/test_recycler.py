"""Unit: what the controller asks, ends and notes of processes, against APIs of a few lines."""

import json
import ssl
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from in_cluster.idle_controller.apis import DaskApi, Schedulers
from in_cluster.idle_controller.loop import Loop
from in_cluster.idle_controller.recycle_note import SchedulerNote
from in_cluster.idle_controller.rules import Recycling, Rule

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
STARTED = NOW - timedelta(hours=200)
RULE = Rule(
    namespace="fraud",
    sleep_after_s=None,
    hours=None,
    recycling=Recycling(after_s=168 * 3600, above_memory_percent=80, hours=None),
)
GROUP = "/apis/kubernetes.dask.org/v1/namespaces/fraud/daskworkergroups/fraud-default"
CLUSTERS = "/apis/kubernetes.dask.org/v1/namespaces/fraud/daskclusters"
PODS = "/api/v1/namespaces/fraud/pods"


def pod(name: str, started: datetime) -> dict[str, Any]:
    component = "scheduler" if name == "scheduler" else "worker"
    environment = [{"name": "DASK_WORKER_NAME", "value": name}]
    running = {"startedAt": started.isoformat()}
    return {
        "metadata": {
            "name": name,
            "uid": f"uid-{name}",
            "labels": {"dask.org/component": component},
        },
        "spec": {"containers": [{"name": "c", "env": environment}]},
        "status": {
            "conditions": [{"type": "Ready", "status": "True"}],
            "containerStatuses": [{"state": {"running": running}}],
        },
    }


def worker(name: str) -> dict[str, Any]:
    metrics = {"task_counts": {}, "managed_bytes": 0, "spilled_bytes": {"memory": 0}, "memory": 1}
    return {"name": name, "status": "running", "metrics": metrics}


class Team:
    """The Kubernetes API and the scheduler of one team, with old workers and an old scheduler."""

    def __init__(self) -> None:
        self.annotations: dict[str, str] = {}
        self.pods = {name: pod(name, STARTED) for name in ("scheduler", "a", "b")}
        self.counts = {"tasks": 3, "memory": 2, "clients": 2, "workers": 2, "desired_workers": 0}
        self.movable = True
        self.busy = self.slow = False
        self.looks = 0
        self.asked: list[str] = []

    @property
    def note(self) -> SchedulerNote | None:
        """What is noted of the scheduler."""
        return SchedulerNote.of({"metadata": {"annotations": self.annotations}})

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer as the two do."""
        path = request.url.path
        if request.method != "GET":
            self.asked.append(f"{request.method} {path}")
        body = json.loads(request.content or b"null")
        if path == "/json/identity.json":
            self.looks += 1
            if self.busy:
                return httpx.Response(500, text="Internal Server Error")
        if path == "/metrics":
            return httpx.Response(200, content=b"process_resident_memory_bytes 5\n")
        return httpx.Response(200, json=self._document(path, body))

    def _document(self, path: str, body: Any) -> Any:
        if path == "/api/v1/retire_workers" and self.slow:
            raise httpx.ReadTimeout("10 s")
        if path == "/api/v1/retire_workers":
            return {each: {} for each in body["workers"]} if self.movable else {}
        if path.startswith(f"{PODS}/"):
            name = path.rpartition("/")[2]
            assert body == {"preconditions": {"uid": f"uid-{name}"}}
            return self.pods.pop(name)
        if path == GROUP and body:
            for key, value in body["metadata"]["annotations"].items():
                self.annotations |= {key: value} if value is not None else {}
                if value is None:
                    self.annotations.pop(key, None)
        metadata = {"name": "fraud", "namespace": "fraud", "resourceVersion": "1"}
        spec = {"worker": {"replicas": 2}}
        return {
            CLUSTERS: {"items": [{"metadata": metadata, "spec": spec}]},
            GROUP: {
                "metadata": {**metadata, "name": "fraud-default", "annotations": self.annotations},
                "spec": spec,
            },
            PODS: {"items": [*self.pods.values()]},
            "/api/v1/check_idle": {"idle_since": (NOW - timedelta(hours=1)).timestamp()},
            "/json/counts.json": self.counts,
            "/json/identity.json": {"workers": {f"tcp://{n}:1": worker(n) for n in ("a", "b")}},
        }[path]


@pytest.fixture
def team() -> Team:
    return Team()


@pytest.fixture
def loop(team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loop:
    token = tmp_path / "token"
    token.write_text("of-today", encoding="ascii")
    transport = httpx.MockTransport(team.answer)
    monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=transport))
    monkeypatch.setattr(httpx, "AsyncClient", partial(httpx.AsyncClient, transport=transport))
    monkeypatch.setattr(ssl, "create_default_context", lambda **_: None)
    api = DaskApi(server="https://10.8.0.1:443", token_file=token, ca_file=tmp_path / "ca.crt")
    loop = Loop(api, Schedulers(), [RULE])
    loop.look(RULE, now=NOW)
    assert team.note == SchedulerNote(started=STARTED)
    team.asked.clear()
    return loop


def test_one_worker_is_retired_and_noted_and_no_pod_is_deleted(team: Team, loop: Loop) -> None:
    loop.look(RULE, now=NOW)

    assert team.asked == ["POST /api/v1/retire_workers", f"PATCH {GROUP}"]
    assert team.annotations["recycle.daskfleet/worker"] == "a"


def test_who_cannot_hand_over_what_it_holds_is_left_alone_for_a_while(
    team: Team, loop: Loop
) -> None:
    team.movable = False
    for passed_s in (0, 10, 590):
        loop.look(RULE, now=NOW + timedelta(seconds=passed_s))

    assert team.asked == ["POST /api/v1/retire_workers"]
    loop.look(RULE, now=NOW + timedelta(seconds=601))
    assert len(team.asked) == 2


def test_a_retirement_that_takes_long_goes_on_and_is_not_told_as_done(
    team: Team, loop: Loop
) -> None:
    team.slow = True
    for passed_s in (0, 10, 59):
        loop.look(RULE, now=NOW + timedelta(seconds=passed_s))

    assert team.asked == ["POST /api/v1/retire_workers"]
    assert "recycle.daskfleet/worker" not in team.annotations


def test_a_scheduler_that_holds_nothing_is_noted_then_deleted_and_its_successor_says_so(
    team: Team, loop: Loop
) -> None:
    team.counts |= {"tasks": 0, "memory": 0, "clients": 1}

    loop.look(RULE, now=NOW)

    assert team.asked == [f"PATCH {GROUP}", f"DELETE {PODS}/scheduler"]
    assert team.note is not None
    assert team.note.ends
    team.pods["scheduler"] = pod("scheduler", NOW)
    loop.look(RULE, now=NOW + timedelta(seconds=20))
    assert team.note.text == (
        "scheduler began anew at 2026-11-23 12:00 UTC (scheduler runs for 200.0 h); the one before "
        "it held 0 tasks, 0 results in memory, 0 clients"
    )


def test_a_scheduler_that_ended_by_itself_is_told_with_what_was_seen_last(
    team: Team, loop: Loop
) -> None:
    loop.look(RULE, now=NOW)
    team.pods["scheduler"] = pod("scheduler", NOW)

    loop.look(RULE, now=NOW + timedelta(seconds=10))

    assert team.note is not None
    assert team.note.held == "3 tasks, 2 results in memory, 1 client"


def test_a_scheduler_that_cannot_tell_of_its_processes_is_not_asked_at_once_again(
    team: Team, loop: Loop
) -> None:
    team.busy = True
    for passed_s in (0, 10, 59):
        loop.look(RULE, now=NOW + timedelta(seconds=passed_s))

    assert (team.looks, team.asked) == (1, [])
    team.busy = False
    loop.look(RULE, now=NOW + timedelta(seconds=61))
    assert "POST /api/v1/retire_workers" in team.asked


def test_a_team_without_the_setting_is_not_even_asked(team: Team, loop: Loop) -> None:
    del team.pods["scheduler"]["spec"]  # would not be understood

    loop.look(Rule(namespace="fraud", sleep_after_s=None, hours=None), now=NOW)

    assert team.asked == []
