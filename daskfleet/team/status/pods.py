"""Pure: the pods of a team's namespace, and what those wait for that are not ready."""

from collections.abc import Sequence

from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMPONENT_LABEL,
    GROUP_LABEL,
    KUBERNETES_COMPONENT_LABEL,
)
from daskfleet.contract.jupyter import COMPONENTS, JUPYTER
from daskfleet.pod_status import (
    KubernetesObject,
    containers_of,
    hindrance_of,
    is_finished,
    label,
)
from daskfleet.team.status.meanings import meaning
from daskfleet.team.status.model import PodStatus

SCHEDULER = "scheduler"
WORKER = "worker"
ORDER = (SCHEDULER, WORKER, JUPYTER)


def pod_statuses(
    pods: Sequence[KubernetesObject],
    events: Sequence[KubernetesObject],
    *,
    team: str,
    fixed: str,
    image: str,
) -> tuple[PodStatus, ...]:
    """Describe the pods that are there or come, those of the fixed cluster first.

    Args:
        pods: all of the namespace.
        events: of the namespace.
        team: the team's name, for commands.
        fixed: name of the fixed cluster; its pods run ``image``.
        image: as declared.
    """
    described = [
        _described(
            pod, events, team=team, image=image if label(pod, CLUSTER_LABEL) == fixed else None
        )
        for pod in pods
        if not is_finished(pod)
    ]
    return tuple(sorted(described, key=lambda pod: _place(pod, fixed)))


def _described(
    pod: KubernetesObject, events: Sequence[KubernetesObject], *, team: str, image: str | None
) -> PodStatus:
    name = pod["metadata"]["name"]
    hindrance = hindrance_of(pod, image=image, events=events)
    return PodStatus(
        name=name,
        role=_role(pod),
        cluster=label(pod, CLUSTER_LABEL),
        group=label(pod, GROUP_LABEL),
        is_ready=hindrance is None,
        node=pod["spec"].get("nodeName") or "",
        created=pod["metadata"].get("creationTimestamp") or "",
        restarts=sum(each.get("restartCount", 0) for each in containers_of(pod)),
        waits_for=hindrance.text if hindrance else "",
        means=meaning(hindrance, team=team, pod=name) if hindrance else "",
    )


def _role(pod: KubernetesObject) -> str:
    if role := label(pod, COMPONENT_LABEL):
        return role
    return JUPYTER if label(pod, KUBERNETES_COMPONENT_LABEL) in COMPONENTS else ""


def _place(pod: PodStatus, fixed: str) -> tuple[bool, str, int, str, str]:
    order = ORDER.index(pod.role) if pod.role in ORDER else len(ORDER)
    return pod.cluster != fixed, pod.cluster, order, pod.group, pod.name
