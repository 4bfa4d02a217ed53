"""The requests of the node agent to its cluster's Kubernetes API."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx
import kr8s

from rehearsal.control_plane.kwok_definitions import API_VERSION, KINDS
from rehearsal.dask_pods.model import Document, Mounted
from rehearsal.dask_pods.needs import needs_of
from rehearsal.dask_pods.object_data import config_map_data, secret_data
from rehearsal.kubernetes_client import connect

DASK_PODS = "dask.org/component in (scheduler, worker)"
STRATEGIC_MERGE = {"Content-Type": "application/strategic-merge-patch+json"}

UNANSWERED = (httpx.HTTPError, OSError, kr8s.ServerError, kr8s.APITimeoutError)
"""The API server is starting, busy or dead; asking again may help."""


class PodApi:
    """One cluster, as its administrator."""

    def __init__(self, admin_kubeconfig: Path) -> None:
        self._kubeconfig = admin_kubeconfig
        self._api: Any = None

    async def dask_pods(self) -> list[Document]:
        """Return the pods of Dask schedulers and workers in all namespaces."""
        return await self._list("pods", labelSelector=DASK_PODS)

    async def services(self) -> list[Document]:
        """Return all Services."""
        return await self._list("services")

    async def node_names(self) -> frozenset[str]:
        """Return the names of the nodes that there are."""
        return frozenset(node["metadata"]["name"] for node in await self._list("nodes"))

    async def mounted(self, pod: Document) -> Mounted:
        """Read the ConfigMaps and Secrets that a pod refers to; those that are missing are not."""
        namespace = pod["metadata"]["namespace"]
        needs = needs_of(pod)

        async def found(plural: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
            answers = {
                name: await self._request("GET", f"{plural}/{name}", namespace=namespace)
                for name in names
            }
            return {name: a.json() for name, a in answers.items() if a.is_success}

        return Mounted(
            config_maps={
                name: config_map_data(document)
                for name, document in (await found("configmaps", needs.config_maps)).items()
            },
            secrets={
                name: secret_data(document)
                for name, document in (await found("secrets", needs.secrets)).items()
            },
        )

    async def write_status(self, pod: Document, patch: dict[str, Any]) -> None:
        """Change a pod's status, unless the pod is gone."""
        metadata = pod["metadata"]
        answer = await self._request(
            "PATCH",
            f"pods/{metadata['name']}/status",
            namespace=metadata["namespace"],
            headers=STRATEGIC_MERGE,
            # With the UID, another pod of the same name refuses it.
            json={"metadata": {"uid": metadata["uid"]}, "status": patch},
        )
        _accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT)

    async def delete_pod(self, pod: Document) -> None:
        """Let a pod be gone: what the kubelet says when its last process has ended."""
        metadata = pod["metadata"]
        answer = await self._request(
            "DELETE",
            f"pods/{metadata['name']}",
            namespace=metadata["namespace"],
            json={"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}},
        )
        _accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT)

    async def create(self, document: dict[str, Any]) -> None:
        """Create an object of kwok's, unless its namespace is about to go."""
        answer = await self._request(
            "POST",
            KINDS[document["kind"]],
            version=API_VERSION,
            namespace=document["metadata"]["namespace"],
            json=document,
        )
        _accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT, httpx.codes.FORBIDDEN)

    async def delete_ways_to_reach(self, pod: Document) -> None:
        """Delete the objects of kwok's that are named like a pod."""
        metadata = pod["metadata"]
        for plural in KINDS.values():
            answer = await self._request(
                "DELETE",
                f"{plural}/{metadata['name']}",
                version=API_VERSION,
                namespace=metadata["namespace"],
            )
            _accept(answer, httpx.codes.NOT_FOUND)

    async def _list(self, plural: str, **parameters: str) -> list[Document]:
        answer = await self._request("GET", plural, params=parameters)
        _accept(answer)
        items: list[Document] = answer.json()["items"]
        return items

    async def _request(
        self, method: str, url: str, *, version: str = "v1", **arguments: Any
    ) -> httpx.Response:
        if self._api is None:
            self._api = await connect(self._kubeconfig)
        # Not kr8s' own raising: it takes every 403 for a login that has expired.
        async with self._api.call_api(
            method, version=version, url=url, raise_for_status=False, **arguments
        ) as response:
            answered: httpx.Response = response
            return answered


def _accept(answer: httpx.Response, *codes: int) -> None:
    """Raise httpx.HTTPStatusError for an answer that is neither success nor one of ``codes``."""
    if answer.status_code not in codes:
        answer.raise_for_status()
