"""Unit: why a pod waits, in Kubernetes' words and in a team's.

The words are those of kube-scheduler, cluster-autoscaler and kubelet.
"""

import pytest

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.model import PodStatus
from tests.daskfleet.team.status.objects import event, pod, report_of

NO_GPU_FREE = (
    "0/5 nodes are available: 2 Insufficient nvidia.com/gpu, 3 node(s) didn't match Pod's node "
    "affinity/selector. no new claims to deallocate, preemption: 0/5 nodes are available: 2 No "
    "preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling."
)
NO_NODE_OF_THE_POOL = (
    "0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: scheduler}, 2 node(s) "
    "didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption "
    "is not helpful for scheduling."
)
CORDONED = (
    "0/5 nodes are available: 2 node(s) were unschedulable, 3 node(s) didn't match Pod's node "
    "affinity/selector. preemption: 0/5 nodes are available: 5 Preemption is not helpful for "
    "scheduling."
)
TOO_LITTLE_MEMORY = "0/2 nodes are available: 2 Insufficient memory."
NO_CLAIM = (
    '0/3 nodes are available: persistentvolumeclaim "reference" not found. preemption: 0/3 nodes '
    "are available: 3 Preemption is not helpful for scheduling."
)
CLAIM_UNBOUND = "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims."
SCALING_UP = (
    "pod triggered scale-up: [{https://www.googleapis.com/compute/v1/projects/p/zones/us-central1-a"
    "/instanceGroups/gke-rapids-a100-grp 0->1 (max: 2)}]"
)
AT_MOST = (
    "pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) didn't match Pod's node "
    "affinity/selector"
)
BACKING_OFF = (
    "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector, 1 in "
    "backoff after failed scale-up"
)
FAILED = (
    "Node scale up in zones us-central1-a associated with this pod failed: GCE out of resources. "
    "Pod is at risk of not being scheduled."
)


def the_one(waiting: KubernetesObject, *events: KubernetesObject) -> PodStatus:
    (found,) = report_of(waiting, events=events).pods
    assert not found.is_ready
    return found


@pytest.mark.parametrize(
    ("message", "means"),
    [
        (NO_CLAIM, "A claim that it mounts is missing, or has no volume yet"),
        (CLAIM_UNBOUND, "A claim that it mounts is missing, or has no volume yet"),
        (NO_GPU_FREE, "Every GPU of its pool is in use, or a new node has none yet"),
        (NO_NODE_OF_THE_POOL, "Its pool has no node at the moment"),
        (CORDONED, "A node of its pool takes no pods at the moment"),
        (TOO_LITTLE_MEMORY, "Its pool has no node with that much room"),
        ("0/0 nodes are available: .", "Its pool has no node at the moment"),
        ("no nodes available to schedule pods", ""),
        ("running PreBind plugin: context deadline exceeded", ""),
    ],
)
def test_kube_schedulers_words_are_quoted_and_said_in_a_teams(message: str, means: str) -> None:
    found = the_one(pod("w-1", unscheduled=message))

    assert (
        found.waits_for
        == f"not scheduled: {message.partition(' no new claims')[0]}".partition(" preemption:")[0]
    )
    assert found.means.startswith(means)
    assert bool(found.means) == bool(means)


@pytest.mark.parametrize(
    ("reason", "message", "means"),
    [
        ("TriggeredScaleUp", SCALING_UP, "A node is being made for it."),
        ("NotTriggerScaleUp", AT_MOST, "The pool is as large as the stack file lets it be"),
        ("NotTriggerScaleUp", BACKING_OFF, "Google could not give a node a moment ago"),
        ("FailedScaleUp", FAILED, "Google could not give a node:"),
    ],
)
def test_the_autoscaler_has_the_last_word(reason: str, message: str, means: str) -> None:
    said = event("w-1", reason, message, of_type="Normal")
    found = the_one(pod("w-1", unscheduled=NO_NODE_OF_THE_POOL), said)

    assert found.waits_for.endswith(f"{reason}: {message}")
    assert found.means.startswith(means)


def test_of_the_autoscalers_words_the_newest_counts() -> None:
    made = event("w-1", "TriggeredScaleUp", SCALING_UP, at="2026-11-23T08:40:00Z")
    failed = event("w-1", "FailedScaleUp", FAILED, at="2026-11-23T08:41:00Z")

    assert "GCE out of resources" in the_one(pod("w-1", unscheduled="x"), failed, made).waits_for


@pytest.mark.parametrize(
    ("reason", "means"),
    [
        ("ImagePullBackOff", "The image cannot be pulled"),
        ("ErrImagePull", "The image cannot be pulled"),
        ("CreateContainerConfigError", "A Secret or ConfigMap that it mounts is missing"),
        ("CrashLoopBackOff", "Its process ends again and again"),
        ("RunContainerError", ""),
    ],
)
def test_a_container_that_does_not_run_is_told_with_the_kubelets_reason(
    reason: str, means: str
) -> None:
    waiting = {"waiting": {"reason": reason, "message": "the kubelet's words"}}
    found = the_one(pod("w-1", ready=False, state=waiting))

    assert found.waits_for == f"container worker: {reason}: the kubelet's words"
    assert found.means.startswith(means)
    assert bool(found.means) == bool(means)


def test_a_crashing_pod_comes_with_the_command_that_says_why() -> None:
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 40s"}}
    found = the_one(pod("w-1", ready=False, state=waiting, restarts=3))

    assert "`daskfleet logs fraud w-1 --previous`" in found.means
    assert found.restarts == 3


def test_a_pod_that_starts_is_told_with_the_newest_warning() -> None:
    creating = {"waiting": {"reason": "ContainerCreating"}}
    quiet = the_one(pod("w-1", ready=False, state=creating))
    warned = the_one(
        pod("w-1", ready=False, state=creating),
        event("w-1", "FailedMount", 'secret "fraud-tls" not found'),
    )

    assert quiet.means.startswith("Its image is being pulled, or its process starts")
    assert warned.waits_for.endswith('FailedMount: secret "fraud-tls" not found')
    assert warned.means.startswith("A Secret, ConfigMap or disk")


def test_a_pod_on_its_way_out_is_not_ready() -> None:
    going = pod("w-1")
    going["metadata"]["deletionTimestamp"] = "2026-11-23T08:59:00Z"

    assert the_one(going).waits_for == "terminating"


def test_what_an_eviction_left_behind_is_no_pod_that_waits() -> None:
    assert report_of(pod("w-1", phase="Failed", ready=False)).pods == ()
