"""What the types of the tls stand-in share: they live in the state, and change by replacement."""

from abc import abstractmethod
from typing import ClassVar, Final

from typing_extensions import override

from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Checked,
    CheckFailure,
    Diff,
    Naming,
    Properties,
    ProviderError,
    ResourceType,
    Secret,
    State,
    changed_paths,
    covered_by,
    reveal,
    with_replacements,
)

BOOKKEEPING: Final = "__defaults"
"""Where plugins of this kind note their defaults."""


class TlsResource(ResourceType):
    """One type: its inputs, and how the rest is worked out from them."""

    required: ClassVar[frozenset[str]]
    optional: ClassVar[frozenset[str]] = frozenset()
    in_place: ClassVar[frozenset[str]] = frozenset()
    """Inputs whose change is no other object."""

    computed: ClassVar[frozenset[str]]
    secret: ClassVar[frozenset[str]] = frozenset()
    """Those of the computed outputs that nobody may read."""

    @abstractmethod
    def make(self, inputs: Properties) -> tuple[str, Properties]:
        """Return a new object's ID and what is computed, from plain inputs.

        Raises:
            ValueError: the inputs are no such thing.

        """

    @override
    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        given = {key for key, value in inputs.items() if value is not None} - {BOOKKEEPING}
        known = self.required | self.optional
        failures = [
            CheckFailure(
                name, f"is not served by the tls stand-in, which knows {', '.join(sorted(known))}"
            )
            for name in sorted(given - known)
        ]
        failures += [CheckFailure(name, "is missing") for name in sorted(self.required - given)]
        return Checked(inputs, failures)

    @override
    def diff(self, *, old: State, inputs: Properties) -> Diff:
        stays = covered_by(self.in_place)
        changes = {
            path: change
            for path, change in changed_paths(old.inputs, inputs).items()
            if path[0] != BOOKKEEPING
        }
        return Diff(changes=with_replacements(changes, replacing=lambda path: not stays(path)))

    @override
    def create(self, *, inputs: Properties, call: Call) -> State:
        if call.preview:
            return State(
                "", inputs, {**inputs, **self._conceal(dict.fromkeys(self.computed, UNKNOWN))}
            )
        try:
            made_id, computed = self.make(reveal(inputs))
        except ValueError as error:
            raise ProviderError(f"{call.type} {call.name} cannot be made: {error}") from error
        return State(made_id, inputs, {**inputs, **self._conceal(computed)})

    @override
    def read(self, *, stored: State, call: Call) -> State | None:
        if not stored.outputs:
            raise ProviderError(f"{call.type} lives in the state alone and cannot be imported")
        return stored

    @override
    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        return State(old.id, inputs, {**old.outputs, **inputs})

    @override
    def delete(self, *, old: State, call: Call) -> None:
        """There is nothing outside of the state."""

    def _conceal(self, computed: Properties) -> Properties:
        return {
            key: Secret(value) if key in self.secret else value for key, value in computed.items()
        }
