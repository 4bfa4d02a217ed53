"""One case: where it begins, what goes wrong on the way, and which commands then lead there."""

import re
import signal
from dataclasses import dataclass
from typing import Literal

from rehearsal.emulator import Fault, Hold
from tests.faults.fleets import Name

Command = Literal[
    "up or destroy",
    "recover",
    "recover --existing",
    "recover --break-lock",
    "up --replace",
    "state unprotect",
]
"""The documented commands (docs/runbook.md, "When `up` did not end")."""

WENT_THROUGH: tuple[Command, ...] = ()
AGAIN: tuple[Command, ...] = ("up or destroy",)
RECOVER: tuple[Command, ...] = ("recover", "up or destroy")
REPLACE: tuple[Command, ...] = ("up --replace",)
REPLACE_PROTECTED: tuple[Command, ...] = ("state unprotect", "up --replace")
BREAK_LOCK: tuple[Command, ...] = ("recover --break-lock", "up or destroy")
RECOVER_EXISTING: tuple[Command, ...] = ("recover --existing", "up or destroy")


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request of the engine's provider, the nth of those like it in a clean run."""

    name: str
    method: str
    path: str
    """Regular expression searched in the path."""
    nth: int = 0

    def matches(self, sent: str) -> bool:
        """Tell whether a request written as ``POST /path`` is one of these."""
        method, _, path = sent.partition(" ")
        return method == self.method and bool(re.search(self.path, path))


@dataclass(frozen=True, kw_only=True)
class Interruption:
    """Signals to the engine at one request, before or after its effect."""

    request: Request
    when: Literal["before", "after"]
    signals: tuple[signal.Signals, ...]

    @property
    def hold(self) -> Hold:
        """The fault that holds the request meanwhile."""
        request = self.request
        return Hold(method=request.method, path=request.path, skip=request.nth, when=self.when)

    @property
    def ends_at_once(self) -> bool:
        """Whether the engine finishes nothing: killed, or asked twice."""
        return len(self.signals) > 1 or signal.SIGKILL in self.signals


@dataclass(frozen=True, kw_only=True)
class LeftLock:
    """A lock whose engine is gone, on this machine or on another."""

    host: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """A move from one fleet to another, and what happens to it."""

    family: str
    at: str
    """Where it strikes, within the family."""
    begins: Name
    target: Name
    trouble: Interruption | LeftLock | tuple[Fault, ...]
    commands: tuple[Command, ...]
    """What leads to the target afterwards; none: the engine gets there by itself."""

    @property
    def id(self) -> str:
        """Name of the case, for people and for the report."""
        return f"{self.family}: {self.at}"
