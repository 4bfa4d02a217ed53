"""Pure: what the pods of a team's namespace may ask for, all together."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.planning.plan import PodResources, TeamPlan
from daskfleet.planning.rollouts import clusters_at_once
from daskfleet.settings.team import Quota
from manifests.dask_manifest import service_ports
from manifests.dask_pod import cpu, memory

ResourceList = dict[str, str]
"""The ``hard`` of a ResourceQuota."""

MIB_PER_GIB = 1024


def gpu_quota(plan: TeamPlan | None, *, serving: Sequence[PodResources] = ()) -> ResourceList:
    """GPUs of workers, scheduler and JupyterLabs; of the cluster twice in blue-green rolls.

    With ``recreate`` nothing on top: the old pods are gone before the new ones come. None for a
    team that is retired.

    Args:
        plan: the team as declared.
        serving: the pods of the cluster that serves while another one comes up. Where they are
            more than the declared ones there is room for them, until they have gone.
    """
    return {f"requests.{GPU_RESOURCE}": str(_needs(plan, serving).gpus)}


def team_quota(
    quota: Quota, *, plan: TeamPlan | None, serving: Sequence[PodResources] = ()
) -> ResourceList:
    """What the team's Dask cluster and JupyterLabs need, and what the team may use besides.

    Without it a team's other pods could fill the system pool, which the operator and cluster DNS
    need, or the cores of GPU nodes, whose taint a pod may tolerate that asks for no GPU. Disk of
    nodes is not in it: a container without a request counts as nothing, and a default limit would
    end workers that spill. No Service may open a port of its own to the outside: the quota refuses
    them one by one, whoever asks, where ``load-balancer-sources`` only judges what this program
    declares and ``team_admission`` lets the platform do all.
    """
    needs = _needs(plan, serving)
    return {
        "requests.cpu": cpu(needs.cpu_m / 1000 + quota.cpu),
        "requests.memory": memory(needs.memory_mib / MIB_PER_GIB + quota.memory_gib),
        "pods": str(needs.pods + quota.pods),
        "requests.storage": f"{quota.storage_gib + _home_gib(plan)}Gi",
        **_open_services(plan),
    }


@dataclass(frozen=True)
class _Needs:
    """What pods need together."""

    gpus: int
    cpu_m: int
    memory_mib: int
    pods: int


def _needs(plan: TeamPlan | None, serving: Sequence[PodResources]) -> _Needs:
    """The more of each: as declared, and with the pods that serve in place of the old cluster's."""
    jupyter = _labs(plan)
    alternatives = [_together([*dask_pods(plan), *jupyter])]
    if plan and serving:
        beside = [*serving, *_one_cluster(plan), *_own_clusters(plan), *jupyter]
        alternatives.append(_together(beside))
    return _Needs(*(max(each) for each in zip(*map(astuple, alternatives), strict=True)))


def _together(pods: Sequence[PodResources]) -> _Needs:
    return _Needs(
        gpus=sum(pod.gpus for pod in pods),
        cpu_m=sum(round(pod.cpu * 1000) for pod in pods),
        memory_mib=sum(int(pod.memory_gib * MIB_PER_GIB) for pod in pods),
        pods=len(pods),
    )


def _home_gib(plan: TeamPlan | None) -> int:
    jupyter = plan.team.jupyter if plan else None
    return jupyter.storage_gib * jupyter.labs if jupyter else 0


def _labs(plan: TeamPlan | None) -> list[PodResources]:
    if plan is None or plan.jupyter is None or plan.team.jupyter is None:
        return []
    return [plan.jupyter.pod] * plan.team.jupyter.labs


def _open_services(plan: TeamPlan | None) -> ResourceList:
    """The team's address in the VPC, when it has one; it has ports of the nodes, too."""
    has_address = plan is not None and plan.team.access.internal_load_balancer is not None
    return {
        "services.loadbalancers": "1" if has_address else "0",
        "services.nodeports": str(len(service_ports())) if has_address else "0",
    }


def dask_pods(plan: TeamPlan | None) -> list[PodResources]:
    """The pods of all Dask clusters that a team may have at once."""
    if plan is None:
        return []
    return _one_cluster(plan) * clusters_at_once(plan.team) + _own_clusters(plan)


def _one_cluster(plan: TeamPlan) -> list[PodResources]:
    workers = [group.pod for group in plan.groups for _ in range(group.workers)]
    return [plan.scheduler, *workers]


def _own_clusters(plan: TeamPlan) -> list[PodResources]:
    own = plan.team.ephemeral
    if own is None:
        return []
    return [plan.worker] * own.max_workers + [plan.scheduler] * own.max_clusters
