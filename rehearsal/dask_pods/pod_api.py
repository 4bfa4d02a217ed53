"""The requests of the node agent to its cluster's Kubernetes API."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx

from rehearsal.control_plane.kwok_definitions import API_VERSION, KINDS
from rehearsal.control_plane.pods_that_run import LABEL_SELECTORS
from rehearsal.dask_operator.pod import OPERATOR_LABEL
from rehearsal.dask_pods.image_pull import NAMESPACE, PRIVATE_REGISTRIES
from rehearsal.dask_pods.model import Document, Mounted
from rehearsal.dask_pods.needs import needs_of
from rehearsal.dask_pods.object_data import config_map_data, secret_data
from rehearsal.disks.shares import directory_of
from rehearsal.kubernetes_requests import KubernetesRequests, accept

STRATEGIC_MERGE = {"Content-Type": "application/strategic-merge-patch+json"}
APPLY = {"Content-Type": "application/apply-patch+yaml"}
"""Creates the object, or replaces the one of an agent before this one; JSON is YAML."""

TOKEN_LIFETIME_S = 30 * 24 * 3600
"""A kubelet renews a pod's token in time; a rehearsal is over long before this one expires."""


class PodApi(KubernetesRequests):
    """What a kubelet asks and tells, with an administrator's rights."""

    def __init__(self, admin_kubeconfig: Path, *, shares: Path | None = None) -> None:
        """``shares``: where the content of file servers is; without it no claim is played."""
        super().__init__(admin_kubeconfig)
        self._shares = shares

    def server(self) -> tuple[str, str]:
        """Give host and port of the API server."""
        cluster = json.loads(self._kubeconfig.read_text(encoding="utf-8"))["clusters"][0]["cluster"]
        url = httpx.URL(cluster["server"])
        return url.host, str(url.port)

    async def pods_that_run(self) -> list[Document]:
        """Return the pods that are processes of this machine, in all namespaces."""
        return [
            pod
            for selector in LABEL_SELECTORS
            for pod in await self._list("pods", labelSelector=selector)
        ]

    async def services(self) -> list[Document]:
        """Return all Services."""
        return [*await self._list("services")]

    async def node_names(self) -> frozenset[str]:
        """Return the names of the nodes that there are."""
        return frozenset(node["metadata"]["name"] for node in await self._list("nodes"))

    async def mounted(self, pod: Document) -> Mounted:
        """Read what a pod's variables and volumes refer to; what is missing is left out."""
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
            disks={
                name: disk
                for name, claim in (await found("persistentvolumeclaims", needs.claims)).items()
                if (disk := await self._disk(claim)) is not None
            },
            tokens={audience: await self.token(pod, audience) for audience in needs.audiences},
            pull_secrets={
                name: secret_data(document)
                for name, document in (await found("secrets", needs.pull_secrets)).items()
            },
            private_registries=await self._private_registries(),
        )

    async def _private_registries(self) -> dict[str, bytes]:
        path = f"configmaps/{PRIVATE_REGISTRIES}"
        answer = await self._request("GET", path, namespace=NAMESPACE)
        return config_map_data(answer.json()) if answer.is_success else {}

    async def _disk(self, claim: Document) -> Path | None:
        """Where a claim's files are, once it is bound."""
        if claim.get("status", {}).get("phase") != "Bound":
            return None
        answer = await self._request("GET", f"persistentvolumes/{claim['spec']['volumeName']}")
        accept(answer)
        return directory_of(answer.json(), shares=self._shares) if self._shares else None

    async def operator_pods(self) -> list[Document]:
        """Return the Dask operator's pods, which kwok plays."""
        return [*await self._list("pods", labelSelector=OPERATOR_LABEL)]

    async def token(self, pod: Document, audience: str = "") -> bytes:
        """Ask for a token of the pod's account that ends with the pod, as a kubelet does."""
        metadata = pod["metadata"]
        bound_to = {"apiVersion": "v1", "kind": "Pod", "name": metadata["name"]}
        answer = await self._request(
            "POST",
            f"serviceaccounts/{pod['spec'].get('serviceAccountName', 'default')}/token",
            namespace=metadata["namespace"],
            json={
                "apiVersion": "authentication.k8s.io/v1",
                "kind": "TokenRequest",
                "spec": {
                    "audiences": [audience] if audience else [],
                    "expirationSeconds": TOKEN_LIFETIME_S,
                    "boundObjectRef": {**bound_to, "uid": metadata["uid"]},
                },
            },
        )
        accept(answer)
        return str(answer.json()["status"]["token"]).encode()

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
        accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT)

    async def delete_pod(self, pod: Document) -> None:
        """Let a pod be gone: what the kubelet says when its last process has ended."""
        metadata = pod["metadata"]
        answer = await self._request(
            "DELETE",
            f"pods/{metadata['name']}",
            namespace=metadata["namespace"],
            json={"gracePeriodSeconds": 0, "preconditions": {"uid": metadata["uid"]}},
        )
        accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT)

    async def put(self, document: dict[str, Any]) -> None:
        """Let an object of kwok's be as told, unless its namespace is about to go."""
        metadata = document["metadata"]
        answer = await self._request(
            "PATCH",
            f"{KINDS[document['kind']]}/{metadata['name']}",
            version=API_VERSION,
            namespace=metadata["namespace"],
            headers=APPLY,
            params={"fieldManager": "node-agent", "force": "true"},
            json=document,
        )
        accept(answer, httpx.codes.NOT_FOUND, httpx.codes.CONFLICT, httpx.codes.FORBIDDEN)

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
            accept(answer, httpx.codes.NOT_FOUND)
