"""Unit tests: why something is not ready, in the cluster's own words."""

from typing import Any

import pytest

from rehearsal.providers.kubernetes.failure_reasons import (
    condition_problems,
    event_texts,
    pod_problems,
)


def pod(**status: Any) -> dict[str, Any]:
    return {"metadata": {"name": "p"}, "status": status}


def test_the_schedulers_reason_is_told() -> None:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.",
    }
    assert list(pod_problems(pod(conditions=[condition]))) == [
        "pod p: Unschedulable: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
    ]


@pytest.mark.parametrize(
    "condition",
    [
        {"type": "PodScheduled", "status": "True", "reason": "r"},
        {"type": "Ready", "status": "False", "reason": "ContainersNotReady"},
    ],
)
def test_what_is_no_trouble_or_only_its_effect_is_not_told(condition: dict[str, str]) -> None:
    assert list(pod_problems(pod(conditions=[condition]))) == []


def test_a_container_that_cannot_start_is_told_and_one_being_made_is_not() -> None:
    failing = {
        "name": "c",
        "state": {"waiting": {"reason": "ImagePullBackOff", "message": "no such image"}},
    }
    starting = {"name": "d", "state": {"waiting": {"reason": "ContainerCreating"}}}
    assert list(pod_problems(pod(containerStatuses=[failing, starting]))) == [
        "pod p, container c: ImagePullBackOff: no such image"
    ]


def test_an_exit_code_is_told() -> None:
    ended = {"name": "init", "state": {"terminated": {"exitCode": 3}}}
    done = {"name": "done", "state": {"terminated": {"exitCode": 0}}}
    assert list(pod_problems(pod(initContainerStatuses=[ended, done]))) == [
        "pod p, container init: ended with exit code 3"
    ]


def test_a_replica_failure_is_told() -> None:
    live = {
        "kind": "Deployment",
        "metadata": {"name": "web"},
        "status": {
            "conditions": [
                {"type": "ReplicaFailure", "status": "True", "message": "exceeded quota"},
                {"type": "Progressing", "status": "True", "reason": "ReplicaSetUpdated"},
                {"type": "ReplicaFailure", "status": "False", "message": "over"},
                {"type": "Progressing", "reason": "ProgressDeadlineExceeded", "message": "late"},
            ]
        },
    }
    assert list(condition_problems(live)) == [
        "Deployment web: exceeded quota",
        "Deployment web: late",
    ]


def test_only_events_about_our_objects_are_told_newest_first() -> None:
    def event(uid: str, message: str, time: str) -> dict[str, Any]:
        about = {"uid": uid, "kind": "Pod", "name": "p"}
        return {"involvedObject": about, "reason": "R", "message": message, "lastTimestamp": time}

    events = [event("1", "old", "01:00"), event("2", "other", "01:01"), event("1", "new", "01:02")]
    assert list(event_texts(events, {"1"})) == ["Pod p: R: new", "Pod p: R: old"]
