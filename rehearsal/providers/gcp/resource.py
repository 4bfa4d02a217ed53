"""What all Google resource types have in common: tables in, the protocol's answers out."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import ClassVar

from typing_extensions import override

from rehearsal.providers.gcp.calls import GoogleCalls
from rehearsal.providers.gcp.check import BOOKKEEPING, failures
from rehearsal.providers.gcp.comparison import compare
from rehearsal.providers.gcp.error_state import why_incomplete
from rehearsal.providers.gcp.from_rest import imported, refreshed
from rehearsal.providers.gcp.google_api import GoogleApiError
from rehearsal.providers.gcp.input_schema import Block, block_of
from rehearsal.providers.gcp.operations import OperationFailedError
from rehearsal.providers.gcp.outputs import ValueOf, echoed
from rehearsal.providers.gcp.provider_fields import Fields, provider_fields, with_defaults
from rehearsal.providers.gcp.rest_mapping import Document, Form, Rule, Table, get_path
from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Change,
    Checked,
    Diff,
    Naming,
    OperationCancelledError,
    OperationTimedOutError,
    Path,
    Properties,
    ProviderError,
    ResourceIncompleteError,
    ResourceType,
    State,
    covered_by,
    reveal,
)

AUTONAME_DIGITS = 7
"""Random hex digits that pulumi-gcp appends to a logical name (bridge `AutoName`)."""

LOCAL = Rule(form=Form.LOCAL)
REFERENCE = Rule(form=Form.REFERENCE)
_COMMON_LOCAL: Table = {"project": LOCAL, "deletionPolicy": LOCAL}


class GoogleResource(GoogleCalls, ResourceType):
    """One Google resource type; the class attributes are its tables."""

    pulumi_type: ClassVar[str]
    """The engine's type token."""
    sdk_module: ClassVar[str]
    sdk_class: ClassVar[str]
    table: ClassVar[Table] = {}
    computed: ClassVar[Mapping[str, str]] = {}
    """Outputs by dotted Pulumi path, each with its REST path."""
    filled: ClassVar[tuple[str, ...]] = ()
    """Inputs whose default the program's inputs are given; the others are Google's own as well."""
    imported: ClassVar[frozenset[str]]
    """Inputs that an import takes over; the others may be the server's own defaults."""
    autonamed: ClassVar[bool] = True
    off_is_absent: ClassVar[frozenset[str]] = frozenset()
    """Blocks with `enabled` that are as good as absent once they are off."""

    @property
    def block(self) -> Block:
        """The SDK's inputs of this type."""
        return block_of(self.sdk_module, self.sdk_class)

    @property
    def fields(self) -> Fields:
        """The provider's schema of this type."""
        return provider_fields(self.pulumi_type)

    @property
    def full_table(self) -> Table:
        """The type's table and the rows that all types share."""
        return {**_COMMON_LOCAL, **self.table}

    @override
    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        """Validate against the SDK, fill defaults and the name."""
        declared = {
            name: value
            for name, value in inputs.items()
            if name != BOOKKEEPING and value is not None
        }
        filled: Properties = {n: v for n, v in self._defaults().items() if n not in declared}
        if self.autonamed and "name" not in declared:
            was_autonamed = "name" in old_inputs.get(BOOKKEEPING, [])
            autoname = naming.autoname(digits=AUTONAME_DIGITS)
            filled["name"] = old_inputs["name"] if was_autonamed else autoname
        bookkeeping = {BOOKKEEPING: sorted(filled)}
        return Checked({**declared, **filled, **bookkeeping}, failures(declared, self.block))

    @override
    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Compare inputs; a replacement under an explicit name must delete first."""
        changes = self._changes(old, inputs)
        replaced = any(change.replaces for change in changes.values())
        explicit = self.autonamed and "name" not in inputs.get(BOOKKEEPING, [])
        return Diff(changes=changes, delete_before_replace=replaced and explicit)

    @override
    def create(self, *, inputs: Properties, call: Call) -> State:
        """Create, wait, and read back."""
        if call.preview:
            return State("", inputs, self._outputs(inputs, lambda _name, _path: UNKNOWN))
        known = reveal(inputs)
        resource_id = self.identify(known)
        try:
            self.insert(resource_id, known, call)
        except (OperationFailedError, OperationTimedOutError, OperationCancelledError) as error:
            # What exists, and may cost, has to be in the state: a stocked-out pool does exist.
            live = self.fetch(resource_id, call)
            if live is None:
                raise
            reasons = why_incomplete(str(error), resource_id, live)
            raise self.incomplete(resource_id, inputs, live, reasons) from error
        return self._live_state(resource_id, inputs, call)

    @override
    def read(self, *, stored: State, call: Call) -> State | None:
        """Read for a refresh, or for an import when nothing but the id is known."""
        live = self.fetch(stored.id, call)
        if live is None:
            return None
        if stored.inputs:
            declared = reveal(stored.inputs)
            inputs = refreshed(declared, live, block=self.block, table=self.full_table)
        else:
            found = imported(live, block=self.block, table=self.full_table, wanted=self.imported)
            inputs = {**self._defaults(), **self.identity(stored.id), **found, BOOKKEEPING: []}
        return State(stored.id, inputs, self._live_outputs(inputs, live))

    @override
    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        """Change in place, wait, and read back."""
        if call.preview:
            stable = self._outputs(inputs, lambda name, _path: get_path(old.outputs, name))
            return State(old.id, inputs, stable)
        known = reveal(inputs)
        changed = {
            ".".join(part for part in path if isinstance(part, str))
            for path in self._changes(old, known)
        }
        self.apply(old, with_defaults(known, self.fields), changed, call)
        return self._live_state(old.id, inputs, call)

    @override
    def delete(self, *, old: State, call: Call) -> None:
        """Delete, as far as the deletion policy lets."""
        match old.outputs.get("deletionPolicy"):
            case "PREVENT":
                raise ProviderError(
                    f"{old.id} has deletionPolicy PREVENT: set it to DELETE and run an update "
                    "before deleting the resource"
                )
            case "ABANDON":
                return
            case _:
                self._remove(old, call)

    def replaced_by_value(self, old_inputs: Properties, inputs: Properties) -> tuple[str, ...]:  # noqa: ARG002 - some types must look at the values
        """Tell which inputs replace because of their values, where the schema does not say so."""
        return ()

    @abstractmethod
    def insert(self, resource_id: str, inputs: Properties, call: Call) -> None:
        """Create the resource and wait until it is ready."""

    @abstractmethod
    def apply(self, old: State, inputs: Properties, changed: set[str], call: Call) -> None:
        """Bring changed inputs (dotted paths, list positions left out) to the live resource."""

    @abstractmethod
    def remove(self, old: State, call: Call) -> None:
        """Delete the resource and wait until it is gone."""

    def incomplete(
        self, resource_id: str, inputs: Properties, live: Document, reasons: Sequence[str]
    ) -> ResourceIncompleteError:
        """Build the error that keeps a resource in the state although it is not usable."""
        return ResourceIncompleteError(
            resource_id=resource_id,
            outputs=self._live_outputs(reveal(inputs), live),
            inputs=inputs,
            reasons=reasons,
        )

    def _changes(self, old: State, inputs: Properties) -> Mapping[Path, Change]:
        """Compare, an undeclared place being where the resource is and where it would go."""
        identity = self.identity(old.id)
        here = {
            name: identity[name]
            for name in self.cloud.places
            if name in identity and name in self.block.inputs
        }
        there = {name: self.cloud.places[name] or value for name, value in here.items()}
        before, after = {**here, **old.inputs}, {**there, **inputs}
        for name in self.off_is_absent:
            if after.get(name) is None and not (reveal(before).get(name) or {}).get("enabled"):
                before.pop(name, None)
        return compare(
            before,
            after,
            table=self.full_table,
            fields=self.fields,
            replaced_by_value=covered_by(self.replaced_by_value(reveal(before), reveal(after))),
        )

    def _defaults(self) -> Properties:
        return {name: self.fields[name].default for name in self.filled}

    def _remove(self, old: State, call: Call) -> None:
        try:
            self.remove(State(old.id, reveal(old.inputs), reveal(old.outputs)), call)
        except GoogleApiError as error:
            if error.code != HTTPStatus.NOT_FOUND:
                raise

    def _live_state(self, resource_id: str, inputs: Properties, call: Call) -> State:
        live = self.fetch(resource_id, call)
        if live is None:
            raise ProviderError(f"{resource_id} is gone although the API has just accepted it")
        return State(resource_id, inputs, self._live_outputs(reveal(inputs), live))

    def _live_outputs(self, inputs: Properties, live: Document) -> Properties:
        return self._outputs(inputs, lambda _name, path: get_path(live, path))

    def _outputs(self, inputs: Properties, value_of: ValueOf) -> Properties:
        return echoed(inputs, computed=self.computed, value_of=value_of)
