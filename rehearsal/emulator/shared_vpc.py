"""compute: which project's network another project may use. Nothing here enforces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import World


class SharedVpc:
    """Host projects, and the projects that are attached to them."""

    def __init__(self, *, world: World, operations: ComputeOperations) -> None:
        self._world = world
        self._operations = operations

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        return {
            "compute.projects.getXpnHost": self.get_host,
            "compute.projects.enableXpnHost": self.enable,
            "compute.projects.enableXpnResource": self.attach,
            "compute.projects.disableXpnResource": self.detach,
        }

    async def get_host(self, call: Call) -> Document:
        """Return the host project; without one, an empty project."""
        host = self._world.project(call["project"]).host_project
        if not host:
            return {"kind": "compute#project"}
        number = self._world.project(host).number
        described = {"kind": "compute#project", "name": host, "id": number}
        return {**described, "xpnProjectStatus": "HOST"}

    async def enable(self, call: Call) -> Document:
        """Make the project a host project."""
        project = self._world.project(call["project"])

        def effect() -> None:
            project.is_host = True

        return await self._change("enableXpnHost", call, effect)

    async def attach(self, call: Call) -> Document:
        """Attach another project to this host project. A project has one host project."""
        host = self._world.project(call["project"])
        other = self._world.project(_wished(call))
        if not host.is_host:
            raise InvalidArgumentError(f"Project {host.name} is not a shared VPC host project.")
        if other.host_project not in ("", host.name):
            raise InvalidArgumentError(
                f"Project {other.name} is attached to host project {other.host_project}."
            )

        def effect() -> None:
            other.host_project = host.name

        return await self._change("enableXpnResource", call, effect)

    async def detach(self, call: Call) -> Document:
        """Detach another project."""
        other = self._world.project(_wished(call))
        if other.host_project != call["project"]:
            raise InvalidArgumentError(
                f"Project {other.name} is not attached to {call['project']}."
            )

        def effect() -> None:
            other.host_project = ""

        return await self._change("disableXpnResource", call, effect)

    async def _change(self, kind: str, call: Call, effect: Callable[[], None]) -> Document:
        operation = await self._operations.run(kind, call, "global/", effect)
        operation["targetLink"] = f"{call.service_url}/projects/{call['project']}"
        return operation


def _wished(call: Call) -> str:
    resource = call.body.get("xpnResource", {})
    if resource.get("type") != "PROJECT" or not resource.get("id"):
        raise InvalidArgumentError("xpnResource must have type PROJECT and an id.")
    name: str = resource["id"]
    if name.isdigit():
        raise UnimplementedError("The emulator knows projects by their names alone.")
    return name
