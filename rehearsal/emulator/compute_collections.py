"""compute: what all collections have in common: paths, reading, changes by an operation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rehearsal.emulator import network_spec
from rehearsal.emulator.errors import AlreadyExistsError
from rehearsal.emulator.not_emulated import refuse_filter

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.compute_operations import ComputeOperations
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Project, World


@dataclass(frozen=True, kw_only=True)
class Collection:
    """One collection of the compute API."""

    name: str
    """As in the method's id, ``globalAddresses``."""
    segment: str
    """As in the path, ``addresses``."""
    singular: str
    """As the variable of the path is called, and the ``kind`` of the resource."""


class ComputeCollections:
    """Reads and writes resources of projects by their paths."""

    def __init__(self, *, world: World, operations: ComputeOperations) -> None:
        self._world = world
        self._operations = operations

    def readers(self, collection: Collection) -> Handlers:
        """Return the handlers that only read, by Google's method ids."""
        prefix = f"compute.{collection.name}."
        return {
            f"{prefix}get": partial(self._get, collection),
            f"{prefix}list": partial(self._list, collection),
        }

    def find(self, collection: Collection, call: Call) -> tuple[Project, str, Document]:
        """Return a resource with its project and path; raises 404 when there is none."""
        project = self._world.project(call["project"])
        name = call.variables.get(collection.singular) or call["resource"]
        path = f"{scope_of(call)}/{collection.segment}/{name}"
        if path not in project.compute:
            raise network_spec.not_found(project.name, path)
        return project, path, project.compute[path]

    def new_path(self, collection: Collection, call: Call) -> str:
        """Return the path of a resource that is to be made; raises 409 when it is taken."""
        project = self._world.project(call["project"])
        path = f"{scope_of(call)}/{collection.segment}/{network_spec.check_name(call.body)}"
        if path in project.compute:
            raise AlreadyExistsError(
                f"The resource 'projects/{project.name}/{path}' already exists"
            )
        return path

    async def write(self, verb: str, call: Call, path: str, document: Document) -> Document:
        """Put a resource at its path, as the effect of the operation that is answered."""
        project = self._world.project(call["project"])

        def effect() -> None:
            project.compute[path] = document

        return await self._operations.run(verb, call, path, effect)

    async def delete(self, call: Call, path: str) -> Document:
        """Take a resource away, with its IAM policy."""
        project = self._world.project(call["project"])

        def effect() -> None:
            del project.compute[path]
            self._world.iam_bindings.pop(f"projects/{project.name}/{path}", None)

        return await self._operations.run("delete", call, path, effect)

    async def _get(self, collection: Collection, call: Call) -> Document:
        return self.find(collection, call)[2]

    async def _list(self, collection: Collection, call: Call) -> Document:
        refuse_filter(call.query, what=collection.segment)
        folder = f"{scope_of(call)}/{collection.segment}/"
        resources = self._world.project(call["project"]).compute
        items = [document for path, document in resources.items() if path.startswith(folder)]
        return {"kind": f"compute#{collection.singular}List", "items": items}


def scope_of(call: Call) -> str:
    """Return where the resource of a call is, as in its path."""
    if "region" in call.variables:
        return f"regions/{call['region']}"
    return f"zones/{call['zone']}" if "zone" in call.variables else "global"
