"""A request after its check, and the table of handlers that answer requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehearsal.emulator.document import Document
from rehearsal.emulator.operations import OperationFailedError

if TYPE_CHECKING:
    from rehearsal.emulator.faults import OperationFailure


@dataclass(frozen=True, kw_only=True)
class Call:
    """One checked request."""

    variables: Mapping[str, str]
    """Variables of the path by Google's names (``projectsId``, ``zone``, ...)."""
    query: Mapping[str, str]
    body: Document
    service_url: str
    """URL that the API's own links start with, version included."""
    fault: OperationFailure | None = None
    """Set when the operation that this call starts is to fail."""

    def __getitem__(self, variable: str) -> str:
        """Return a variable of the path."""
        return self.variables[variable]

    def strike(self) -> None:
        """Raise OperationFailedError when a fault asks that this call's operation fails."""
        if self.fault is not None:
            raise OperationFailedError(self.fault.message)


Handler = Callable[[Call], Awaitable[Document]]
Handlers = Mapping[str, Handler]
"""Handlers by Google's method id, e.g. ``compute.networks.get``."""
