"""The fault catalogue of the Google side: families of cases, expanded over requests.

What happens inside the cluster has its own, in ``cluster_cases.py``.
"""

import signal
import socket
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from rehearsal.emulator import (
    ConnectionReset,
    ErrorAnswer,
    Fault,
    Latency,
    LostAnswer,
    OperationFailure,
    Stockout,
)
from tests.faults.case import (
    AGAIN,
    BREAK_LOCK,
    RECOVER,
    RECOVER_EXISTING,
    REPLACE,
    REPLACE_PROTECTED,
    WENT_THROUGH,
    Case,
    Command,
    Interruption,
    LeftLock,
    Request,
)
from tests.faults.fleets import Name
from tests.faults.requests_of_the_fleet import DESTROY, GROW, READS, SHRINK, UP

Move = tuple[Name, Name, tuple[Request, ...]]

_UP: Move = ("empty", "fleet", UP)
_DESTROY: Move = ("fleet", "empty", DESTROY)
_GROW: Move = ("fleet", "grown", GROW)
_SHRINK: Move = ("grown", "fleet", SHRINK)
SLOWLY = Latency(
    cluster_create_s=1.0,
    cluster_update_s=0.5,
    cluster_delete_s=1.0,
    node_boot_s=0.5,
    node_delete_s=0.5,
)
"""No answer is held, so that operations are asked for."""
MOVES = (_UP, _DESTROY, _GROW, _SHRINK)

_SIGNALS: dict[str, tuple[signal.Signals, ...]] = {
    "SIGKILL": (signal.SIGKILL,),
    "SIGINT": (signal.SIGINT,),
    "SIGTERM": (signal.SIGTERM,),
    "SIGINT twice": (signal.SIGINT, signal.SIGINT),
}
_ENGINE_FINISHES = ("SIGINT", "SIGTERM")
_LEAVES_DEFAULT_POOL = ("default pool's removal",)
_LONGER_THAN_RETRIES = 6
"""The provider tries thrice on server errors, and two pools are created at once."""


def interruptions() -> Iterator[Case]:
    """The engine is interrupted at every request that changes something."""
    for move in MOVES:
        begins, target, requests = move
        for name, signals in _SIGNALS.items():
            for request in requests:
                for when in _moments(name):
                    yield Case(
                        family=f"{name} of {_verb(move)}",
                        at=f"{when} {request.name}",
                        begins=begins,
                        target=target,
                        trouble=Interruption(request=request, when=when, signals=signals),
                        commands=AGAIN if name in _ENGINE_FINISHES else RECOVER,
                    )


def kills_at_reads() -> Iterator[Case]:
    """The engine is killed while it reads."""
    for request in READS:
        yield Case(
            family="SIGKILL of up",
            at=f"while reading {request.name}",
            begins="empty",
            target="fleet",
            trouble=Interruption(request=request, when="before", signals=_SIGNALS["SIGKILL"]),
            commands=RECOVER,
        )


def answers() -> Iterator[Case]:
    """Google refuses, fails, or answers into the void, at every request that changes something."""
    for move in MOVES:
        for request in move[2]:
            yield _answer(move, "503, passing", request, WENT_THROUGH, code=503, times=2)
            yield _answer(
                move,
                "503, lasting",
                request,
                RECOVER if request.name in _LEAVES_DEFAULT_POOL else AGAIN,
                code=503,
                times=_LONGER_THAN_RETRIES,
            )
            yield _answer(
                move,
                "429, a burst",
                request,
                WENT_THROUGH,
                code=429,
                reason="rateLimitExceeded",
                times=4,
            )
            yield _case(
                move, "connection reset", request, (_at(request, ConnectionReset),), WENT_THROUGH
            )
            yield _case(
                move, "answer lost", request, (_at(request, LostAnswer),), _after_loss(request)
            )


def of_gke() -> Iterator[Case]:
    """What only GKE says: busy, no quota, no stock, an operation that fails."""
    for move in MOVES:
        for request in move[2]:
            if "nodePools" not in request.path and "clusters" not in request.path:
                continue
            yield _answer(
                move,
                "400, busy cluster",
                request,
                WENT_THROUGH,
                code=400,
                reason="failedPrecondition",
                times=3,
            )
            if request.method != "DELETE":
                yield _answer(
                    move, "403, no quota", request, AGAIN, code=403, reason="quotaExceeded"
                )
            failure = _at(request, OperationFailure, message="Internal error.")
            yield _case(move, "operation fails", request, (failure,), _after_failure(request))
    yield Case(
        family="operation fails, during up that grows",
        at="new pool, protected",
        begins="fleet",
        target="protected",
        trouble=(_at(GROW[1], OperationFailure, message="Internal error."),),
        commands=REPLACE_PROTECTED,
    )
    for move, pools in ((_UP, ("system", "scheduler-pool", "a100")), (_GROW, ("a100", "more"))):
        for pool in pools:
            yield Case(
                family=f"stock-out during {_verb(move)}",
                at=pool,
                begins=move[0],
                target=move[1],
                trouble=(Stockout(pool=pool, times=10_000),),
                commands=AGAIN,
            )
    for request in (each for each in UP if "Iam" in each.path):
        yield _answer(
            _UP, "409, policy changed meanwhile", request, WENT_THROUGH, code=409, times=2
        )


