"""Reading the cluster through the Kubernetes API, with the access that `pulumi up` has."""

import asyncio
from collections.abc import Callable, Collection

import httpx
import kr8s
import kr8s.asyncio

from daskfleet.access.errors import AccessError
from daskfleet.access.kubeconfig import Kubeconfig
from daskfleet.access.kubernetes_api import connected, get, status_of
from daskfleet.platform.drift.errors import DriftError
from daskfleet.platform.drift.snapshot import Kind, Snapshot
from daskfleet.pod_status import KubernetesObject

REQUEST_TIMEOUT_S = 60
"""A list of some thousand objects of a busy control plane takes seconds."""


def read_cluster(
    kubeconfig: Kubeconfig, kinds: Collection[Kind], *, progress: Callable[[str], None]
) -> Snapshot:
    """List all objects of these kinds, in all namespaces.

    Raises:
        DriftError: the API server does not answer, or refuses.

    """
    try:
        return asyncio.run(_read(kubeconfig, sorted(set(kinds)), progress))
    except AccessError as error:
        raise DriftError(str(error)) from error


async def _read(
    kubeconfig: Kubeconfig, kinds: list[Kind], progress: Callable[[str], None]
) -> Snapshot:
    async with connected(kubeconfig, request_timeout_s=REQUEST_TIMEOUT_S) as api:
        versions = sorted({kind.api_version for kind in kinds})
        served = await asyncio.gather(*(_served(api, version) for version in versions))
        plurals = {kind: plural for of_version in served for kind, plural in of_version.items()}

        async def listed(kind: Kind) -> tuple[KubernetesObject, ...]:
            if kind not in plurals:
                return ()
            answer = await get(api, kind.api_version, plurals[kind])
            progress(f"{len(answer['items'])} {plurals[kind]}")
            return tuple(answer["items"])

        lists = await asyncio.gather(*(listed(kind) for kind in kinds))
    return Snapshot(objects=dict(zip(kinds, lists, strict=True)))


async def _served(api: kr8s.asyncio.Api, version: str) -> dict[Kind, str]:
    """Return the kinds of an API version, none when it is not served: definitions are gone."""
    try:
        answer = await get(api, version, "")
    except kr8s.ServerError as error:
        if status_of(error) == httpx.codes.NOT_FOUND:
            return {}
        raise
    return {
        Kind(version, resource["kind"]): resource["name"]
        for resource in answer["resources"]
        if "/" not in resource["name"]
    }
