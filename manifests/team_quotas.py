"""Pure: what the pods of a team's namespace may ask for, all together."""

from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.planning.plan import PodResources, TeamPlan
from daskfleet.planning.rollouts import clusters_at_once
from daskfleet.settings.team import Quota
from manifests.dask_manifest import service_ports
from manifests.dask_pod import cpu, memory

ResourceList = dict[str, str]
"""The ``hard`` of a ResourceQuota."""

MIB_PER_GIB = 1024


def gpu_quota(plan: TeamPlan | None) -> ResourceList:
    """GPUs of all workers, the scheduler, and JupyterLab; of the cluster twice in blue-green rolls.

    With ``recreate`` nothing on top: the old pods are gone before the new ones come. None for a
    team that is retired.
    """
    return {f"requests.{GPU_RESOURCE}": str(sum(pod.gpus for pod in _all_pods(plan)))}


def team_quota(quota: Quota, *, plan: TeamPlan | None) -> ResourceList:
    """What the team's Dask cluster and JupyterLab need, and what the team may use besides.

    Without it a team's other pods could fill the system pool, which the operator and cluster DNS
    need, or the cores of GPU nodes, whose taint a pod may tolerate that asks for no GPU. Disk of
    nodes is not in it: a container without a request counts as nothing, and a default limit would
    end workers that spill. No Service may open a port of its own to the outside: the quota refuses
    them one by one, where ``load-balancer-sources`` only judges what this program declares.
    """
    pods = _all_pods(plan)
    cores = sum(round(pod.cpu * 1000) for pod in pods) / 1000
    gib = sum(int(pod.memory_gib * MIB_PER_GIB) for pod in pods) / MIB_PER_GIB
    return {
        "requests.cpu": cpu(cores + quota.cpu),
        "requests.memory": memory(gib + quota.memory_gib),
        "pods": str(len(pods) + quota.pods),
        "requests.storage": f"{quota.storage_gib + _home_gib(plan)}Gi",
        **_open_services(plan),
    }


def _all_pods(plan: TeamPlan | None) -> list[PodResources]:
    return [*dask_pods(plan), *([plan.jupyter.pod] if plan and plan.jupyter else [])]


def _home_gib(plan: TeamPlan | None) -> int:
    return plan.team.jupyter.storage_gib if plan and plan.team.jupyter else 0


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
    workers = [group.pod for group in plan.groups for _ in range(group.workers)]
    one_cluster = [plan.scheduler, *workers]
    own = plan.team.ephemeral
    members = [plan.worker] * own.max_workers + [plan.scheduler] * own.max_clusters if own else []
    return one_cluster * clusters_at_once(plan.team) + members
