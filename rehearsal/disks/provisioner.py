"""Makes, grows and deletes the volumes of one cluster, as GKE's driver for Persistent Disk does."""

import asyncio
import logging
import shutil
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import httpx

from rehearsal.disks.disk import (
    SELECTED_NODE,
    Document,
    asks_for_more,
    is_to_be_deleted,
    volume_of,
    waits_for_a_disk,
)
from rehearsal.kubernetes_changes import Changes, Listed
from rehearsal.kubernetes_requests import UNANSWERED, KubernetesRequests, accept

LOOK_EVERY_S = 1.0
STORAGE = "storage.k8s.io/v1"
MERGE = {"Content-Type": "application/merge-patch+json"}

LOG = logging.getLogger(__name__)


class DiskProvisioner(KubernetesRequests):
    """Follows a cluster's claims. Everything else about volumes Kubernetes' own controllers do."""

    FOLLOWED: ClassVar = {"persistentvolumeclaims": "v1", "persistentvolumes": "v1"}
    """What it lists anew when that has changed, with its API version."""

    def __init__(self, admin_kubeconfig: Path, *, changes: Changes, directory: Path) -> None:
        """Keep each volume's content in a directory of its own below ``directory``."""
        super().__init__(admin_kubeconfig)
        self._claims = self._listed("persistentvolumeclaims", changes)
        self._volumes = self._listed("persistentvolumes", changes)
        self._directory = directory
        self._has_made_some = False

    async def run(self) -> None:
        """Follow the claims until cancelled."""
        while True:
            try:
                await self.look()
            except UNANSWERED as error:
                LOG.warning("looking for claims: %r", error)
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Do what the claims ask for now."""
        for claim in await self._claims.get():
            if waits_for_a_disk(claim):
                await self._make(claim)
            elif (size := asks_for_more(claim)) is not None:
                await self._grow(claim, size)
        if not self._has_made_some:
            return
        for volume in await self._volumes.get():
            if is_to_be_deleted(volume):
                await self._delete(volume)

    async def _make(self, claim: Document) -> None:
        node = claim["metadata"]["annotations"][SELECTED_NODE]
        storage_class = claim["spec"]["storageClassName"]
        volume = volume_of(
            claim,
            storage_class=await self._get(f"storageclasses/{storage_class}", version=STORAGE),
            node=await self._get(f"nodes/{node}"),
            directory=self._directory,
        )
        answer = await self._request("POST", "persistentvolumes", json=volume)
        accept(answer, httpx.codes.CONFLICT)
        self._has_made_some = True

    async def _grow(self, claim: Document, size: str) -> None:
        capacity = {"capacity": {"storage": size}}
        name = claim["metadata"]["name"]
        for url, namespace, part in (
            (f"persistentvolumes/{claim['spec']['volumeName']}", None, {"spec": capacity}),
            (
                f"persistentvolumeclaims/{name}/status",
                claim["metadata"]["namespace"],
                {"status": capacity},
            ),
        ):
            answer = await self._request(
                "PATCH", url, namespace=namespace, headers=MERGE, json=part
            )
            accept(answer, httpx.codes.NOT_FOUND)

    async def _delete(self, volume: Document) -> None:
        directory = Path(volume["spec"]["hostPath"]["path"])
        await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)
        answer = await self._request("DELETE", f"persistentvolumes/{volume['metadata']['name']}")
        accept(answer, httpx.codes.NOT_FOUND)

    def _listed(self, plural: str, changes: Changes) -> Listed[list[dict[str, Any]]]:
        return Listed(partial(self._list, plural), of=changes, plurals=(plural,))

    async def _get(self, url: str, *, version: str = "v1") -> Document:
        answer = await self._request("GET", url, version=version)
        accept(answer)
        document: Document = answer.json()
        return document
