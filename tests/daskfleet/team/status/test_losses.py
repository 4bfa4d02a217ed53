"""Unit: which pods and processes ended of late, and why."""

from typing import Any

import pytest

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.model import Loss
from tests.daskfleet.team.status.objects import HEALTHY, event, pod, report_of

AT = "2026-11-23T08:55:00Z"


def losses(*pods: KubernetesObject, events: tuple[KubernetesObject, ...] = ()) -> tuple[Loss, ...]:
    return report_of(*pods, events=events).losses


def ended(reason: str, code: int, **further: Any) -> dict[str, Any]:
    return {"terminated": {"reason": reason, "exitCode": code, "finishedAt": AT, **further}}


def test_who_ran_out_of_memory_is_told_with_the_limit() -> None:
    (loss,) = losses(pod("w-1", last_state=ended("OOMKilled", 137), restarts=1, memory="64Gi"))

    assert (loss.at, loss.pod) == (AT, "w-1")
    assert loss.why.startswith("out of memory (OOMKilled): it needed more than its limit of 64Gi")


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (ended("Error", 137), "killed from outside (exit code 137, Error)"),
        (ended("Error", 1), "ended with exit code 1 (Error)"),
        (ended("Completed", 0), "ended with exit code 0 (Completed)"),
        (
            ended("ContainerStatusUnknown", 137, message="it is not there"),
            "killed from outside (exit code 137, ContainerStatusUnknown: it is not there)",
        ),
    ],
)
def test_another_end_is_told_as_the_kubelet_has_it(state: dict[str, Any], why: str) -> None:
    assert [loss.why for loss in losses(pod("w-1", last_state=state, restarts=1))] == [why]


def test_an_init_container_that_has_done_its_work_is_no_loss() -> None:
    prepared = {"initContainerStatuses": [{"name": "prepare", "state": ended("Completed", 0)}]}

    assert losses(pod("w-1", status=prepared)) == ()


def test_an_evicted_pod_is_told_in_the_kubelets_words() -> None:
    status = {
        "phase": "Failed",
        "reason": "Evicted",
        "message": "The node was low on resource: ephemeral-storage.",
    }
    (loss,) = losses(*HEALTHY, pod("w-0", ready=False, status=status))

    assert loss.why == "Evicted: The node was low on resource: ephemeral-storage."


def test_a_pod_whose_node_goes_is_told_by_its_condition() -> None:
    leaving = pod("w-1")
    leaving["status"]["conditions"].append(
        {
            "type": "DisruptionTarget",
            "status": "True",
            "reason": "DeletionByTaintManager",
            "message": "Taint manager: deleting due to NoExecute taint",
            "lastTransitionTime": AT,
        }
    )
    (loss,) = losses(leaving)

    assert (loss.at, loss.why) == (
        AT,
        "DeletionByTaintManager: Taint manager: deleting due to NoExecute taint",
    )


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        ("Evicted", "The node had condition: [DiskPressure]."),
        ("NodeNotReady", "Node is not ready"),
        ("TaintManagerEviction", "Marking for deletion Pod fraud/w-0"),
        ("Preempted", "Preempted by pod 0a1b on node n1"),
    ],
)
def test_a_pod_that_is_gone_is_told_by_its_events(reason: str, message: str) -> None:
    (loss,) = losses(*HEALTHY, events=(event("w-0", reason, message),))

    assert (loss.pod, loss.why) == ("w-0", f"{reason}: {message}")


def test_a_pod_that_stays_after_all_is_no_loss() -> None:
    events = (
        event("w-1", "TaintManagerEviction", "Marking for deletion Pod fraud/w-1"),
        event(
            "w-1",
            "TaintManagerEviction",
            "Cancelling deletion of Pod fraud/w-1",
            at="2026-11-23T08:51:00Z",
        ),
    )

    assert losses(*HEALTHY, events=events) == ()


def test_the_newest_come_first_and_there_is_an_end_to_them() -> None:
    events = tuple(
        event(f"w-{place}", "Evicted", "gone", at=f"2026-11-23T08:{place:02}:00Z")
        for place in range(30)
    )
    found = losses(events=events)

    assert [loss.pod for loss in found[:2]] == ["w-29", "w-28"]
    assert len(found) == 10
