"""Unit: the status document, as a kubelet writes it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rehearsal.dask_pods.states import ContainerSeen, Running, Terminated, Waiting
from rehearsal.dask_pods.status import PodSeen, Status, pod_status
from tests.rehearsal.dask_pods.pods import place, pod

START = datetime(2026, 11, 21, 21, 0, 0, tzinfo=UTC)
PLACED = {"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-11-21T20:59:59Z"}

RUNNING = Running(started_at=START)
CREATING = Waiting(reason="ContainerCreating")
BACK_OFF = Waiting(reason="CrashLoopBackOff", message="back-off 10s restarting")


def ended(code: int) -> Terminated:
    return Terminated(
        exit_code=code,
        reason="Error" if code else "Completed",
        started_at=START,
        finished_at=START + timedelta(seconds=5),
        container_id="process://7",
    )


def container(
    state: Waiting | Running | Terminated,
    *,
    name: str = "main",
    last: Terminated | None = None,
    is_ready: bool = False,
) -> ContainerSeen:
    return ContainerSeen(
        name=name,
        image="example/dask:1",
        image_id="python:///usr/bin/python3",
        container_id="process://7",
        state=state,
        last_state=last,
        restart_count=0 if last is None else 1,
        is_started=isinstance(state, Running),
        is_ready=is_ready,
    )


def status(
    tmp_path: Path,
    *containers: ContainerSeen,
    before: Status | None = None,
    later_s: int = 0,
    has_volumes: bool = True,
    has_ended: bool = False,
    policy: str = "Always",
) -> Status:
    return pod_status(
        pod(restartPolicy=policy),
        PodSeen(containers=containers, has_volumes=has_volumes, has_ended=has_ended),
        place=place(tmp_path),
        started_at=START,
        before=before or {"conditions": [PLACED], "qosClass": "Burstable"},
        now=START + timedelta(seconds=later_s),
    )


def conditions(document: Status) -> dict[str, str]:
    return {condition["type"]: condition["status"] for condition in document["conditions"]}


def condition(document: Status, name: str) -> dict[str, Any]:
    (found,) = (c for c in document["conditions"] if c["type"] == name)
    wanted: dict[str, Any] = found
    return wanted


@pytest.mark.parametrize(
    ("containers", "policy", "has_ended", "phase"),
    [
        ([container(CREATING)], "Always", False, "Pending"),
        ([container(RUNNING), container(CREATING)], "Always", False, "Pending"),
        ([container(RUNNING)], "Always", False, "Running"),
        ([container(BACK_OFF, last=ended(1))], "Always", False, "Running"),
        ([container(ended(0))], "Always", False, "Running"),
        ([container(ended(0))], "OnFailure", False, "Succeeded"),
        ([container(ended(1))], "OnFailure", False, "Running"),
        ([container(ended(0))], "Never", False, "Succeeded"),
        ([container(ended(1))], "Never", False, "Failed"),
        ([container(ended(0)), container(ended(3))], "Never", False, "Failed"),
        ([container(ended(0)), container(RUNNING)], "Never", False, "Running"),
        ([container(ended(0))], "Always", True, "Succeeded"),
        ([container(ended(0)), container(ended(137))], "Always", True, "Failed"),
        ([container(CREATING)], "Always", True, "Failed"),
    ],
)
def test_the_phase_follows_the_containers_and_the_restart_policy(
    tmp_path: Path,
    containers: list[ContainerSeen],
    policy: str,
    has_ended: bool,  # noqa: FBT001
    phase: str,
) -> None:
    found = status(tmp_path, *containers, policy=policy, has_ended=has_ended)
    assert found["phase"] == phase


def test_addresses_times_and_class_are_told(tmp_path: Path) -> None:
    found = status(tmp_path, container(RUNNING))
    assert found["podIP"] == "198.18.3.4"
    assert found["podIPs"] == [{"ip": "198.18.3.4"}]
    assert found["hostIP"] == "10.128.0.7"
    assert found["startTime"] == "2026-11-21T21:00:00Z"
    assert found["qosClass"] == "Burstable"


def test_a_pod_is_ready_when_every_container_is(tmp_path: Path) -> None:
    one, other = container(RUNNING, is_ready=True), container(RUNNING, name="second")
    found = status(tmp_path, one, other)
    assert conditions(found) == {
        "PodScheduled": "True",
        "PodReadyToStartContainers": "True",
        "Initialized": "True",
        "ContainersReady": "False",
        "Ready": "False",
    }
    unready = condition(found, "Ready")
    assert unready["reason"] == "ContainersNotReady"
    assert unready["message"] == "containers with unready status: [second]"
    ready = status(tmp_path, one, container(RUNNING, name="second", is_ready=True))
    assert conditions(ready)["Ready"] == "True"
    assert "reason" not in condition(ready, "Ready")


def test_without_its_volumes_nothing_is_ready_to_start(tmp_path: Path) -> None:
    found = conditions(status(tmp_path, container(CREATING), has_volumes=False))
    assert found["PodReadyToStartContainers"] == found["Initialized"] == "False"


def test_a_conditions_time_moves_when_it_changes_and_only_then(tmp_path: Path) -> None:
    first = status(tmp_path, container(RUNNING))
    same = status(tmp_path, container(RUNNING), before=first, later_s=60)
    assert same == first
    ready = status(tmp_path, container(RUNNING, is_ready=True), before=same, later_s=90)
    assert condition(ready, "Ready")["lastTransitionTime"] == "2026-11-21T21:01:30Z"
    assert condition(ready, "Initialized")["lastTransitionTime"] == "2026-11-21T21:00:00Z"
    assert condition(ready, "PodScheduled") == PLACED


def test_a_pod_that_is_over_says_so(tmp_path: Path) -> None:
    over = status(tmp_path, container(ended(0)), has_ended=True)
    assert condition(over, "Ready")["reason"] == "PodCompleted"
    assert conditions(over)["PodReadyToStartContainers"] == "False"
    failed = status(tmp_path, container(ended(137)), has_ended=True)
    assert condition(failed, "Ready")["reason"] == "PodFailed"


def test_a_container_tells_its_state_its_last_one_and_its_restarts(tmp_path: Path) -> None:
    (told,) = status(tmp_path, container(BACK_OFF, last=ended(3)))["containerStatuses"]
    assert told == {
        "name": "main",
        "image": "example/dask:1",
        "imageID": "python:///usr/bin/python3",
        "containerID": "process://7",
        "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 10s restarting"}},
        "lastState": {
            "terminated": {
                "exitCode": 3,
                "reason": "Error",
                "startedAt": "2026-11-21T21:00:00Z",
                "finishedAt": "2026-11-21T21:00:05Z",
                "containerID": "process://7",
            }
        },
        "restartCount": 1,
        "started": False,
        "ready": False,
    }
    (told,) = status(tmp_path, container(RUNNING, is_ready=True))["containerStatuses"]
    assert told["state"] == {"running": {"startedAt": "2026-11-21T21:00:00Z"}}
    assert told["lastState"] == {}
    assert told["ready"] is told["started"] is True
