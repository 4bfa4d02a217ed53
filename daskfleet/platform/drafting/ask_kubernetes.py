"""Asking the cluster for its Dask clusters, with the kubeconfig of whoever runs the command."""

import asyncio
from collections.abc import Collection, Mapping
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
import kr8s
from pydantic import BaseModel, ValidationError

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import Kubeconfig, server_of
from daskfleet.access.kubernetes_api import connected, get, status_of
from daskfleet.access.own_kubeconfig import own_kubeconfig
from daskfleet.contract.dask import DASK_API
from daskfleet.platform.drafting.dask_answers import (
    DaskAutoscalers,
    DaskClusters,
    DaskWorkerGroups,
)
from daskfleet.platform.drafting.found import FoundDask
from daskfleet.platform.drafting.google_answers import Cluster

REQUEST_TIMEOUT_S = 15

ListT = TypeVar("ListT", bound=BaseModel)


def ask_kubernetes(cluster: Cluster, environment: Mapping[str, str]) -> FoundDask:
    """Read all Dask clusters; nothing is written.

    Raises:
        AccessError: there is no kubeconfig, it leads to another cluster, or that does not answer.

    """
    kubeconfig = own_kubeconfig(environment)
    server = server_of(kubeconfig)
    if not is_server_of(server, cluster.addresses):
        raise AccessError(
            f"The current context of your kubeconfig leads to {server}, which is not an address of "
            f"{cluster.name}. Choose another with `kubectl config use-context NAME`."
        )
    return asyncio.run(_dask(kubeconfig))


def is_server_of(server: str, addresses: Collection[str]) -> bool:
    """Whether a URL leads to one of the addresses."""
    parts = urlsplit(server)
    return bool({parts.netloc, parts.hostname} & {*addresses})


async def _dask(kubeconfig: Kubeconfig) -> FoundDask:
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        clusters = await _listed(api, "daskclusters", DaskClusters)
        autoscalers = await _listed(api, "daskautoscalers", DaskAutoscalers)
        groups = await _listed(api, "daskworkergroups", DaskWorkerGroups)
    return FoundDask(clusters=clusters.items, autoscalers=autoscalers.items, groups=groups.items)


async def _listed(api: kr8s.asyncio.Api, kind: str, shape: type[ListT]) -> ListT:
    try:
        return shape.model_validate(await get(api, DASK_API, kind))
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return shape()  # no operator has brought its definitions
        raise
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise AccessError(f"One of the {kind} cannot be read: {where}: {first['msg']}.") from error
