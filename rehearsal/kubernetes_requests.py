"""Plain requests to a cluster's Kubernetes API, by one of the rehearsal's administrators."""

import json
import ssl
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

TIMEOUT_S = 10
"""An API server on this machine answers within milliseconds, or not at all."""

UNANSWERED = (httpx.HTTPError, OSError)
"""The API server is starting, busy or dead; asking again may help."""


class KubernetesRequests:
    """One cluster, as its administrator."""

    def __init__(self, admin_kubeconfig: Path) -> None:
        self._kubeconfig = admin_kubeconfig

    async def _list(
        self,
        plural: str,
        *,
        version: str = "v1",
        namespace: str | None = None,
        **parameters: str,
    ) -> list[dict[str, Any]]:
        answer = await self._request(
            "GET", plural, version=version, namespace=namespace, params=parameters
        )
        return _items(answer)

    async def _request(
        self,
        method: str,
        url: str,
        *,
        version: str = "v1",
        namespace: str | None = None,
        **arguments: Any,
    ) -> httpx.Response:
        path = path_of(url, version=version, namespace=namespace)
        return await self._client.request(method, path, **arguments)

    @cached_property
    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(**_login(self._kubeconfig), timeout=TIMEOUT_S)


def connect(admin_kubeconfig: Path, *, timeout_s: float = TIMEOUT_S) -> httpx.Client:
    """Connect from synchronous code."""
    return httpx.Client(**_login(admin_kubeconfig), timeout=timeout_s)


def listed(
    client: httpx.Client, plural: str, *, version: str = "v1", labels: str = ""
) -> list[dict[str, Any]]:
    """Return a collection of all namespaces, as far as its objects have the labels."""
    return _items(client.get(path_of(plural, version=version), params={"labelSelector": labels}))


def path_of(url: str, *, version: str = "v1", namespace: str | None = None) -> str:
    """Locate a collection, or what is in it: ``pods``, ``pods/a/status``."""
    group = f"/apis/{version}" if "/" in version else f"/api/{version}"
    return "/".join((group, *(("namespaces", namespace) if namespace else ()), url))


def accept(answer: httpx.Response, *codes: int) -> None:
    """Raise httpx.HTTPStatusError for an answer that is neither success nor one of ``codes``."""
    if answer.status_code not in codes:
        answer.raise_for_status()


def _items(answer: httpx.Response) -> list[dict[str, Any]]:
    accept(answer)
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def _login(admin_kubeconfig: Path) -> dict[str, Any]:
    """Read what the control plane has written (``Credentials.write_kubeconfigs``)."""
    document = json.loads(admin_kubeconfig.read_text(encoding="utf-8"))
    cluster = document["clusters"][0]["cluster"]
    token = document["users"][0]["user"]["token"]
    return {
        "base_url": cluster["server"],
        "verify": ssl.create_default_context(cafile=cluster["certificate-authority"]),
        "headers": {"Authorization": f"Bearer {token}"},
        "trust_env": False,
    }
