"""Resources that live in the state and nowhere else, and change by replacement."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from typing_extensions import override

from rehearsal.providers.protocol.call import Call
from rehearsal.providers.protocol.diff import Diff, changed_paths, covered_by, with_replacements
from rehearsal.providers.protocol.errors import ProviderError
from rehearsal.providers.protocol.provider import (
    Checked,
    CheckFailure,
    Naming,
    Provider,
    ResourceType,
    State,
)
from rehearsal.providers.protocol.values import UNKNOWN, Properties, Secret, reveal

BOOKKEEPING: Final = "__defaults"
"""Where plugins of this kind note their defaults."""


class StateOnlyResource(ResourceType):
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
                name, f"is not served by the stand-in, which knows {', '.join(sorted(known))}"
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


class StateOnlyProvider(Provider):
    """A package of such types, with no configuration."""

    types: Mapping[str, ResourceType]

    @override
    def served(self) -> Sequence[str]:
        return sorted(self.types)

    @override
    def resource_type(self, token: str) -> ResourceType | None:
        return self.types.get(token)

    @override
    def configure(self, inputs: Properties) -> None:
        """Nothing is configured."""
