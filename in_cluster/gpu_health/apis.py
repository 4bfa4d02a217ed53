"""What the controller asks and tells: the Kubernetes API as its service account, and schedulers."""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from in_cluster.gpu_health.note import MANAGER
from in_cluster.operator_http.answers import UnansweredError, retired
from in_cluster.operator_http.asking import ask

TIMEOUT_S = 10.0

NODES = "cloud.google.com/gke-accelerator,dedicated!=scheduler"
"""Label selector of the nodes with GPUs for workers. A scheduler's GPU only reads task graphs, and
whoever moves a scheduler loses all that its team has in memory: people decide that."""

WORKERS = "dask.org/component=worker"

DELETE = {"apiVersion": "v1", "kind": "DeleteOptions"}

Document = dict[str, Any]

UNREAD = (httpx.HTTPError, OSError, KeyError, TypeError, ValueError, RecursionError)
"""No answer, a refusal, or one that cannot be read; asking again may help."""


class KubernetesApi:
    """Nodes, and the worker pods of the teams."""

    def __init__(self, *, server: str, token_file: Path, ca_file: Path) -> None:
        self._token_file = token_file
        self._client = httpx.Client(
            base_url=server,
            verify=ssl.create_default_context(cafile=str(ca_file)),
            timeout=TIMEOUT_S,
        )

    def nodes(self) -> list[Document]:
        """Return the nodes with GPUs for workers."""
        return self._items("/api/v1/nodes", NODES)

    def workers(self, namespace: str) -> list[Document]:
        """Return the worker pods of a team, but those that are leaving or have ended."""
        pods = self._items(f"/api/v1/namespaces/{namespace}/pods", WORKERS)
        return [
            pod
            for pod in pods
            if "deletionTimestamp" not in pod["metadata"]
            and pod["status"].get("phase") not in {"Succeeded", "Failed"}
        ]

    def keep(self, node: Document, *, from_pods: bool, note: Mapping[str, str | None]) -> None:
        """Write both in one, unless somebody has written since the node was read."""
        self._ask(
            "PATCH",
            f"/api/v1/nodes/{node['metadata']['name']}",
            params={"fieldManager": MANAGER},
            headers={"Content-Type": "application/merge-patch+json"},
            json={
                "metadata": {
                    "resourceVersion": node["metadata"]["resourceVersion"],
                    "annotations": dict(note),
                },
                "spec": {"unschedulable": True if from_pods else None},
            },
        )

    def delete(self, pod: Document) -> None:
        """Delete that very pod; its Deployment makes another."""
        metadata = pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
        try:
            self._ask("DELETE", path, json={**DELETE, "preconditions": {"uid": metadata["uid"]}})
        except httpx.HTTPStatusError as error:
            if error.response.status_code not in {httpx.codes.NOT_FOUND, httpx.codes.CONFLICT}:
                raise

    def tell(self, pod: Document, *, reason: str, message: str, now: datetime) -> None:
        """Leave an event about a pod, once for each reason."""
        metadata = pod["metadata"]
        at = now.isoformat(timespec="seconds").replace("+00:00", "Z")
        event = {
            "metadata": {
                "name": f"{metadata['name']}.{reason.lower()}",
                "namespace": metadata["namespace"],
            },
            "involvedObject": {
                "apiVersion": "v1",
                "kind": "Pod",
                "name": metadata["name"],
                "namespace": metadata["namespace"],
                "uid": metadata["uid"],
            },
            "type": "Warning",
            "reason": reason,
            "message": message,
            "source": {"component": MANAGER},
            "firstTimestamp": at,
            "lastTimestamp": at,
            "count": 1,
        }
        try:
            self._ask("POST", f"/api/v1/namespaces/{metadata['namespace']}/events", json=event)
        except httpx.HTTPStatusError as error:
            if error.response.status_code != httpx.codes.CONFLICT:
                raise

    def _items(self, path: str, selector: str) -> list[Document]:
        items: list[Document] = self._ask("GET", path, params={"labelSelector": selector})["items"]
        return items

    def _ask(self, method: str, path: str, **arguments: Any) -> Document:
        # The kubelet writes another token before the old one ends.
        token = self._token_file.read_text(encoding="ascii").strip()
        headers = {"Authorization": f"Bearer {token}", **arguments.pop("headers", {})}
        answer = self._client.request(method, path, headers=headers, **arguments)
        answer.raise_for_status()
        document: Document = answer.json()
        return document


class Schedulers:
    """The HTTP servers of the teams' schedulers, by the operator's own way of asking."""

    def workers(self, namespace: str, cluster: str) -> dict[str, str]:
        """Return the addresses of the connected workers by name. Raises UnansweredError."""
        answer = asyncio.run(ask("GET", *_service(namespace, cluster), "get_workers"))
        listed = answer.get("workers") if isinstance(answer, dict) else None
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise UnansweredError("it does not list workers")
        pairs = [(each.get("name"), each.get("address")) for each in listed]
        return {n: a for n, a in pairs if isinstance(n, str) and isinstance(a, str)}

    def retire(self, namespace: str, cluster: str, addresses: Sequence[str]) -> list[str]:
        """Have what workers hold moved to others; return the names of those that hold nothing.

        Raises:
            UnansweredError: It does not say. It may still be moving.

        """
        # An annotation that fits would be another file of the operator's program, and so a restart
        # of every fleet's operator.
        body: Any = {"workers": [*addresses]}
        answer = asyncio.run(ask("POST", *_service(namespace, cluster), "retire_workers", body))
        return retired(answer, most=len(addresses), cluster=cluster)


def _service(namespace: str, cluster: str) -> tuple[str, str]:
    """Return the name of a scheduler's Service, and where it is.

    Without ``svc`` a team called dev would be a domain of the internet's, wherever its scheduler's
    Service is gone. The operator's own questions spell it so, and find it by the search list.
    """
    return f"{cluster}-scheduler", f"{namespace}.svc"
