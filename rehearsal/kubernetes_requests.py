"""Plain requests to a cluster's Kubernetes API, by one of the rehearsal's administrators."""

from pathlib import Path
from typing import Any

import httpx
import kr8s

from rehearsal.kubernetes_client import connect

UNANSWERED = (httpx.HTTPError, OSError, kr8s.ServerError, kr8s.APITimeoutError)
"""The API server is starting, busy or dead; asking again may help."""


class KubernetesRequests:
    """One cluster, as its administrator."""

    def __init__(self, admin_kubeconfig: Path) -> None:
        self._kubeconfig = admin_kubeconfig
        self._api: Any = None

    async def _list(
        self, plural: str, *, version: str = "v1", **parameters: str
    ) -> list[dict[str, Any]]:
        answer = await self._request("GET", plural, version=version, params=parameters)
        accept(answer)
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    async def _request(
        self, method: str, url: str, *, version: str = "v1", **arguments: Any
    ) -> httpx.Response:
        api = await self._connected()
        # Not kr8s' own raising: it takes every 403 for a login that has expired.
        async with api.call_api(
            method, version=version, url=url, raise_for_status=False, **arguments
        ) as response:
            answered: httpx.Response = response
            return answered

    async def _connected(self) -> Any:
        if self._api is None:
            self._api = await connect(self._kubeconfig)
        return self._api


def accept(answer: httpx.Response, *codes: int) -> None:
    """Raise httpx.HTTPStatusError for an answer that is neither success nor one of ``codes``."""
    if answer.status_code not in codes:
        answer.raise_for_status()
