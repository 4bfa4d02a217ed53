"""Faults that a test or a rehearsal asks for: errors, lost answers, held requests, stock-outs."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from rehearsal.emulator.errors import GoogleError


class _Fault(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    skip: Annotated[int, Field(ge=0)] = 0
    """How many matching events pass before it strikes."""
    times: Annotated[int, Field(ge=1)] = 1
    """How many matching events it strikes."""


class _RequestFault(_Fault):
    method: str = ".*"
    """Regular expression over the whole HTTP method."""
    path: str
    """Regular expression searched in the path, e.g. ``/nodePools$``."""


class ErrorAnswer(_RequestFault):
    """The request is answered with an error and changes nothing."""

    kind: Literal["error"] = "error"
    code: Annotated[int, Field(ge=400, le=599)]
    message: str
    reason: str = "backendError"
    status: str = "UNKNOWN"

    def error(self) -> GoogleError:
        """Return what the client receives."""
        return GoogleError(self.code, self.message, reason=self.reason, status=self.status)


class ConnectionReset(_RequestFault):
    """The connection is closed without an answer; the request changes nothing."""

    kind: Literal["reset"] = "reset"


class LostAnswer(_RequestFault):
    """The request takes effect, but the connection is closed before its answer."""

    kind: Literal["lost-answer"] = "lost-answer"


class Hold(_RequestFault):
    """The request is held until it is released, or until its client is gone.

    So a test can end a client exactly here: ``before`` the request takes effect, in which case it
    never does when the client goes, or ``after``, with the answer still unsent.
    """

    kind: Literal["hold"] = "hold"
    when: Literal["before", "after"]


class OperationFailure(_RequestFault):
    """The request is accepted, its operation ends DONE with this message and no effect."""

    kind: Literal["operation"] = "operation"
    message: str


class Stockout(_Fault):
    """A zone has no machine for the pool: growing it there fails as GKE reports it."""

    kind: Literal["stockout"] = "stockout"
    pool: str
    """Regular expression over the whole name of the pool."""
    zone: str = ".*"
    """Regular expression over the whole name of the zone."""


RequestFault = ErrorAnswer | ConnectionReset | LostAnswer | Hold | OperationFailure
Fault = Annotated[RequestFault | Stockout, Field(discriminator="kind")]
_FAULTS: TypeAdapter[list[Fault]] = TypeAdapter(list[Fault])
_SEEN: TypeAdapter[list[tuple[Fault, int]]] = TypeAdapter(list[tuple[Fault, int]])


class FaultBook:
    """The faults that are still to strike."""

    def __init__(self) -> None:
        self._faults: list[tuple[Fault, int]] = []

    def add(self, *faults: Fault) -> None:
        """Let ``faults`` strike from now on."""
        self._faults.extend((fault, 0) for fault in faults)

    def replace(self, *faults: Fault) -> None:
        """Let ``faults`` strike from now on, and none that was set before."""
        self._faults = [(fault, 0) for fault in faults]

    def replace_from_json(self, text: bytes) -> None:
        """Replace all faults by a JSON list. Raises pydantic.ValidationError."""
        self.replace(*_FAULTS.validate_json(text))

    def kept(self) -> list[object]:
        """Return the faults as JSON, each with how many matching events it has seen."""
        kept: list[object] = _SEEN.dump_python(self._faults, mode="json")
        return kept

    def take_up(self, kept: list[object]) -> None:
        """Replace all faults by those that ``kept`` returned."""
        self._faults = _SEEN.validate_python(kept)

    def on_request(self, *, method: str, path: str) -> RequestFault | None:
        """Return the fault that strikes this request, counting it, or None."""
        for index, (fault, _) in enumerate(self._faults):
            if (
                not isinstance(fault, Stockout)
                and re.fullmatch(fault.method, method)
                and re.search(fault.path, path)
                and self._strikes(index)
            ):
                return fault
        return None

    def stockout(self, pool: str, *, zone: str) -> bool:
        """Tell whether growing ``pool`` in ``zone`` fails now, counting it."""
        return any(
            isinstance(fault, Stockout)
            and re.fullmatch(fault.pool, pool)
            and re.fullmatch(fault.zone, zone)
            and self._strikes(index)
            for index, (fault, _) in enumerate(self._faults)
        )

    def _strikes(self, index: int) -> bool:
        fault, seen = self._faults[index]
        self._faults[index] = (fault, seen + 1)
        return fault.skip <= seen < fault.skip + fault.times
