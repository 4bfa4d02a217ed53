"""Any Kubernetes kind as a Pulumi resource."""

from collections.abc import Iterator
from contextlib import contextmanager

from rehearsal.providers.kubernetes import annotations
from rehearsal.providers.kubernetes.api import ApiError, UnknownKindError
from rehearsal.providers.kubernetes.awaiting import (
    NotReadyError,
    await_gone,
    await_ready,
    require_ready,
)
from rehearsal.providers.kubernetes.checkpoint import checkpoint, stored_manager
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.field_ownership import manager_for
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest, lookup, object_id, parse_id
from rehearsal.providers.kubernetes.naming import with_identity, with_name, with_namespace
from rehearsal.providers.kubernetes.projection import importable_inputs, project
from rehearsal.providers.kubernetes.replacement import diff_objects
from rehearsal.providers.kubernetes.writing import create, preview_of_create, update
from rehearsal.providers.protocol import (
    Call,
    Checked,
    CheckFailure,
    Diff,
    Naming,
    Properties,
    ProviderError,
    ResourceIncompleteError,
    ResourceType,
    State,
    contains_unknown,
    reveal,
)
from rehearsal.providers.protocol.values import conceal

_SKIP_AWAIT_COVERS_DELETION = frozenset(
    {
        Kind("", "v1", "Namespace"),
        Kind("", "v1", "Pod"),
        Kind("apps", "v1", "DaemonSet"),
        Kind("apps", "v1", "Deployment"),
        Kind("apps", "v1", "StatefulSet"),
        Kind("batch", "v1", "Job"),
    }
)
"""`skipAwait` means readiness only, but for these old kinds (pulumi-kubernetes#1232)."""


