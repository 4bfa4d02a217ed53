"""compute.instanceGroupManagers: the groups behind node pools, where clients read sizes."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from rehearsal.emulator.document import last_segment
from rehearsal.emulator.network_spec import not_found
from rehearsal.emulator.not_emulated import refuse_filter
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Pool, World


_POLICIES: Document = {
    "instanceLifecyclePolicy": {"defaultActionOnFailure": "REPAIR", "forceUpdateOnRepair": "YES"},
    "updatePolicy": {
        "maxSurge": {"fixed": 1},
        "maxUnavailable": {"fixed": 1},
        "minimalAction": "REPLACE",
        "replacementMethod": "SUBSTITUTE",
        "type": "OPPORTUNISTIC",
    },
}
"""Of each group that GKE made, in all 22 answers of ``bench/recordings``."""


def _document(pool: Pool, zone: str) -> Document:
    """Return a group as 20 of those 22 answers have it.

    The other two, of one recording, also have the counts that are 0 and what the API has learnt
    since: ``versionTarget``, ``standbyPolicy``, ``targetSizePolicy`` and the like.
    """
    target = pool.target.get(zone, 0)
    present = len(pool.instances.get(zone, ()))
    link = pool.group_url(zone)
    actions = {
        "none": min(target, present),
        "creating": max(0, target - present),
        "deleting": max(0, present - target),
    }
    template = fingerprint(pool.document["config"], pool.document["version"])
    digest = fingerprint(link, template, target)
    return {
        **_POLICIES,
        "kind": "compute#instanceGroupManager",
        "id": str(int(fingerprint(link) + fingerprint(pool.created), 16) >> 1),
        "name": last_segment(link),
        "creationTimestamp": pool.created,
        "fingerprint": base64.b64encode(digest.encode()).decode(),
        "selfLink": link,
        "zone": link.split("/instanceGroupManagers/")[0],
        "baseInstanceName": pool.base_name(zone),
        "instanceGroup": link.replace("instanceGroupManagers", "instanceGroups"),
        "instanceTemplate": (
            f"{link.split('/zones/')[0]}/global/instanceTemplates/{pool.base_name(zone)}-{template}"
        ),
        "targetSize": target,
        "currentActions": {action: count for action, count in actions.items() if count},
        "status": {"isStable": target == present},
    }


class InstanceGroups:
    """Managed instance groups, read only: the container API owns them."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "compute.instanceGroupManagers.get": self.get,
            "compute.instanceGroupManagers.list": self.list,
        }

    def _groups(self, call: Call) -> Iterator[Document]:
        for cluster in self._world.project(call["project"]).clusters.values():
            for pool in cluster.pools.values():
                if call["zone"] in pool.target:
                    yield _document(pool, call["zone"])

    async def get(self, call: Call) -> Document:
        """Return one group."""
        for group in self._groups(call):
            if group["name"] == call["instanceGroupManager"]:
                return group
        name = call["instanceGroupManager"]
        raise not_found(call["project"], f"zones/{call['zone']}/instanceGroupManagers/{name}")

    async def list(self, call: Call) -> Document:
        """Return a zone's groups, all on one page."""
        refuse_filter(call.query, what="instance group managers")
        return {
            "kind": "compute#instanceGroupManagerList",
            "items": list(self._groups(call)),
        }
