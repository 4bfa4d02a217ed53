"""Pure: workers that compute on a node whose GPU is sick, and stay there."""

from collections.abc import Iterator, Sequence

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.model import Problem
from in_cluster.gpu_health.note import SICK

MEANS = (
    "What runs on that GPU may fail or hang. The team's other workers go on. `kubectl describe "
    "node` shows platform engineers the node."
)


def sick_gpus(
    pods: Sequence[KubernetesObject], events: Sequence[KubernetesObject]
) -> Iterator[Problem]:
    """Return what the controller of sick GPUs says of pods that are there."""
    there = {pod["metadata"]["name"] for pod in pods}
    for event in events:
        about = event["involvedObject"]
        if event.get("reason") == SICK and about.get("name") in there:
            yield Problem(about=about["name"], says=event.get("message") or SICK, means=MEANS)