def while_google_works() -> Iterator[Case]:
    """An operation is under way in Google, and the engine is asking how it gets on.

    For these, Google takes its time (`SLOWLY`). An interrupted creation of a cluster leaves GKE's
    default pool, which only its last step would have removed.
    """
    poll = Request(name="GKE's first operation", method="GET", path="/us-central1-c/operations/")
    for move in MOVES:
        for name, signals in _SIGNALS.items():
            leaves_pool = move == _UP or name not in _ENGINE_FINISHES
            yield Case(
                family=f"{name} of {_verb(move)}",
                at=f"during {poll.name}",
                begins=move[0],
                target=move[1],
                trouble=Interruption(request=poll, when="before", signals=signals),
                commands=RECOVER if leaves_pool else AGAIN,
            )
        lost = ErrorAnswer(method="GET", path=poll.path, code=404, message="Not found.", times=2)
        yield _case(move, "404, an operation is lost for a while", poll, (lost,), WENT_THROUGH)
        failing = ErrorAnswer(method="GET", path=poll.path, code=503, message="Later.", times=2)
        yield _case(move, "503, passing", poll, (failing,), WENT_THROUGH)


def left_locks() -> Iterator[Case]:
    """The stack is locked, and nobody works on it."""
    for move in MOVES:
        for at, host, commands in (
            ("this machine", socket.gethostname(), RECOVER),
            ("another machine", "a-runner-that-is-gone", BREAK_LOCK),
        ):
            yield Case(
                family=f"a lock was left, before {_verb(move)}",
                at=at,
                begins=move[0],
                target=move[1],
                trouble=LeftLock(host=host),
                commands=commands,
            )


def catalogue() -> list[Case]:
    """Every case, once, ordered so that one often begins where the last one ended."""
    cases = {
        case.id: case
        for case in (*interruptions(), *kills_at_reads(), *answers(), *of_gke(), *left_locks())
    }
    return list(_chained(cases.values()))


def _chained(cases: Iterable[Case]) -> Iterator[Case]:
    left: dict[Name, list[Case]] = {"empty": [], "fleet": [], "grown": [], "protected": []}
    for case in cases:
        left[case.begins].append(case)
    at: Name = "empty"
    while any(left.values()):
        if not left[at]:
            at = max(left, key=lambda name: len(left[name]))
        case = left[at].pop(0)
        yield case
        at = case.target


def _moments(name: str) -> tuple[Literal["before", "after"], ...]:
    return ("before", "after") if name in {"SIGKILL", "SIGINT"} else ("after",)


def _verb(move: Move) -> str:
    verbs = {_UP: "up", _DESTROY: "destroy", _GROW: "up that grows", _SHRINK: "up that shrinks"}
    return verbs[move]


def _after_loss(request: Request) -> tuple[Command, ...]:
    if request.name in _LEAVES_DEFAULT_POOL:
        return AGAIN
    return RECOVER_EXISTING if _creates(request) else WENT_THROUGH


def _after_failure(request: Request) -> tuple[Command, ...]:
    if request.name in _LEAVES_DEFAULT_POOL:
        return RECOVER
    return REPLACE if _creates(request) else AGAIN


def _creates(request: Request) -> bool:
    return request.method == "POST" and ":" not in request.path


def _at(request: Request, kind: Any, **arguments: Any) -> Fault:
    fault: Fault = kind(method=request.method, path=request.path, skip=request.nth, **arguments)
    return fault


def _answer(
    move: Move,
    family: str,
    request: Request,
    commands: tuple[Command, ...],
    *,
    code: int,
    reason: str = "backendError",
    times: int = 1,
) -> Case:
    message = f"{family}, says the catalogue."
    fault = _at(request, ErrorAnswer, code=code, message=message, reason=reason, times=times)
    return _case(move, family, request, (fault,), commands)


def _case(
    move: Move,
    family: str,
    request: Request,
    trouble: tuple[Fault, ...],
    commands: tuple[Command, ...],
) -> Case:
    return Case(
        family=f"{family}, during {_verb(move)}",
        at=request.name,
        begins=move[0],
        target=move[1],
        trouble=trouble,
        commands=commands,
    )
