"""Pure: what it means for a team that a pod waits; Kubernetes' words are for its operators."""

import re

from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.pod_status import Hindrance, Stage

A_NEW_NODE = "With its GPU driver and the image that takes 8 to 19 minutes."
"""docs/README.md, "Is it me or the cluster?"."""

BY_AUTOSCALER = {
    "TriggeredScaleUp": f"A node is being made for it. {A_NEW_NODE}",
    "FailedScaleUp": "Google could not give a node: its message says whether machines or quota "
    "are lacking. GKE tries again by itself; platform engineers see more in `daskfleet doctor`.",
}
NO_SCALE_UP = {
    "in backoff after failed scale-up": "Google could not give a node a moment ago, for lack of "
    "machines or of quota. GKE tries again by itself.",
    "max node group size reached": "The pool is as large as the stack file lets it be, and its "
    "GPUs are in use: by other teams, or by clusters of your own. For more, raise `max_nodes` in "
    "the stack file.",
}
"""cluster-autoscaler's words (``core/scaleup``); the first that fits is told."""

PULLING = ("ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ImageInspectError")
BY_REASON = {
    **dict.fromkeys(
        PULLING,
        "The image cannot be pulled: a name that does not exist, or a registry that refuses. See "
        "`image` and `pull_secret` in the stack file.",
    ),
    "CrashLoopBackOff": "Its process ends again and again. Its last log: "
    "`daskfleet logs {team} {pod} --previous`.",
    "CreateContainerConfigError": "A Secret or ConfigMap that it mounts is missing. Platform "
    "engineers make it if `secrets` in the stack file names it, or run `pulumi up --refresh`.",
    "FailedMount": "A Secret, ConfigMap or disk that it mounts is not there yet. After minutes it "
    "is missing: platform engineers make it if `secrets` or `volumes` in the stack file names it, "
    "or run `pulumi up --refresh`.",
    "Unhealthy": "Its process runs and does not answer yet. `daskfleet logs {team} {pod}` says "
    "what it does.",
}
BY_STAGE = {
    Stage.LEAVING: "It is ending, and hands over the results that it holds.",
    Stage.WITH_ANOTHER_IMAGE: "A rollout is going on, or was interrupted.",
    Stage.STARTING: "Its image is being pulled, or its process starts.",
}

BY_SCHEDULER = {
    **dict.fromkeys(
        ("persistentvolumeclaim ", "unbound immediate PersistentVolumeClaims"),
        "A claim that it mounts is missing, or has no volume yet. Platform engineers make both if "
        "`volumes` in the stack file names it.",
    ),
    f"Insufficient {GPU_RESOURCE}": "Every GPU of its pool is in use, or a new node has none yet: "
    "a node gets its GPUs with the driver, minutes after it comes.",
    "Insufficient": "Its pool has no node with that much room.",
    "were unschedulable": "A node of its pool takes no pods at the moment: GKE upgrades or repairs "
    "it.",
}
"""kube-scheduler's words, of which the first that fit are told."""

NODES = re.compile(r"^\d+/(?P<all>\d+) nodes are available")
COUNTED = re.compile(r"(?P<count>\d+) (?P<why>[^,.]*(?:\{[^}]*\}[^,.]*)*)")
ELSEWHERE = ("didn't match Pod's node affinity", "had untolerated taint", "didn't satisfy")
"""Of nodes that are of another pool, in kube-scheduler's words."""


def meaning(hindrance: Hindrance, *, team: str, pod: str) -> str:
    """Say in a sentence what a hindrance means and what to do; empty where its words say it all."""
    if hindrance.stage is Stage.WITHOUT_NODE:
        return _without_node(hindrance)
    told = BY_REASON.get(hindrance.reason) or BY_STAGE.get(hindrance.stage, "")
    return told.replace("{team}", team).replace("{pod}", pod)


def _without_node(hindrance: Hindrance) -> str:
    if told := BY_AUTOSCALER.get(hindrance.reason):
        return told
    for words, told in NO_SCALE_UP.items():
        if words in hindrance.text:
            return told
    return _by_scheduler(hindrance.text.removeprefix("not scheduled: "))


def _by_scheduler(message: str) -> str:
    """Read kube-scheduler's account of all nodes."""
    for words, told in BY_SCHEDULER.items():
        if words in message:
            return told
    nodes = NODES.match(message)
    if nodes is None:
        return ""
    elsewhere = sum(
        int(each["count"])
        for each in COUNTED.finditer(message, nodes.end())
        if any(words in each["why"] for words in ELSEWHERE)
    )
    if elsewhere >= int(nodes["all"]):
        return (
            "Its pool has no node at the moment. One comes by itself where the pool is autoscaled; "
            "a fixed pool lost its nodes, and GKE makes them again."
        )
    return ""
