"""Pure: each Dask cluster of the namespace: its scheduler, and workers ready of wanted by group."""

from collections.abc import Iterator, Mapping, Sequence

from daskfleet.contract.dask import CLUSTER_LABEL, PART_OF, PART_OF_LABEL
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.pod_status import KubernetesObject, label, time_of
from daskfleet.team.status.model import ClusterKind, ClusterStatus, GroupStatus, PodStatus, Problem
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.pods import SCHEDULER, WORKER
from in_cluster.idle_controller.note import replicas_of

REFUSED = "FailedCreate"
"""Event of a ReplicaSet that may not make a pod: a quota, Pod Security, an admission webhook."""

SIMILAR = "(combined from similar events): "
"""So begins a refusal that came often; what follows is the last one."""

QUOTA = "exceeded quota"
NOT_COUNTED = "status unknown for quota"


def cluster_statuses(
    team: DeclaredTeam, observed: Observed, pods: Sequence[PodStatus]
) -> tuple[ClusterStatus, ...]:
    """Describe the clusters, the fixed one first, whether it is there or not."""
    names = dict.fromkeys(
        (
            team.dask_cluster,
            *(str(each["metadata"]["name"]) for each in observed.clusters or ()),
            *(pod.cluster for pod in pods if pod.cluster),
        )
    )
    return tuple(_described(name, team, observed, pods) for name in names)


def _described(
    name: str, team: DeclaredTeam, observed: Observed, pods: Sequence[PodStatus]
) -> ClusterStatus:
    of_cluster = [pod for pod in pods if pod.cluster == name]
    kind = _kind(name, team, observed.clusters or ())
    declared = (
        {group.dask_worker_group: group.workers for group in team.all_groups}
        if kind is ClusterKind.FIXED
        else {}
    )
    return ClusterStatus(
        name=name,
        kind=kind,
        is_scheduler_ready=any(pod.role == SCHEDULER and pod.is_ready for pod in of_cluster),
        groups=tuple(_groups(declared, wanted_of(name, observed.groups), of_cluster)),
    )


def _kind(name: str, team: DeclaredTeam, clusters: Sequence[KubernetesObject]) -> ClusterKind:
    if name == team.dask_cluster:
        return ClusterKind.FIXED
    programs = (each for each in clusters if label(each, PART_OF_LABEL) == PART_OF)
    is_programs = name in {each["metadata"]["name"] for each in programs}
    return ClusterKind.SUCCESSOR if is_programs else ClusterKind.OWN


def wanted_of(cluster: str, groups: Sequence[KubernetesObject] | None) -> Mapping[str, int] | None:
    """Return how many workers the groups of a cluster ask for; None where they are not known.

    The operator labels the group that it makes with the cluster, and ours name it in their spec.
    """
    if groups is None:
        return None
    return {
        str(group["metadata"]["name"]): replicas_of(group)
        for group in groups
        if cluster in (label(group, CLUSTER_LABEL), group["spec"].get("cluster"))
    }


def _groups(
    declared: Mapping[str, int], wanted: Mapping[str, int] | None, pods: Sequence[PodStatus]
) -> Iterator[GroupStatus]:
    workers = [pod for pod in pods if pod.role == WORKER]
    for name in dict.fromkeys((*declared, *(wanted or ()), *(pod.group for pod in workers))):
        members = [pod for pod in workers if pod.group == name]
        yield GroupStatus(
            name=name,
            ready=sum(pod.is_ready for pod in members),
            pods=len(members),
            wanted=None if wanted is None else wanted.get(name),
            declared=declared.get(name),
        )


def missing_pods(
    clusters: Sequence[ClusterStatus],
    pods: Sequence[PodStatus],
    events: Sequence[KubernetesObject],
) -> Iterator[Problem]:
    """Say of pods that are not even made why they are not."""
    for cluster in clusters:
        if not any(pod.cluster == cluster.name and pod.role == SCHEDULER for pod in pods):
            yield _missing(
                f"{cluster.name} lacks its scheduler", f"{cluster.name}-scheduler", events
            )
        for group in cluster.groups:
            lacking = (group.wanted or 0) - group.pods
            if lacking > 0:
                about = f"{group.name} lacks {lacking} of {group.wanted} workers"
                yield _missing(about, f"{group.name}-worker-", events, group=group)


def _missing(
    about: str,
    owner: str,
    events: Sequence[KubernetesObject],
    *,
    group: GroupStatus | None = None,
) -> Problem:
    refusals = [
        each
        for each in events
        if each.get("reason") == REFUSED
        and str(each["involvedObject"].get("name")).startswith(owner)
    ]
    if not refusals:
        return Problem(
            about=about,
            says="there is no pod",
            means="The Dask operator makes them within seconds. If they are not there after a "
            "minute, ask your platform engineers to look.",
        )
    message = (max(refusals, key=time_of).get("message") or "").removeprefix(SIMILAR)
    return Problem(about=about, says=message, means=_refused(message, group))


def _refused(message: str, group: GroupStatus | None) -> str:
    if QUOTA in message:
        if group and group.declared is not None and (group.wanted or 0) > group.declared:
            return (
                f"The stack file declares {group.declared}, and the quota of the team's namespace "
                "has room for those. For more, raise `workers` in the stack file."
            )
        return (
            "The quota of the team's namespace is used up, by clusters of your own or by other "
            "pods. Delete what is not needed, or propose more in the stack file."
        )
    if NOT_COUNTED in message:
        return "Kubernetes has not counted yet what the team uses: it tries again in minutes."
    return "Kubernetes refuses the pod as it is. Show this message to your platform engineers."
