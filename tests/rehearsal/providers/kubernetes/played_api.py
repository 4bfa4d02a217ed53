"""An API server of one dictionary, for what the provider decides around its requests."""

import copy
from typing import Any

from rehearsal.providers.kubernetes.api import ApiError, ApiResource, UnknownKindError
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, lookup
from rehearsal.providers.kubernetes.settings import ProviderSettings

Place = tuple[Kind, str | None, str]


def refused(status: int, reason: str) -> ApiError:
    """An answer of the API server that is none of success."""
    return ApiError(f"the server says {reason}", status=status, reason=reason)


class PlayedApi:
    """Answers as `KubernetesApi` does; tests put objects in, and read what was asked."""

    def __init__(self) -> None:
        self.objects: dict[Place, Manifest] = {}
        self.asked: list[str] = []
        """Method, options that matter, and name, of each change."""
        self.refusals: list[ApiError | UnknownKindError] = []
        """What the next changes are answered with, in their order."""
        self.unserved: set[Kind] = set()
        self.finalized = False
        """Whether a deletion does nothing, as long as a finalizer is there."""
        self.selected: tuple[Manifest, ...] = ()
        self._uids = 0

    def put(self, kind: Kind, manifest: Manifest) -> Manifest:
        """Have an object there, as somebody else's work."""
        stored = copy.deepcopy(manifest)
        self._uids += 1
        stored["metadata"].setdefault("uid", f"uid-{self._uids}")
        stored["metadata"]["resourceVersion"] = str(self._uids)
        self.objects[self._place(kind, manifest)] = stored
        return copy.deepcopy(stored)

    def resource(self, kind: Kind) -> ApiResource:
        """Where a kind lives."""
        if kind in self.unserved:
            raise UnknownKindError(f"{kind} is not served")
        return ApiResource("/api/v1", "things", namespaced=kind.name != "Namespace")

    def version(self) -> str:
        """The server's version."""
        return "v1.36.3"

    def get(self, kind: Kind, namespace: str | None, name: str) -> Manifest | None:
        """One object."""
        return copy.deepcopy(self.objects.get((kind, namespace, name)))

    def select(self, kind: Kind, namespace: str | None, **_: str) -> tuple[Manifest, ...]:
        """What the test says."""
        del namespace
        return tuple(each for each in self.selected if each["kind"] == kind.name)

    def create(self, kind: Kind, manifest: Manifest, *, manager: str, dry_run: bool) -> Manifest:
        """POST."""
        self._note("create", manifest, manager, *["dry run"] * dry_run)
        if self._place(kind, manifest) in self.objects:
            raise refused(409, "AlreadyExists")
        return {**manifest, "status": {}} if dry_run else self.put(kind, manifest)

    def apply(
        self, kind: Kind, manifest: Manifest, *, manager: str, force: bool, dry_run: bool
    ) -> Manifest:
        """Server-side apply, of all that there is."""
        self._note("apply", manifest, manager, *["forced"] * force, *["dry run"] * dry_run)
        before = self.objects.get(self._place(kind, manifest), {})
        merged = {**copy.deepcopy(before), **manifest}
        merged["metadata"] = {**before.get("metadata", {}), **manifest["metadata"]}
        return merged if dry_run else self.put(kind, merged)

    def replace(self, kind: Kind, manifest: Manifest, *, manager: str, dry_run: bool) -> Manifest:
        """PUT."""
        version = manifest["metadata"]["resourceVersion"]
        self._note("replace", manifest, manager, f"version {version}", *["dry run"] * dry_run)
        return manifest if dry_run else self.put(kind, manifest)

    def patch_json(self, kind: Kind, manifest: Manifest, operations: list[Manifest]) -> Manifest:
        """JSON patch."""
        del kind
        self._note("patch", manifest, *(operation["path"] for operation in operations))
        return manifest

    def delete(self, kind: Kind, namespace: str | None, name: str, *, propagation: str) -> None:
        """Ask for a deletion."""
        self._note("delete", {"metadata": {"name": name}}, propagation)
        if not self.finalized:
            self.objects.pop((kind, namespace, name), None)

    def _note(self, method: str, manifest: Manifest, *options: str) -> None:
        self.asked.append(" ".join([method, manifest["metadata"]["name"], *options]))
        if self.refusals:
            raise self.refusals.pop(0)

    @staticmethod
    def _place(kind: Kind, manifest: Manifest) -> Place:
        return kind, lookup(manifest, "metadata", "namespace"), manifest["metadata"]["name"]


def connected(api: PlayedApi | None, **settings: Any) -> Connection:
    """A provider's connection to it, or to a cluster that does not answer."""
    nobody: Any = None
    reachable: Any = api
    return Connection(
        settings=ProviderSettings(kubeconfig="", **settings),
        kubeconfig=nobody,
        reachable=reachable,
        reason="" if api else "connection refused",
    )
