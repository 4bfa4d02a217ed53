"""The cases in which the engine is interrupted, or left its lock behind."""

import signal
import socket
from collections.abc import Iterator
from typing import Literal

from tests.faults.case import AGAIN, BREAK_LOCK, RECOVER, Case, Interruption, LeftLock
from tests.faults.moves import MOVES, verb_of
from tests.faults.requests_of_the_fleet import READS

SIGNALS: dict[str, tuple[signal.Signals, ...]] = {
    "SIGKILL": (signal.SIGKILL,),
    "SIGINT": (signal.SIGINT,),
    "SIGTERM": (signal.SIGTERM,),
    "SIGINT twice": (signal.SIGINT, signal.SIGINT),
}
ENGINE_FINISHES = ("SIGINT", "SIGTERM")


def interruptions() -> Iterator[Case]:
    """The engine is interrupted at every request that changes something."""
    for move in MOVES:
        begins, target, requests = move
        for name, signals in SIGNALS.items():
            for request in requests:
                for when in _moments(name):
                    yield Case(
                        family=f"{name} of {verb_of(move)}",
                        at=f"{when} {request.name}",
                        begins=begins,
                        target=target,
                        trouble=Interruption(request=request, when=when, signals=signals),
                        commands=AGAIN if name in ENGINE_FINISHES else RECOVER,
                    )


def kills_at_reads() -> Iterator[Case]:
    """The engine is killed while it reads."""
    for request in READS:
        yield Case(
            family="SIGKILL of up",
            at=f"while reading {request.name}",
            begins="empty",
            target="fleet",
            trouble=Interruption(request=request, when="before", signals=SIGNALS["SIGKILL"]),
            commands=RECOVER,
        )


def left_locks() -> Iterator[Case]:
    """The stack is locked, and nobody works on it."""
    for move in MOVES:
        for at, host, commands in (
            ("this machine", socket.gethostname(), RECOVER),
            ("another machine", "a-runner-that-is-gone", BREAK_LOCK),
        ):
            yield Case(
                family=f"a lock was left, before {verb_of(move)}",
                at=at,
                begins=move[0],
                target=move[1],
                trouble=LeftLock(host=host),
                commands=commands,
            )


def _moments(name: str) -> tuple[Literal["before", "after"], ...]:
    return ("before", "after") if name in {"SIGKILL", "SIGINT"} else ("after",)
