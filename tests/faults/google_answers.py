"""The cases in which Google refuses, fails, or answers into the void."""

from collections.abc import Iterator
from typing import Any

from rehearsal.emulator import (
    ConnectionReset,
    ErrorAnswer,
    Fault,
    LostAnswer,
    OperationFailure,
    Stockout,
)
from tests.faults.case import (
    AGAIN,
    RECOVER,
    RECOVER_EXISTING,
    REPLACE,
    REPLACE_PROTECTED,
    WENT_THROUGH,
    Case,
    Command,
    Request,
)
from tests.faults.moves import CREATION, GROWTH, MOVES, Move, case_during, verb_of
from tests.faults.requests_of_the_fleet import GROW, UP

_LEAVES_DEFAULT_POOL = ("default pool's removal",)
_LONGER_THAN_RETRIES = 9
"""The provider tries thrice on server errors, and three pools are created at once."""


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
            yield case_during(
                move, "connection reset", request, (_at(request, ConnectionReset),), WENT_THROUGH
            )
            yield case_during(
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
            yield case_during(move, "operation fails", request, (failure,), _after_failure(request))
    yield Case(
        family="operation fails, during up that grows",
        at="new pool, protected",
        begins="fleet",
        target="protected",
        trouble=(_at(GROW[1], OperationFailure, message="Internal error."),),
        commands=REPLACE_PROTECTED,
    )
    for move, pools in (
        (CREATION, ("system", "scheduler-pool", "a100")),
        (GROWTH, ("a100", "more")),
    ):
        for pool in pools:
            yield Case(
                family=f"stock-out during {verb_of(move)}",
                at=pool,
                begins=move[0],
                target=move[1],
                trouble=(Stockout(pool=pool, times=10_000),),
                commands=AGAIN,
            )
    for request in (each for each in UP if "Iam" in each.path):
        yield _answer(
            CREATION, "409, policy changed meanwhile", request, WENT_THROUGH, code=409, times=2
        )


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
    return case_during(move, family, request, (fault,), commands)
