"""artifactregistry: repositories, whose images nothing here serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehearsal.emulator.errors import AlreadyExistsError, InvalidArgumentError, NotFoundError
from rehearsal.emulator.not_emulated import refuse_filter
from rehearsal.emulator.request_log import now

if TYPE_CHECKING:
    from rehearsal.emulator.calls import Call, Handlers
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import World

_PATCHED = ("cleanupPolicies", "cleanupPolicyDryRun", "description", "labels")


class Repositories:
    """Repositories of projects."""

    def __init__(self, *, world: World) -> None:
        self._world = world

    def handlers(self) -> Handlers:
        """Return the handlers by Google's method ids."""
        prefix = "artifactregistry.projects.locations.repositories."
        return {
            f"{prefix}create": self.create,
            f"{prefix}delete": self.delete,
            f"{prefix}get": self.get,
            f"{prefix}list": self.list,
            f"{prefix}patch": self.patch,
        }

    def _all(self, call: Call) -> dict[str, Document]:
        return self._world.project(call["projectsId"]).repositories

    def _find(self, call: Call) -> Document:
        name = f"{_parent(call)}/repositories/{call['repositoriesId']}"
        if name not in self._all(call):
            raise NotFoundError(f"Requested entity was not found: {name}.")
        return self._all(call)[name]

    async def create(self, call: Call) -> Document:
        """Create a repository; the operation that is answered has ended."""
        name = f"{_parent(call)}/repositories/{call.query.get('repositoryId', '')}"
        if name.endswith("/"):
            raise InvalidArgumentError("repositoryId must be set.")
        if name in self._all(call):
            raise AlreadyExistsError(f"the repository already exists: {name}")
        repository = {**call.body, "name": name, "createTime": now(), "updateTime": now()}
        repository.setdefault("mode", "STANDARD_REPOSITORY")
        self._all(call)[name] = repository
        return self._ended(call, "Repository", repository)

    async def get(self, call: Call) -> Document:
        """Return a repository."""
        return self._find(call)

    async def list(self, call: Call) -> Document:
        """Return a location's repositories."""
        refuse_filter(call.query, what="repositories")
        parent = f"{_parent(call)}/"
        found = [each for name, each in self._all(call).items() if name.startswith(parent)]
        return {"repositories": found}

    async def patch(self, call: Call) -> Document:
        """Change the fields that ``updateMask`` names."""
        repository = self._find(call)
        for field in call.query.get("updateMask", "").split(","):
            if field not in _PATCHED:
                raise InvalidArgumentError(
                    f"updateMask names {field!r}; allowed: {', '.join(_PATCHED)}."
                )
            repository.pop(field, None)
            if field in call.body:
                repository[field] = call.body[field]
        repository["updateTime"] = now()
        return repository

    async def delete(self, call: Call) -> Document:
        """Delete a repository with its policy."""
        name = self._find(call)["name"]
        del self._all(call)[name]
        self._world.iam_bindings.pop(name, None)
        return self._ended(call, "", {})

    def _ended(self, call: Call, kind: str, response: Document) -> Document:
        version = "google.devtools.artifactregistry.v1"
        type_url = f"{version}.{kind}" if kind else "google.protobuf.Empty"
        return {
            "name": f"{_parent(call)}/operations/{self._world.new_id()}",
            "metadata": {"@type": f"type.googleapis.com/{version}.OperationMetadata"},
            "done": True,
            "response": {"@type": f"type.googleapis.com/{type_url}", **response},
        }


def _parent(call: Call) -> str:
    return f"projects/{call['projectsId']}/locations/{call['locationsId']}"
