"""GPU nodes keep off what asks for no GPU, and the scheduler's also what is no scheduler."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from daskfleet.contract.nodes import DEDICATED_LABEL, GPU_TAINT, SCHEDULER, SCHEDULER_TAINT, Taint
from policies.declared import Declared, at, items_of, may_be, may_have, of_kind
from policies.rule import NoParameters, Rule, Violation


def _check(fleet: Sequence[Declared], parameters: NoParameters) -> Iterator[Violation]:
    del parameters
    for pool in of_kind(fleet, "NodePool"):
        for taint in _needed(pool):
            if not may_have(pool.at("nodeConfig", "taints"), partial(_may_be, taint)):
                yield Violation(
                    resource=pool,
                    message=f"The pool has no taint "
                    f"{taint.key}={taint.value}:{taint.gke_effect}, so pods that do not belong "
                    f"there take its nodes' room. GKE adds a taint of its own for GPUs only in "
                    f"some cases: declare it.",
                )


def _needed(pool: Declared) -> Iterator[Taint]:
    if any(True for _ in items_of(pool.at("nodeConfig", "guestAccelerators"))):
        yield GPU_TAINT
    if pool.at("nodeConfig", "labels", DEDICATED_LABEL) == SCHEDULER:
        yield SCHEDULER_TAINT


def _may_be(taint: Taint, given: Any) -> bool:
    expected = {"key": taint.key, "value": taint.value, "effect": taint.gke_effect}
    return all(may_be(at(given, key), value) for key, value in expected.items())


RULE = Rule(
    name="gpu-taints",
    description="GPU pools are tainted, and the scheduler pool for schedulers alone.",
    level="mandatory",
    scope="resource",
    parameters=NoParameters,
    check=_check,
)
