"""What the controller asks and tells: the Kubernetes API as its service account, and schedulers."""

import asyncio
import json
import ssl
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from .decisions import Scheduler
from .note import MANAGER
from .pods import Pod, pods_of
from .recycling import Processes
from .scheduler_pages import OWN_CLIENTS, processes_of

DASK_API = "/apis/kubernetes.dask.org/v1"
CORE_API = "/api/v1"
PROGRAMS = "app.kubernetes.io/part-of=daskfleet"
"""Label of the DaskClusters that the program has made; a team's own are its own affair."""

DASHBOARD_PORT = 8787
TIMEOUT_S = 10.0
"""For a whole answer of a scheduler's: httpx waits as long for each byte, and for ever through
answers that only announce one (status 103). All teams share the controller."""

MOST_BYTES = 1024 * 1024
"""Of a scheduler's answer: a team's pods may say anything, and all teams share this controller."""

UNANSWERED = (
    *(httpx.HTTPError, KeyError, TypeError, ValueError),
    *(ArithmeticError, OSError, RecursionError),  # no such time; brackets without end
)
"""No answer, a refusal, or one that cannot be read; asking again may help."""

AS_IT_IS = {"Accept-Encoding": "identity"}

Document = dict[str, Any]


class DaskApi:
    """The Dask objects of the teams."""

    def __init__(self, *, server: str, token_file: Path, ca_file: Path) -> None:
        self._token_file = token_file
        self._client = httpx.Client(
            base_url=server,
            verify=ssl.create_default_context(cafile=str(ca_file)),
            timeout=TIMEOUT_S,
        )

    def clusters(self, namespace: str) -> list[Document]:
        """Return the DaskClusters of the program in a namespace, but those that are leaving."""
        answer = self._ask(
            "GET",
            f"{DASK_API}/namespaces/{namespace}/daskclusters",
            params={"labelSelector": PROGRAMS},
        )
        return [each for each in answer["items"] if "deletionTimestamp" not in each["metadata"]]

    def default_group(self, cluster: Document) -> Document | None:
        """Return the worker group that the operator has made of a DaskCluster; None before."""
        metadata = cluster["metadata"]
        try:
            return self._ask(
                "GET",
                f"{DASK_API}/namespaces/{metadata['namespace']}/daskworkergroups/{_group(metadata)}",
            )
        except httpx.HTTPStatusError as error:
            if error.response.status_code == httpx.codes.NOT_FOUND:
                return None
            raise

    def scale(
        self,
        group: Document,
        *,
        annotations: Mapping[str, str | None],
        replicas: int | None = None,
    ) -> None:
        """Write number and note in one, unless somebody has written since the group was read."""
        metadata = group["metadata"]
        patch: Document = {
            "metadata": {
                "resourceVersion": metadata["resourceVersion"],
                "annotations": dict(annotations),
            }
        }
        if replicas is not None:
            patch["spec"] = {"worker": {"replicas": replicas}}
        self._ask(
            "PATCH",
            f"{DASK_API}/namespaces/{metadata['namespace']}/daskworkergroups/{metadata['name']}",
            params={"fieldManager": MANAGER},
            headers={"Content-Type": "application/merge-patch+json"},
            json=patch,
        )

    def pods(self, cluster: Document) -> tuple[Pod, ...]:
        """Return the pods of a DaskCluster's scheduler and workers."""
        metadata = cluster["metadata"]
        return pods_of(
            self._ask(
                "GET",
                f"{CORE_API}/namespaces/{metadata['namespace']}/pods",
                params={"labelSelector": f"dask.org/cluster-name={metadata['name']}"},
            )
        )

    def delete_pod(self, namespace: str, pod: Pod) -> None:
        """Delete this pod, and no other that has got its name."""
        self._ask(
            "DELETE",
            f"{CORE_API}/namespaces/{namespace}/pods/{pod.name}",
            json={"preconditions": {"uid": pod.uid}},
        )

    def _ask(self, method: str, path: str, **arguments: Any) -> Document:
        # The kubelet writes another token before the old one ends.
        token = self._token_file.read_text(encoding="ascii").strip()
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        answer = self._client.request(method, path, headers=headers, **arguments)
        answer.raise_for_status()
        document: Document = answer.json()
        return document


class Schedulers:
    """The HTTP servers of the teams' schedulers, which let in the operator's namespace."""

    def __init__(self) -> None:
        # No scheduler is asked by TLS. Whoever gives none has httpx make one for each question.
        self._tls = ssl.create_default_context()

    def ask(self, cluster: Document) -> Scheduler:
        """Ask the scheduler of a DaskCluster. Raises one of ``UNANSWERED``."""
        server = _server(cluster)
        idle_since = self._get(f"{server}/api/v1/check_idle")["idle_since"]
        counts = self._get(f"{server}/json/counts.json")
        return Scheduler(
            idle_since=datetime.fromtimestamp(idle_since, tz=UTC) if idle_since else None,
            workers=int(counts["workers"]),
            held_results=int(counts["memory"]),
            desired_workers=int(counts["desired_workers"]),
            tasks=int(counts["tasks"]),
            clients=max(0, int(counts["clients"]) - OWN_CLIENTS),
        )

    def ask_closely(self, cluster: Document, *, with_size: bool) -> Processes:
        """Ask what a scheduler's processes take and do. Raises one of ``UNANSWERED``.

        It cannot write that page while tasks end: distributed 2026.8 fails with status 500 until
        the next heartbeat of the worker (``digests_total_since_heartbeat`` has tuples for keys).
        """
        server = _server(cluster)
        return processes_of(
            self._get(f"{server}/json/identity.json"),
            metrics=self._read("GET", f"{server}/metrics") if with_size else b"",
        )

    def retire(self, cluster: Document, addresses: Collection[str]) -> bool:
        """Let Dask move what workers hold, and take no more of them; false where it cannot.

        They end by themselves then, and their containers start again.
        Raises one of ``UNANSWERED``; when it took too long, it goes on.
        """
        url = f"{_server(cluster)}/api/v1/retire_workers"
        answer = json.loads(self._read("POST", url, json={"workers": [*addresses]}))
        return set(addresses) <= set(answer)

    def _get(self, url: str) -> Document:
        document: Document = json.loads(self._read("GET", url))
        return document

    def _read(self, method: str, url: str, **arguments: Any) -> bytes:
        try:
            return asyncio.run(self._whole(method, url, **arguments))
        except TimeoutError:
            raise TimeoutError(f"{url}: no whole answer in {TIMEOUT_S:g} s") from None

    async def _whole(self, method: str, url: str, **arguments: Any) -> bytes:
        body = b""
        async with (
            asyncio.timeout(TIMEOUT_S),
            httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False, verify=self._tls) as client,
            client.stream(method, url, headers=AS_IT_IS, **arguments) as answer,
        ):
            answer.raise_for_status()
            if "Content-Encoding" in answer.headers:
                raise ValueError(f"{url}: an encoded answer, which nobody has asked for")
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > MOST_BYTES:
                    raise ValueError(f"{url}: an answer without end")
        return body


def _server(cluster: Document) -> str:
    metadata = cluster["metadata"]
    return f"http://{metadata['name']}-scheduler.{metadata['namespace']}.svc:{DASHBOARD_PORT}"


def _group(metadata: Mapping[str, str]) -> str:
    return f"{metadata['name']}-default"
