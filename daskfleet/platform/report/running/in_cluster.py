"""Reading the cluster: each kind of object once, for all teams, and the nodes."""

import asyncio
from dataclasses import dataclass

import kr8s.asyncio

from daskfleet.access.fleet import REQUEST_TIMEOUT_S
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected
from daskfleet.contract.outputs import TeamOutput
from daskfleet.platform.history.seen import GONE_NODES
from daskfleet.platform.report.running.model import SourceName
from daskfleet.platform.report.running.reading import Reading, failed, read
from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.all_teams import MOST_OBJECTS, observe_all
from daskfleet.team.status.observed import Observed
from daskfleet.team.status.reader import Reader

Nodes = tuple[KubernetesObject, ...]


class NodesUnreadError(Exception):
    """The nodes cannot be listed."""


@dataclass(frozen=True, kw_only=True)
class InCluster:
    """What the API server has of the fleet."""

    teams: Reading[dict[str, Observed]]
    nodes: Reading[Nodes]
    gone: Nodes = ()
    """Events of nodes that went."""
    gone_unread: tuple[str, ...] = ()
    """Why they could not be read."""


async def read_in_cluster(kubeconfig: Kubeconfig, teams: dict[str, TeamOutput]) -> InCluster:
    """Read pods, events, Dask objects and nodes over one connection."""
    try:
        async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
            reader = Reader(api, namespace=None, most_objects=MOST_OBJECTS)
            of_teams, nodes, gone = await asyncio.gather(
                read(SourceName.PODS, _observed(api, teams), lacks=_not_known),
                read(SourceName.NODES, _nodes(api)),
                reader.all_of("v1", "events", "events of nodes that went", fields=GONE_NODES),
            )
            return InCluster(
                teams=of_teams,
                nodes=nodes,
                gone=gone or (),
                gone_unread=tuple(reader.not_known),
            )
    except Exception as error:  # noqa: BLE001 - whatever it is, both say it and others are read
        return InCluster(
            teams=failed(SourceName.PODS, error), nodes=failed(SourceName.NODES, error)
        )


async def _observed(api: kr8s.asyncio.Api, teams: dict[str, TeamOutput]) -> dict[str, Observed]:
    return await observe_all(api, teams)


async def _nodes(api: kr8s.asyncio.Api) -> Nodes:
    reader = Reader(api, namespace=None, most_objects=MOST_OBJECTS)
    found = await reader.all_of("v1", "nodes", "nodes")
    if found is None:
        raise NodesUnreadError("; ".join(reader.not_known))
    return found


def _not_known(observed: dict[str, Observed]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for team in observed.values() for each in team.not_known))
