"""Unit: what the controller asks and writes, against APIs of a few lines."""

import json
import ssl
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from in_cluster.idle_controller.apis import DaskApi, Schedulers
from in_cluster.idle_controller.loop import LOOK_EVERY_S, SHORTEST_PAUSE_S, Loop, pause_s
from in_cluster.idle_controller.note import Note, asleep
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Rule

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""A Monday."""

RULE = Rule(
    namespace="fraud",
    sleep_after_s=60,
    hours=OpeningHours(windows=tuple(Window(d, 420, 1200) for d in range(5)), zone="UTC"),
)
NO_WORK = {"memory": 0, "desired_workers": 0, "tasks": 0, "clients": 1}
GROUPS = "/apis/kubernetes.dask.org/v1/namespaces/fraud/daskworkergroups/fraud-default"


class Cluster:
    """The Kubernetes API and the scheduler of one team."""

    def __init__(self) -> None:
        self.group: dict[str, Any] = {
            "metadata": {
                "name": "fraud-default",
                "namespace": "fraud",
                "resourceVersion": "1",
                "annotations": {"kept": "yes"},
            },
            "spec": {"worker": {"replicas": 2}},
        }
        self.counts: dict[str, int] | None = {**NO_WORK, "workers": 2}
        self.idle_since: float | None = (NOW - timedelta(hours=1)).timestamp()
        self.refuses = False
        self.has_group = True
        self.patches: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer as the two do."""
        if request.url.host == "fraud-scheduler.fraud.svc":
            return self._scheduler(request)
        assert request.headers["Authorization"] == "Bearer of-today"
        if self.refuses:
            return httpx.Response(403, json={"message": "forbidden"})
        if request.url.path.endswith("/daskclusters"):
            assert request.url.params["labelSelector"] == "app.kubernetes.io/part-of=daskfleet"
            metadata = {"name": "fraud", "namespace": "fraud"}
            spec = {"worker": {"replicas": 2}}
            return httpx.Response(200, json={"items": [{"metadata": metadata, "spec": spec}]})
        assert request.url.path == GROUPS
        if not self.has_group:
            return httpx.Response(404, json={"message": "not found"})
        if request.method == "PATCH":
            self._patch(request)
        return httpx.Response(200, json=self.group)

    def _scheduler(self, request: httpx.Request) -> httpx.Response:
        if self.counts is None:
            raise httpx.ConnectError("refused")
        paths = {
            "/api/v1/check_idle": {"idle_since": self.idle_since},
            "/json/counts.json": self.counts,
        }
        return httpx.Response(200, json=paths[request.url.path])

    def _patch(self, request: httpx.Request) -> None:
        assert request.headers["Content-Type"] == "application/merge-patch+json"
        assert request.url.params["fieldManager"] == "daskfleet-idle-controller"
        self.patches.append(request)
        patch = json.loads(request.content)
        assert patch["metadata"]["resourceVersion"] == self.group["metadata"]["resourceVersion"]
        self.group["spec"]["worker"].update(patch.get("spec", {}).get("worker", {}))
        annotations = self.group["metadata"]["annotations"] | patch["metadata"]["annotations"]
        self.group["metadata"]["annotations"] = {k: v for k, v in annotations.items() if v}


@pytest.fixture
def cluster() -> Cluster:
    return Cluster()


@pytest.fixture
def loop(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Loop:
    token = tmp_path / "token"
    token.write_text("of-today\n", encoding="ascii")
    transport = httpx.MockTransport(cluster.answer)
    monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=transport))
    monkeypatch.setattr(httpx, "AsyncClient", partial(httpx.AsyncClient, transport=transport))
    monkeypatch.setattr(ssl, "create_default_context", lambda **_: None)
    api = DaskApi(server="https://10.8.0.1:443", token_file=token, ca_file=tmp_path / "ca.crt")
    return Loop(api, Schedulers(), [RULE])


