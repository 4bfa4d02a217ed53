"""What a provider may raise; the servicer turns each into the gRPC answer the engine expects."""

from collections.abc import Sequence

from rehearsal.providers.protocol.values import Properties


class ProviderError(Exception):
    """An operation failed; the text reaches the user as it is."""


class OperationCancelledError(ProviderError):
    """The engine asked to stop (Ctrl-C) while an operation was waiting."""


class OperationTimedOutError(ProviderError):
    """The resource's custom or default time-out passed while an operation was waiting."""


class ResourceIncompleteError(ProviderError):
    """The resource exists but is not usable: the engine keeps it in the state and fails the step.

    `outputs` and `inputs` are what the state shall hold; `reasons` are shown one per line.
    """

    def __init__(
        self, *, resource_id: str, outputs: Properties, inputs: Properties, reasons: Sequence[str]
    ) -> None:
        super().__init__("; ".join(reasons))
        self.resource_id = resource_id
        self.outputs = outputs
        self.inputs = inputs
        self.reasons = tuple(reasons)