class KubernetesObject(ResourceType):
    """Objects of one kind on the configured cluster."""

    def __init__(self, kind: Kind, connection: Connection) -> None:
        self._kind = kind
        self._connection = connection

    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        """Name the object and put it into a namespace; refuse what could never be applied."""
        named, failures = with_identity(inputs, self._kind)
        named = with_name(named, old_inputs=old_inputs, naming=naming)
        default_namespace = self._connection.settings.namespace
        if default_namespace and self._is_namespaced():
            named = with_namespace(named, default_namespace)
        if lookup(named, "metadata", "generateName"):
            failures.append(
                CheckFailure(
                    "metadata.generateName",
                    "is not supported with server-side apply; leave metadata.name out instead",
                )
            )
        try:
            annotations.wait_conditions(reveal(named))
        except ProviderError as error:
            failures.append(CheckFailure("metadata.annotations", str(error)))
        return Checked(named, failures)

    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Compare inputs with inputs; a refresh has put what drifted into the old ones."""
        return diff_objects(
            self._kind,
            old=old.inputs,
            new=inputs,
            mutability=self._connection.settings.mutability,
        )

    def create(self, *, inputs: Properties, call: Call) -> State:
        """POST the object and wait until it is ready; a preview is a dry run where one can be."""
        if call.preview:
            return self._previewed_create(inputs)
        desired: Manifest = reveal(inputs)
        manager = manager_for(desired, stored=None)
        live = create(
            self._connection.require_reachable(),
            self._kind,
            desired,
            manager=manager,
            settings=self._connection.settings,
            call=call,
        )
        return self._ready(inputs, live, manager=manager, call=call)

    def read(self, *, stored: State, call: Call) -> State | None:  # noqa: ARG002 - one look
        """The live object; drift shows in the inputs, an import takes its inputs from it."""
        settings = self._connection.settings
        if self._connection.reachable is None and settings.delete_unreachable:
            return None
        if self._connection.reachable is None and settings.skip_update_unreachable:
            return stored
        namespace, name = parse_id(stored.id)
        live = self._connection.require_reachable().get(self._kind, namespace, name)
        if live is None:
            return None
        known: Manifest = reveal(stored.inputs)
        seen = project(live, onto=known) if known else importable_inputs(live)
        inputs = conceal(seen, like=stored.inputs)
        manager = manager_for(seen, stored=stored_manager(stored.outputs))
        if known:
            with self._kept_while_incomplete(stored.id, inputs, manager=manager):
                api = self._connection.require_reachable()
                require_ready(api, self._kind, inputs=reveal(inputs), live=live)
        return _state(stored.id, inputs, live, manager=manager)

    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        """Apply the new inputs server-side and wait until the object is ready."""
        desired: Manifest = reveal(inputs)
        if call.preview and (contains_unknown(desired) or not self._is_served()):
            return State(id=old.id, inputs=inputs, outputs=inputs)
        manager = manager_for(desired, stored=stored_manager(old.outputs))
        try:
            live = update(
                self._connection.require_reachable(),
                self._kind,
                desired,
                manager=manager,
                force=self._connection.settings.force_conflicts,
                dry_run=call.preview,
            )
        except ApiError as error:
            if call.preview and error.reason == "Forbidden":
                return State(id=old.id, inputs=inputs, outputs=inputs)
            raise ProviderError(f"update of {self._kind} {old.id} failed: {error}") from error
        if call.preview:
            return _state(old.id, inputs, live, manager=manager)
        return self._ready(inputs, live, manager=manager, call=call)

    def delete(self, *, old: State, call: Call) -> None:
        """Delete the object, dependents first, and wait until it is gone."""
        settings = self._connection.settings
        if self._connection.reachable is None and settings.delete_unreachable:
            return
        api = self._connection.require_reachable()
        inputs: Manifest = reveal(old.inputs)
        namespace, name = parse_id(old.id)
        live = api.get(self._kind, namespace, name)
        if live is None:
            return
        propagation = annotations.deletion_propagation(inputs)
        try:
            api.delete(self._kind, namespace, name, propagation=propagation)
        except ApiError as error:
            if error.not_found:
                return
            raise
        if annotations.skips_await(inputs) and self._kind in _SKIP_AWAIT_COVERS_DELETION:
            return
        await_gone(api, self._kind, inputs=inputs, live=live, call=call)

    def _previewed_create(self, inputs: Properties) -> State:
        if contains_unknown(inputs) or not self._is_served():
            return State(id="", inputs=inputs, outputs=inputs)
        desired: Manifest = reveal(inputs)
        live = preview_of_create(self._connection.require_reachable(), self._kind, desired)
        if live is None:
            return State(id="", inputs=inputs, outputs=inputs)
        return _state("", inputs, live, manager=manager_for(desired, stored=None))

    def _ready(self, inputs: Properties, live: Manifest, *, manager: str, call: Call) -> State:
        with self._kept_while_incomplete(object_id(live), inputs, manager=manager):
            api = self._connection.require_reachable()
            live = await_ready(api, self._kind, inputs=reveal(inputs), live=live, call=call)
        return _state(object_id(live), inputs, live, manager=manager)

    @contextmanager
    def _kept_while_incomplete(
        self, resource_id: str, inputs: Properties, *, manager: str
    ) -> Iterator[None]:
        """Raise ResourceIncompleteError for what is not ready."""
        try:
            yield
        except NotReadyError as error:
            state = _state(resource_id, inputs, error.live, manager=manager)
            summary = f"{self._kind.name} {resource_id} exists but is not ready"
            raise ResourceIncompleteError(
                resource_id=resource_id,
                outputs=state.outputs,
                inputs=inputs,
                reasons=(summary, *error.reasons),
            ) from error

    def _is_served(self) -> bool:
        """Tell whether the server can be asked about this kind now."""
        if self._connection.reachable is None:
            return False
        try:
            self._connection.reachable.resource(self._kind)
        except UnknownKindError:
            return False
        return True

    def _is_namespaced(self) -> bool:
        """Whether the kind lives in namespaces; assumed of a kind that is not served yet."""
        if not self._is_served():
            return True
        return self._connection.require_reachable().resource(self._kind).namespaced


def _state(resource_id: str, inputs: Properties, live: Manifest, *, manager: str) -> State:
    outputs = checkpoint(inputs=inputs, live=live, manager=manager)
    return State(id=resource_id, inputs=inputs, outputs=outputs)
