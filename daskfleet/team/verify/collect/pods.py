"""What the Kubernetes API says of a team's pods and Service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.kubernetes_api import get, status_of
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.facts import PodFacts
from in_cluster.idle_controller.note import Note, asleep

CLUSTER_LABEL = "dask.org/cluster-name"
ROLE_LABEL = "dask.org/component"
ROLES = ("scheduler", "worker")
DASK_API = "kubernetes.dask.org/v1"
POOL_LABEL = "cloud.google.com/gke-nodepool"
JUPYTER = "jupyter"
JUPYTER_PODS = f"app.kubernetes.io/part-of=daskfleet,app.kubernetes.io/component={JUPYTER}"
SERVICE = "dask"
"""The team's stable Service, which outlives its Dask clusters."""

Document = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ClusterFacts:
    """A team's part of the cluster."""

    pods: tuple[PodFacts, ...]
    service_leads_to: str
    """DaskCluster that the team's Service selects; empty when there is none."""
    scheduler_pod: str
    """Name of the ready pod behind the Service; empty when there is none."""
    jupyter: tuple[PodFacts, ...] = ()
    """Pods of the team's JupyterLab."""
    has_nodes: bool = True
    """Whether whoever asks may read nodes, which members of a team may not."""
    asleep: Note | None = None
    """What the idle controller notes of workers that it has let go."""


async def collect_cluster(api: kr8s.asyncio.Api, team: DeclaredTeam) -> ClusterFacts:
    """Read pods, nodes and Service."""
    in_namespace = {"namespace": team.namespace}
    selector = {"labelSelector": f"{CLUSTER_LABEL},{ROLE_LABEL} in ({','.join(ROLES)})"}
    pods = (await get(api, "v1", "pods", params=selector, **in_namespace))["items"]
    nodes = await _nodes(api)
    service = await _known(api, "v1", f"services/{SERVICE}", namespace=team.namespace)
    leads_to = ((service.get("spec") or {}).get("selector") or {}).get(CLUSTER_LABEL, "")
    group = await _known(
        api, DASK_API, f"daskworkergroups/{team.dask_cluster}-default", namespace=team.namespace
    )
    facts = cluster_facts(pods, nodes, leads_to=leads_to, dask_cluster=team.dask_cluster)
    jupyter = await _jupyter(api, team, nodes) if team.jupyter else ()
    return replace(facts, jupyter=jupyter, asleep=asleep(group) if group else None)


async def _jupyter(
    api: kr8s.asyncio.Api, team: DeclaredTeam, nodes: Sequence[Document] | None
) -> tuple[PodFacts, ...]:
    selector = {"labelSelector": JUPYTER_PODS}
    pods = (await get(api, "v1", "pods", params=selector, namespace=team.namespace))["items"]
    pools = _pools(nodes)
    staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    return tuple(_pod_facts(pod, pools, role=JUPYTER) for pod in staying)


def cluster_facts(
    pods: Sequence[Document],
    nodes: Sequence[Document] | None,
    *,
    leads_to: str,
    dask_cluster: str,
) -> ClusterFacts:
    """Pure: read the documents; ``nodes`` is None where they may not be read."""
    pools = _pools(nodes)
    staying = [pod for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    return ClusterFacts(
        pods=tuple(
            _pod_facts(pod, pools, role=pod["metadata"]["labels"][ROLE_LABEL])
            for pod in staying
            if pod["metadata"]["labels"][CLUSTER_LABEL] == dask_cluster
        ),
        service_leads_to=leads_to,
        scheduler_pod=next(
            (
                str(pod["metadata"]["name"])
                for pod in staying
                if pod["metadata"]["labels"][CLUSTER_LABEL] == leads_to
                and pod["metadata"]["labels"][ROLE_LABEL] == "scheduler"
                and _is_ready(pod)
            ),
            "",
        ),
        has_nodes=nodes is not None,
    )


async def _nodes(api: kr8s.asyncio.Api) -> list[Document] | None:
    """Read the nodes, which is no right of a team's members."""
    try:
        found: list[Document] = (await get(api, "v1", "nodes"))["items"]
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.FORBIDDEN:
            return None
        raise
    return found


def _pools(nodes: Sequence[Document] | None) -> dict[str, str] | None:
    if nodes is None:
        return None
    return {
        node["metadata"]["name"]: (node["metadata"].get("labels") or {}).get(POOL_LABEL, "")
        for node in nodes
    }


def _pod_facts(pod: Document, pools: Mapping[str, str] | None, *, role: str) -> PodFacts:
    node = pod["spec"].get("nodeName", "")
    images = dict.fromkeys(each["image"] for each in pod["spec"]["containers"])
    return PodFacts(
        name=pod["metadata"]["name"],
        role=role,
        node=node,
        pool=None if pools is None else pools.get(node, ""),
        image=", ".join(images),
        is_ready=_is_ready(pod),
        state=state_of(pod),
    )


def _is_ready(pod: Document) -> bool:
    conditions = pod["status"].get("conditions") or []
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def state_of(pod: Document) -> str:
    """Pure: return the phase and the most telling reason."""
    phase: str = pod["status"].get("phase", "Pending")
    for status in pod["status"].get("containerStatuses") or []:
        if waiting := (status.get("state") or {}).get("waiting"):
            return f"{phase}, {waiting.get('reason', 'waiting')}: {waiting.get('message', '')}"
    for condition in pod["status"].get("conditions") or []:
        if condition["status"] != "True" and condition.get("message"):
            return f"{phase}, {condition['message']}"
    return phase


async def _known(api: kr8s.asyncio.Api, version: str, url: str, *, namespace: str) -> Document:
    """Read one object; nothing where there is none."""
    try:
        return await get(api, version, url, namespace=namespace)
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return {}
        raise