def asleep_at(loop: Loop, moment: datetime) -> None:
    """Look twice, an hour apart."""
    loop.look(RULE, now=moment - timedelta(hours=1))
    loop.look(RULE, now=moment)


def test_an_idle_team_loses_its_workers_and_gets_a_note_in_one_request(
    cluster: Cluster, loop: Loop
) -> None:
    asleep_at(loop, NOW)

    assert len(cluster.patches) == 1
    assert asleep(cluster.group) == Note(
        since=NOW, declared=2, opens_at=datetime(2026, 11, 24, 7, tzinfo=UTC)
    )
    assert cluster.group["metadata"]["annotations"]["kept"] == "yes"


def test_a_task_that_waits_brings_them_back_and_the_note_goes(cluster: Cluster, loop: Loop) -> None:
    asleep_at(loop, NOW)
    cluster.counts = {**NO_WORK, "workers": 0, "desired_workers": 1}

    loop.look(RULE, now=NOW + timedelta(minutes=1))

    assert cluster.group["spec"]["worker"]["replicas"] == 2
    assert cluster.group["metadata"]["annotations"] == {"kept": "yes"}


def test_what_a_member_has_scaled_is_left_and_the_note_goes(cluster: Cluster, loop: Loop) -> None:
    asleep_at(loop, NOW)
    cluster.group["spec"]["worker"]["replicas"] = 1

    loop.look(RULE, now=NOW + timedelta(minutes=1))

    assert cluster.group["spec"]["worker"]["replicas"] == 1
    assert Note.of(cluster.group) is None


def test_looking_at_what_stays_as_it_is_writes_nothing(cluster: Cluster, loop: Loop) -> None:
    cluster.idle_since = None
    for minutes in range(5):
        loop.look(RULE, now=NOW + timedelta(minutes=minutes))

    assert cluster.patches == []


@pytest.mark.parametrize("what", ["api", "scheduler"])
def test_who_does_not_answer_is_asked_again_and_ends_nothing(
    what: str, cluster: Cluster, loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="idle-controller")
    if what == "api":
        cluster.refuses = True
    else:
        cluster.counts = None

    asleep_at(loop, NOW)

    assert cluster.patches == []
    assert len(caplog.messages) == 1
    assert "does not answer" in caplog.messages[0]


def test_a_team_whose_group_is_not_there_yet_is_left_alone(
    cluster: Cluster, loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="idle-controller")
    cluster.has_group = False

    asleep_at(loop, NOW)

    assert cluster.patches == []
    assert caplog.messages == []


def test_a_team_without_hours_is_not_told_when_it_wakes(cluster: Cluster, loop: Loop) -> None:
    rule = replace(RULE, hours=None)
    loop.look(rule, now=NOW - timedelta(hours=1))
    loop.look(rule, now=NOW)

    assert asleep(cluster.group) == Note(since=NOW, declared=2, opens_at=None)


def test_it_looks_at_every_team_again_and_again(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    paused: list[float] = []

    def pause(seconds: float) -> None:
        paused.append(seconds)
        if len(paused) == 2:
            raise SystemExit

    monkeypatch.setattr(time, "sleep", pause)
    monkeypatch.setattr(Loop, "look", lambda _, rule, *, now: looked.append(rule.namespace))  # noqa: ARG005
    with pytest.raises(SystemExit):
        loop.run()

    assert looked == ["fraud", "fraud"]
    assert paused == [LOOK_EVERY_S, LOOK_EVERY_S]


@pytest.mark.parametrize(
    ("after_s", "expected_s"), [(6, SHORTEST_PAUSE_S), (30, 5), (1800, LOOK_EVERY_S)]
)
def test_who_sleeps_sooner_is_looked_at_more_often(after_s: float, expected_s: float) -> None:
    assert pause_s([Rule(namespace="a", sleep_after_s=after_s, hours=None)]) == expected_s
