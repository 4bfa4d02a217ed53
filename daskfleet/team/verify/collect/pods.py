"""What the Kubernetes API says of a team's pods and Service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.kubernetes_api import get, status_of
from daskfleet.access.service_target import target_of
from daskfleet.access.sleep import first_group
from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMPONENT_LABEL,
    DASK_API,
    KUBERNETES_COMPONENT_LABEL,
    PART_OF,
    PART_OF_LABEL,
    SERVICE_NAME,
)
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.contract.jupyter import COMPONENTS, JUPYTER
from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.pod_status import KubernetesObject, is_ready, label
from daskfleet.team.verify.facts import PodFacts
from in_cluster.idle_controller.note import Note, asleep

ROLES = ("scheduler", "worker")
JUPYTER_PODS = f"{PART_OF_LABEL}={PART_OF},{KUBERNETES_COMPONENT_LABEL} in ({','.join(COMPONENTS)})"


@dataclass(frozen=True, kw_only=True)
class ClusterFacts:
    """A team's part of the cluster."""

    pods: tuple[PodFacts, ...]
    service_leads_to: str
    """DaskCluster that the team's Service selects; empty when there is none."""
    scheduler_pod: str
    """Name of the ready pod behind the Service; empty when there is none."""
    jupyter: tuple[PodFacts, ...] = ()
    """Pods of the team's JupyterLabs."""
    has_nodes: bool = True
    """Whether whoever asks may read nodes, which members of a team may not."""
    asleep: Note | None = None
    """What the idle controller notes of workers that it has let go."""


async def collect_cluster(api: kr8s.asyncio.Api, team: DeclaredTeam) -> ClusterFacts:
    """Read pods, nodes and Service."""
    in_namespace = {"namespace": team.namespace}
    selector = {"labelSelector": f"{CLUSTER_LABEL},{COMPONENT_LABEL} in ({','.join(ROLES)})"}
    pods = (await get(api, "v1", "pods", params=selector, **in_namespace))["items"]
    nodes = await _nodes(api)
    service = await _known(api, "v1", f"services/{SERVICE_NAME}", namespace=team.namespace)
    leads_to = ((service.get("spec") or {}).get("selector") or {}).get(CLUSTER_LABEL, "")
    group = await _known(api, DASK_API, first_group(team), namespace=team.namespace)
    facts = cluster_facts(pods, nodes, leads_to=leads_to, dask_cluster=team.dask_cluster)
    jupyter = await _jupyter(api, team, nodes) if team.jupyter else ()
    return replace(facts, jupyter=jupyter, asleep=asleep(group) if group else None)


async def _jupyter(
    api: kr8s.asyncio.Api, team: DeclaredTeam, nodes: Sequence[KubernetesObject] | None
) -> tuple[PodFacts, ...]:
    selector = {"labelSelector": JUPYTER_PODS}
    pods = (await get(api, "v1", "pods", params=selector, namespace=team.namespace))["items"]
    pools = _pools(nodes)
    staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    return tuple(_pod_facts(pod, pools, role=JUPYTER) for pod in staying)


def cluster_facts(
    pods: Sequence[KubernetesObject],
    nodes: Sequence[KubernetesObject] | None,
    *,
    leads_to: str,
    dask_cluster: str,
) -> ClusterFacts:
    """Pure: read the documents; ``nodes`` is None where they may not be read."""
    pools = _pools(nodes)
    staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    behind = [
        pod
        for pod in staying
        if label(pod, CLUSTER_LABEL) == leads_to and label(pod, COMPONENT_LABEL) == "scheduler"
    ]
    return ClusterFacts(
        pods=tuple(
            _pod_facts(pod, pools, role=label(pod, COMPONENT_LABEL))
            for pod in staying
            if label(pod, CLUSTER_LABEL) == dask_cluster
        ),
        service_leads_to=leads_to,
        scheduler_pod=target_of(behind).pod or "",
        has_nodes=nodes is not None,
    )


async def _nodes(api: kr8s.asyncio.Api) -> list[KubernetesObject] | None:
    """Read the nodes, which is no right of a team's members."""
    try:
        found: list[KubernetesObject] = (await get(api, "v1", "nodes"))["items"]
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.FORBIDDEN:
            return None
        raise
    return found


def _pools(nodes: Sequence[KubernetesObject] | None) -> dict[str, str] | None:
    if nodes is None:
        return None
    return {
        node["metadata"]["name"]: (node["metadata"].get("labels") or {}).get(POOL_LABEL, "")
        for node in nodes
    }


def _pod_facts(pod: KubernetesObject, pools: Mapping[str, str] | None, *, role: str) -> PodFacts:
    node = pod["spec"].get("nodeName", "")
    images = dict.fromkeys(each["image"] for each in pod["spec"]["containers"])
    return PodFacts(
        name=pod["metadata"]["name"],
        role=role,
        node=node,
        pool=None if pools is None else pools.get(node, ""),
        image=", ".join(images),
        is_ready=is_ready(pod),
        state=state_of(pod),
    )


def state_of(pod: KubernetesObject) -> str:
    """Pure: return the phase and the most telling reason."""
    phase: str = pod["status"].get("phase", "Pending")
    for status in pod["status"].get("containerStatuses") or []:
        if waiting := (status.get("state") or {}).get("waiting"):
            return f"{phase}, {waiting.get('reason', 'waiting')}: {waiting.get('message', '')}"
    for condition in pod["status"].get("conditions") or []:
        if condition["status"] != "True" and condition.get("message"):
            return f"{phase}, {condition['message']}"
    return phase


async def _known(
    api: kr8s.asyncio.Api, version: str, url: str, *, namespace: str
) -> KubernetesObject:
    """Read one object; nothing where there is none."""
    try:
        return await get(api, version, url, namespace=namespace)
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return {}
        raise
