"""compute: networks, subnetworks and routers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import network_spec
from rehearsal.emulator.document import last_segment
from rehearsal.emulator.errors import AlreadyExistsError, GoogleError
from rehearsal.emulator.not_emulated import refuse_filter

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handler, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World

_KINDS = {"networks": "network", "subnetworks": "subnetwork", "routers": "router"}


class Networks:
    """Networks and what is in them."""

    def __init__(self, *, world: World, operations: ComputeOperations) -> None:
        self._world = world
        self._operations = operations

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        table: dict[str, Handler] = {
            f"compute.subnetworks.{verb}": partial(self._amend, verb)
            for verb in ("expandIpCidrRange", "setPrivateIpGoogleAccess")
        }
        for kind in _KINDS:
            table[f"compute.{kind}.get"] = partial(self._get, kind)
            table[f"compute.{kind}.list"] = partial(self._list, kind)
            table[f"compute.{kind}.insert"] = partial(self._insert, kind)
            table[f"compute.{kind}.patch"] = partial(self._patch, kind)
            table[f"compute.{kind}.delete"] = partial(self._delete, kind)
        return table

    @staticmethod
    def _folder(kind: str, call: Call) -> str:
        scope = "global" if kind == "networks" else f"regions/{call['region']}"
        return f"{scope}/{kind}"

    def _find(self, kind: str, call: Call) -> tuple[Project, str, Document]:
        project = self._world.project(call["project"])
        path = f"{self._folder(kind, call)}/{call[_KINDS[kind]]}"
        if path not in project.compute:
            raise network_spec.not_found(project.name, path)
        return project, path, project.compute[path]

    async def _get(self, kind: str, call: Call) -> Document:
        return self._find(kind, call)[2]

    async def _list(self, kind: str, call: Call) -> Document:
        refuse_filter(call.query, what=kind)
        folder = self._folder(kind, call) + "/"
        resources = self._world.project(call["project"]).compute
        items = [document for path, document in resources.items() if path.startswith(folder)]
        return {"kind": f"compute#{_KINDS[kind]}List", "items": items}

    async def _insert(self, kind: str, call: Call) -> Document:
        project = self._world.project(call["project"])
        network_spec.check_request(kind, call.body)
        path = f"{self._folder(kind, call)}/{network_spec.check_name(call.body)}"
        if path in project.compute:
            raise AlreadyExistsError(
                f"The resource 'projects/{project.name}/{path}' already exists"
            )
        if kind != "networks":
            self._check_network(project, call.body)
        if kind == "subnetworks":
            self._check_ranges(project, path, call.body)
        document = network_spec.new_resource(
            kind,
            call.body,
            project=project.name,
            path=path,
            service_url=call.service_url,
            resource_id=self._world.new_id(),
        )

        def effect() -> None:
            project.compute[path] = document

        return await self._operations.run("insert", call, path, effect)

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

    async def _patch(self, kind: str, call: Call) -> Document:
        project, path, document = self._find(kind, call)
        changed = network_spec.patched(kind, document, call.body)
        if kind == "subnetworks":
            self._check_ranges(project, path, changed)

        def effect() -> None:
            project.compute[path] = changed

        return await self._operations.run("patch", call, path, effect)

    async def _amend(self, verb: str, call: Call) -> Document:
        """Change the one field of a subnetwork that ``verb`` is about."""
        project, path, document = self._find("subnetworks", call)
        network_spec.check_growth(document, call.body)
        # The one field of its request: what is not named is false.
        absent = {"privateIpGoogleAccess": False} if verb == "setPrivateIpGoogleAccess" else {}
        changed = network_spec.patched("subnetworks", document, absent | call.body)
        self._check_ranges(project, path, changed)

        def effect() -> None:
            project.compute[path] = changed

        return await self._operations.run(verb, call, path, effect)

    async def _delete(self, kind: str, call: Call) -> Document:
        project, path, document = self._find(kind, call)
        user = self._user_of(kind, project, document)
        if user:
            raise GoogleError(
                400,
                f"The {_KINDS[kind]} resource 'projects/{project.name}/{path}' is already being "
                f"used by '{user}'",
                reason="resourceInUseByAnotherResource",
                status="INVALID_ARGUMENT",
            )

        def effect() -> None:
            del project.compute[path]
            self._world.iam_bindings.pop(f"projects/{project.name}/{path}", None)

        return await self._operations.run("delete", call, path, effect)

    def _user_of(self, kind: str, project: Project, document: Document) -> str:
        """Return the path of something that needs the resource, or an empty string."""
        name = document["name"]
        if kind == "networks":
            for path, other in project.compute.items():
                if "network" in other and last_segment(other["network"]) == name:
                    return f"projects/{project.name}/{path}"
        if kind in ("networks", "subnetworks"):
            used = document["selfLink"].partition("/projects/")[2]
            for cluster in self._world.clusters():
                network = cluster.document["networkConfig"][_KINDS[kind]]
                if network == f"projects/{used}":
                    return cluster.path
        return ""
