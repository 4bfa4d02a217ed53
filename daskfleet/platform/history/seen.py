"""What Kubernetes tells of the past: when Dask clusters were made, and nodes came and went."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import kr8s

from daskfleet.access.errors import words_of
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected, get
from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMPONENT_LABEL,
    DASK_API,
    PART_OF,
    PART_OF_LABEL,
)
from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.platform.history.gaps import MadeCluster
from daskfleet.platform.history.model import NodeMove
from daskfleet.pod_status import KubernetesObject, label, ready_since

REQUEST_TIMEOUT_S = 60
"""Lists of some thousand objects of a busy control plane take seconds."""

GONE = "RemovingNode"
"""Reason of the event with which the controller manager tells that a node is gone (kubernetes
pkg/controller/nodelifecycle). The API server keeps events for an hour (``--event-ttl``)."""

GONE_NODES = f"involvedObject.kind=Node,reason={GONE}"
"""Those events, as a field selector."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a look at the cluster tells of the past."""

    clusters: tuple[tuple[str, MadeCluster], ...]
    """Dask clusters of this program with their teams."""

    nodes: tuple[NodeMove, ...]
    unread: tuple[str, ...] = ()
    """What the API server did not tell, with its words."""


def look_at(kubeconfig: Kubeconfig) -> Seen:
    """Read clusters, schedulers, nodes, and events of nodes.

    Raises:
        AccessError: the API server does not answer, or refuses.

    """
    return asyncio.run(_look(kubeconfig))


async def _look(kubeconfig: Kubeconfig) -> Seen:
    unread: list[str] = []
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:

        async def listed(version: str, kinds: str, **params: str) -> Sequence[KubernetesObject]:
            try:
                items: Sequence[KubernetesObject] = (await get(api, version, kinds, params=params))[
                    "items"
                ]
            except kr8s.ServerError as error:  # one is refused, others may be answered
                unread.append(f"{kinds} were not read: {words_of(error)}")
                return ()
            return items

        clusters, pods, nodes, events = await asyncio.gather(
            listed(DASK_API, "daskclusters", labelSelector=f"{PART_OF_LABEL}={PART_OF}"),
            listed("v1", "pods", labelSelector=f"{COMPONENT_LABEL}=scheduler"),
            listed("v1", "nodes"),
            listed("v1", "events", fieldSelector=GONE_NODES),
        )
    return seen_in(clusters, pods=pods, nodes=nodes, events=events, unread=unread)


def seen_in(
    clusters: Iterable[KubernetesObject],
    *,
    pods: Iterable[KubernetesObject],
    nodes: Iterable[KubernetesObject],
    events: Iterable[KubernetesObject],
    unread: Iterable[str],
) -> Seen:
    """Pure: put together what was read; clusters of others and pods of workers are left out."""
    return Seen(
        clusters=tuple(
            made_clusters(
                [each for each in clusters if label(each, PART_OF_LABEL) == PART_OF],
                schedulers=[pod for pod in pods if label(pod, COMPONENT_LABEL) == "scheduler"],
            )
        ),
        nodes=(*came(nodes), *went(events)),
        unread=tuple(unread),
    )


def made_clusters(
    clusters: Iterable[KubernetesObject], *, schedulers: Iterable[KubernetesObject]
) -> Iterator[tuple[str, MadeCluster]]:
    """Each cluster with its team, which is its namespace."""
    pods = {
        (pod["metadata"]["namespace"], pod["metadata"]["labels"].get(CLUSTER_LABEL)): pod
        for pod in schedulers
    }
    for cluster in clusters:
        metadata = cluster["metadata"]
        pod = pods.get((metadata["namespace"], metadata["name"]))
        yield (
            metadata["namespace"],
            MadeCluster(
                name=metadata["name"],
                made_at=_moment(metadata["creationTimestamp"]),
                ready_at=_moment(ready) if pod and (ready := ready_since(pod)) else None,
            ),
        )


def came(nodes: Iterable[KubernetesObject]) -> Iterator[NodeMove]:
    """When each node that is there came."""
    for node in nodes:
        metadata = node["metadata"]
        yield NodeMove(
            node=metadata["name"],
            pool=label(node, POOL_LABEL),
            what="came",
            at=_moment(metadata["creationTimestamp"]),
        )


def went(events: Iterable[KubernetesObject]) -> Iterator[NodeMove]:
    """When each node that is gone went, of which there is an event still."""
    for event in events:
        # events.k8s.io has eventTime alone where the older form has the other two.
        at = event.get("lastTimestamp") or event.get("firstTimestamp") or event.get("eventTime")
        if event.get("reason") == GONE and at:
            name = event["involvedObject"]["name"]
            yield NodeMove(node=name, pool="", what="went", at=_moment(at))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
