"""compute: networks, subnetworks and routers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import network_spec
from rehearsal.emulator.compute_collections import Collection, ComputeCollections
from rehearsal.emulator.document import last_segment
from rehearsal.emulator.errors import GoogleError

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handler, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World

_NETWORKS = Collection(name="networks", segment="networks", singular="network")
_SUBNETWORKS = Collection(name="subnetworks", segment="subnetworks", singular="subnetwork")
_ROUTERS = Collection(name="routers", segment="routers", singular="router")


class Networks:
    """Networks and what is in them."""

    def __init__(self, *, world: World, operations: ComputeOperations) -> None:
        self._world = world
        self._collections = ComputeCollections(world=world, operations=operations)

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        table: dict[str, Handler] = {
            f"compute.subnetworks.{verb}": partial(self._amend, verb)
            for verb in ("expandIpCidrRange", "setPrivateIpGoogleAccess")
        }
        for kind in (_NETWORKS, _SUBNETWORKS, _ROUTERS):
            table |= self._collections.readers(kind)
            table[f"compute.{kind.name}.insert"] = partial(self._insert, kind)
            table[f"compute.{kind.name}.patch"] = partial(self._patch, kind)
            table[f"compute.{kind.name}.delete"] = partial(self._delete, kind)
        return table

    async def _insert(self, kind: Collection, call: Call) -> Document:
        project = self._world.project(call["project"])
        network_spec.check_request(kind.name, call.body)
        path = self._collections.new_path(kind, call)
        if kind is not _NETWORKS:
            self._check_network(project, call.body)
        if kind is _SUBNETWORKS:
            self._check_ranges(project, path, call.body)
        document = network_spec.new_resource(
            kind.name,
            call.body,
            project=project.name,
            path=path,
            service_url=call.service_url,
            resource_id=self._world.new_id(),
        )
        return await self._collections.write("insert", call, path, document)

    @staticmethod
    def _check_network(project: Project, body: Document) -> None:
        network = f"global/networks/{last_segment(body.get('network', 'default'))}"
        if network not in project.compute:
            raise network_spec.not_found(project.name, network)

    @staticmethod
    def _check_ranges(project: Project, path: str, body: Document) -> None:
        network = last_segment(body.get("network", "default"))
        others = {
            other_path: other
            for other_path, other in project.compute.items()
            if "/subnetworks/" in other_path
            and other_path != path
            and last_segment(other["network"]) == network
        }
        network_spec.check_ranges(body, others=others)

    async def _patch(self, kind: Collection, call: Call) -> Document:
        project, path, document = self._collections.find(kind, call)
        changed = network_spec.patched(kind.name, document, call.body)
        if kind is _SUBNETWORKS:
            self._check_ranges(project, path, changed)
        return await self._collections.write("patch", call, path, changed)

    async def _amend(self, verb: str, call: Call) -> Document:
        """Change the one field of a subnetwork that ``verb`` is about."""
        project, path, document = self._collections.find(_SUBNETWORKS, call)
        network_spec.check_growth(document, call.body)
        # The one field of its request: what is not named is false.
        absent = {"privateIpGoogleAccess": False} if verb == "setPrivateIpGoogleAccess" else {}
        changed = network_spec.patched(_SUBNETWORKS.name, document, absent | call.body)
        self._check_ranges(project, path, changed)
        return await self._collections.write(verb, call, path, changed)

    async def _delete(self, kind: Collection, call: Call) -> Document:
        project, path, document = self._collections.find(kind, call)
        user = self._user_of(kind, project, document)
        if user:
            raise GoogleError(
                400,
                f"The {kind.singular} resource 'projects/{project.name}/{path}' is already being "
                f"used by '{user}'",
                reason="resourceInUseByAnotherResource",
                status="INVALID_ARGUMENT",
            )
        return await self._collections.delete(call, path)

    def _user_of(self, kind: Collection, project: Project, document: Document) -> str:
        """Return the path of something that needs the resource, or an empty string."""
        name = document["name"]
        if kind is _NETWORKS:
            for path, other in project.compute.items():
                if "network" in other and last_segment(other["network"]) == name:
                    return f"projects/{project.name}/{path}"
        if kind is not _ROUTERS:
            used = document["selfLink"].partition("/projects/")[2]
            for cluster in self._world.clusters():
                network = cluster.document["networkConfig"][kind.singular]
                if network == f"projects/{used}":
                    return cluster.path
        return ""
