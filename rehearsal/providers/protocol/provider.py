"""What a stand-in provider implements: a Provider that hands out ResourceTypes."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from rehearsal.providers.protocol.call import Call
from rehearsal.providers.protocol.diff import Diff, changed_paths
from rehearsal.providers.protocol.values import Properties


@dataclass(frozen=True)
class CheckFailure:
    """One refused input: `path` as the program's author would write it, and the reason."""

    path: str
    reason: str


@dataclass(frozen=True)
class Checked:
    """Inputs with defaults filled in, and everything that is wrong with them."""

    inputs: Properties
    failures: Sequence[CheckFailure] = ()


@dataclass(frozen=True)
class State:
    """One resource as the engine stores it; `outputs` include the inputs echoed."""

    id: str
    inputs: Properties
    outputs: Properties


@dataclass(frozen=True)
class Naming:
    """How a resource without an explicit name gets one."""

    logical_name: str
    seed: bytes

    def autoname(self, *, digits: int) -> str:
        """Return the logical name and hex digits; the same in a step's preview and update."""
        return f"{self.logical_name}-{hashlib.sha256(self.seed).hexdigest()[:digits]}"


class ResourceType(ABC):
    """One type token. Methods raise ProviderError with a text for the user.

    In a preview `inputs` may hold UNKNOWN; `create` and `update` are then called with
    `call.preview` set, must change nothing, and answer UNKNOWN for what is computed.
    """

    @abstractmethod
    def check(self, *, inputs: Properties, old_inputs: Properties, naming: Naming) -> Checked:
        """Validate inputs and fill defaults; `old_inputs` is empty for a new resource."""

    @abstractmethod
    def diff(self, *, old: State, inputs: Properties) -> Diff:
        """Compare the stored resource with new, checked inputs."""

    @abstractmethod
    def create(self, *, inputs: Properties, call: Call) -> State:
        """Create the resource, wait until it is usable; an empty id is right in a preview.

        Raises ResourceIncompleteError when it exists but failed to become usable.
        """

    @abstractmethod
    def read(self, *, stored: State, call: Call) -> State | None:
        """Return the live resource, None when it is gone; `stored` has only an id on import."""

    @abstractmethod
    def update(self, *, old: State, inputs: Properties, call: Call) -> State:
        """Change the resource in place; same rules as `create`."""

    @abstractmethod
    def delete(self, *, old: State, call: Call) -> None:
        """Delete the resource and wait until it is gone; gone already is success."""


class Provider(ABC):
    """A package: its name, its configuration and its resource types."""

    name: str
    version: str

    @abstractmethod
    def served(self) -> Sequence[str]:
        """Tell what is served, for the message that refuses everything else."""

    @abstractmethod
    def resource_type(self, token: str) -> ResourceType | None:
        """Find the resource type of a token, None when it is not served."""

    def function(self, token: str) -> Properties | None:  # noqa: ARG002 - most serve none
        """Answer a function that takes no arguments, None when it is not served."""
        return None

    def check_config(self, inputs: Properties) -> Checked:
        """Validate the provider's own inputs."""
        return Checked(inputs)

    def diff_config(self, *, old_inputs: Properties, inputs: Properties) -> Diff:
        """Compare the provider's own inputs; a replacement replaces every resource with it."""
        return Diff(changes=changed_paths(old_inputs, inputs))

    @abstractmethod
    def configure(self, inputs: Properties) -> None:
        """Take the provider's inputs; not called while any of them is unknown."""
