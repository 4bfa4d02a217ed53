"""The Kubernetes API as this provider uses it: any kind, by discovery."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import httpx

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, lookup
from rehearsal.providers.protocol import ProviderError

_APPLY = "application/apply-patch+yaml"
_JSON_PATCH = "application/json-patch+json"


class ApiError(ProviderError):
    """The API server refused; `status` is HTTP's, `reason` is Kubernetes' (`AlreadyExists`)."""

    def __init__(self, message: str, *, status: int, reason: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason

    @property
    def not_found(self) -> bool:
        """Whether the object (or what it lives in) does not exist."""
        return self.status == HTTPStatus.NOT_FOUND


class UnreachableError(ProviderError):
    """No answer from the API server."""


class UnknownKindError(ProviderError):
    """The API server does not serve the kind, at least not yet."""


@dataclass(frozen=True)
class ApiResource:
    """Where the objects of a kind live."""

    group_path: str
    plural: str
    namespaced: bool

    def path(self, namespace: str | None, name: str | None = None) -> str:
        """URL path of one object, or of all in a namespace (of all when that is None)."""
        inside = f"/namespaces/{namespace}" if self.namespaced and namespace else ""
        return f"{self.group_path}{inside}/{self.plural}" + (f"/{name}" if name else "")


class KubernetesApi:
    """Calls to one API server. Methods raise ApiError, UnreachableError, UnknownKindError."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._discovered: dict[Kind, ApiResource] = {}

    def version(self) -> str:
        """The server's version; the cheapest proof that it answers."""
        return str(self._send("GET", "/version")["gitVersion"])

    def resource(self, kind: Kind) -> ApiResource:
        """Where a kind lives; asked again until the server knows it (a CRD may come later)."""
        if kind not in self._discovered:
            self._discover(kind)
        return self._discovered[kind]

    def get(self, kind: Kind, namespace: str | None, name: str) -> Manifest | None:
        """One object, None when it does not exist."""
        try:
            return self._send("GET", self._path(kind, namespace, name))
        except (UnknownKindError, ApiError) as error:
            if isinstance(error, UnknownKindError) or error.not_found:
                return None
            raise

    def select(self, kind: Kind, namespace: str | None, **selectors: str) -> tuple[Manifest, ...]:
        """Objects in a namespace that match `labelSelector` and `fieldSelector`."""
        path = self.resource(kind).path(namespace)
        return tuple(self._send("GET", path, query=selectors).get("items") or ())

    def create(self, kind: Kind, manifest: Manifest, *, manager: str, dry_run: bool) -> Manifest:
        """POST an object; fails when it exists."""
        path = self._collection(kind, manifest)
        return self._send("POST", path, json=manifest, query=_query(manager, dry_run=dry_run))

    def apply(
        self, kind: Kind, manifest: Manifest, *, manager: str, force: bool, dry_run: bool
    ) -> Manifest:
        """Server-side apply; conflicts name the other field managers unless forced."""
        path = self._object(kind, manifest)
        query = {**_query(manager, dry_run=dry_run), "force": str(force).lower()}
        return self._send("PATCH", path, json=manifest, content_type=_APPLY, query=query)

    def replace(self, kind: Kind, manifest: Manifest, *, manager: str, dry_run: bool) -> Manifest:
        """PUT an object that carries its `resourceVersion`."""
        path = self._object(kind, manifest)
        return self._send("PUT", path, json=manifest, query=_query(manager, dry_run=dry_run))

    def patch_json(self, kind: Kind, manifest: Manifest, operations: list[Manifest]) -> Manifest:
        """Apply JSON-patch operations to an existing object."""
        path = self._object(kind, manifest)
        return self._send("PATCH", path, json=operations, content_type=_JSON_PATCH)

    def delete(self, kind: Kind, namespace: str | None, name: str, *, propagation: str) -> None:
        """Ask for an object's deletion; with `Foreground` it goes after its dependents."""
        self._send(
            "DELETE", self._path(kind, namespace, name), query={"propagationPolicy": propagation}
        )

    def _path(self, kind: Kind, namespace: str | None, name: str) -> str:
        return self.resource(kind).path(namespace or "default", name)

    def _object(self, kind: Kind, manifest: Manifest) -> str:
        return self._path(
            kind, lookup(manifest, "metadata", "namespace"), manifest["metadata"]["name"]
        )

    def _collection(self, kind: Kind, manifest: Manifest) -> str:
        return self.resource(kind).path(lookup(manifest, "metadata", "namespace") or "default")

    def _discover(self, kind: Kind) -> None:
        group_path = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.version}"
        try:
            found = self._send("GET", group_path)["resources"]
        except ApiError as error:
            if not error.not_found:
                raise
            found = []
        for item in found:
            if "/" not in item["name"]:
                known = Kind(kind.group, kind.version, item["kind"])
                self._discovered[known] = ApiResource(group_path, item["name"], item["namespaced"])
        if kind not in self._discovered:
            raise UnknownKindError(
                f"the Kubernetes API server does not serve {kind}; create the "
                "CustomResourceDefinition first and let this resource depend on it"
            )

    def _send(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        content_type: str = "application/json",
        query: Mapping[str, str] | None = None,
    ) -> Manifest:
        headers = {"Accept": "application/json", "Content-Type": content_type}
        try:
            response = self._client.request(method, path, params=query, json=json, headers=headers)
        except httpx.TransportError as error:
            raise UnreachableError(
                f"the Kubernetes API server {self._client.base_url} does not answer: {error}"
            ) from error
        if response.is_error:
            raise _api_error(response)
        for warning in response.headers.get_list("warning"):
            sys.stderr.write(f"warning: {method} {path}: {warning}\n")
        answer: Manifest = response.json()
        return answer


def _query(manager: str, *, dry_run: bool) -> dict[str, str]:
    return {"fieldManager": manager, **({"dryRun": "All"} if dry_run else {})}


def _api_error(response: httpx.Response) -> ApiError:
    try:
        status = response.json()
    except ValueError:
        status = {}
    message = lookup(status, "message") or response.text or response.reason_phrase
    return ApiError(
        str(message), status=response.status_code, reason=str(lookup(status, "reason") or "")
    )
