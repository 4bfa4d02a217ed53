"""Unit: the reason why a pod is not ready, taken from whoever holds it up."""

from daskfleet.pod_status import why_not_ready
from tests.components.cluster_objects import IMAGE, event, pod


def test_an_unscheduled_pod_quotes_the_scheduler_without_its_digression_on_preemption() -> None:
    waiting = pod(
        "w1",
        scheduled="0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to "
        "deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful.",
    )

    assert why_not_ready(waiting, image=IMAGE, events=()) == (
        "not scheduled: 0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
    )


def test_an_unscheduled_pod_quotes_what_the_autoscaler_said_last() -> None:
    events = (
        event("w1", "TriggeredScaleUp", "pod triggered scale-up", kind="Normal", at="2026-01-01"),
        event(
            "w1", "NotTriggerScaleUp", "max node group size reached", kind="Normal", at="2026-02"
        ),
        event("other", "TriggeredScaleUp", "not about this pod", kind="Normal", at="2026-03"),
    )

    reason = why_not_ready(pod("w1", scheduled="no room"), image=IMAGE, events=events)

    assert reason == "not scheduled: no room; NotTriggerScaleUp: max node group size reached"


def test_a_pod_whose_image_cannot_be_pulled_says_so() -> None:
    containers = [
        {
            "name": "worker",
            "state": {"waiting": {"reason": "ImagePullBackOff", "message": "not found"}},
        }
    ]

    reason = why_not_ready(pod("w1", ready=False, containers=containers), image=IMAGE, events=())

    assert reason == "container worker: ImagePullBackOff: not found"


def test_a_crashing_pod_says_with_which_exit_code() -> None:
    containers = [
        {
            "name": "worker",
            "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}},
            "lastState": {"terminated": {"exitCode": 127}},
        }
    ]

    reason = why_not_ready(pod("w1", ready=False, containers=containers), image=IMAGE, events=())

    assert reason == "container worker: CrashLoopBackOff: back-off 5m0s (last exit code 127)"


def test_a_pod_that_the_kubelet_is_still_starting_quotes_the_latest_warning() -> None:
    containers = [{"name": "worker", "state": {"waiting": {"reason": "ContainerCreating"}}}]
    events = (event("w1", "FailedMount", "no such volume"),)

    reason = why_not_ready(
        pod("w1", ready=False, containers=containers), image=IMAGE, events=events
    )

    assert reason == "on node node-1, not ready; FailedMount: no such volume"


def test_a_ready_pod_has_no_reason() -> None:
    assert why_not_ready(pod("w1"), image=IMAGE, events=()) is None
