"""The fault catalogue of the Google side: families of cases, expanded over requests.

What happens inside the cluster has its own, in ``cluster_cases.py``.
"""

from collections.abc import Iterable, Iterator
from typing import get_args

from rehearsal.emulator import ErrorAnswer, Latency
from tests.faults.case import AGAIN, RECOVER, WENT_THROUGH, Case, Interruption, Request
from tests.faults.fleets import Name
from tests.faults.google_answers import answers, of_gke
from tests.faults.interruptions import (
    ENGINE_FINISHES,
    SIGNALS,
    interruptions,
    kills_at_reads,
    left_locks,
)
from tests.faults.moves import CREATION, MOVES, case_during, verb_of

SLOWLY = Latency(
    cluster_create_s=1.0,
    cluster_update_s=0.5,
    cluster_delete_s=1.0,
    node_boot_s=0.5,
    node_delete_s=0.5,
)
"""No answer is held, so that operations are asked for."""


def catalogue() -> list[Case]:
    """Every case, once, ordered so that one often begins where the last one ended."""
    cases = {
        case.id: case
        for case in (*interruptions(), *kills_at_reads(), *answers(), *of_gke(), *left_locks())
    }
    return list(_chained(cases.values()))


def while_google_works() -> Iterator[Case]:
    """An operation is under way in Google, and the engine is asking how it gets on.

    For these, Google takes its time (`SLOWLY`). An interrupted creation of a cluster leaves GKE's
    default pool, which only its last step would have removed.
    """
    poll = Request(name="GKE's first operation", method="GET", path="/us-central1-c/operations/")
    for move in MOVES:
        for name, signals in SIGNALS.items():
            leaves_pool = move == CREATION or name not in ENGINE_FINISHES
            yield Case(
                family=f"{name} of {verb_of(move)}",
                at=f"during {poll.name}",
                begins=move[0],
                target=move[1],
                trouble=Interruption(request=poll, when="before", signals=signals),
                commands=RECOVER if leaves_pool else AGAIN,
            )
        lost = ErrorAnswer(method="GET", path=poll.path, code=404, message="Not found.", times=2)
        yield case_during(
            move, "404, an operation is lost for a while", poll, (lost,), WENT_THROUGH
        )
        failing = ErrorAnswer(method="GET", path=poll.path, code=503, message="Later.", times=2)
        yield case_during(move, "503, passing", poll, (failing,), WENT_THROUGH)


def _chained(cases: Iterable[Case]) -> Iterator[Case]:
    left: dict[Name, list[Case]] = {name: [] for name in get_args(Name)}
    for case in cases:
        left[case.begins].append(case)
    at: Name = "empty"
    while any(left.values()):
        if not left[at]:
            at = max(left, key=lambda name: len(left[name]))
        case = left[at].pop(0)
        yield case
        at = case.target
