"""Unit: what is a difference between what was foretold and what was seen, and what is none."""

from dataclasses import replace
from typing import Any

import pytest

from daskfleet.platform.review.model import Discrepancy, Preview, Step
from daskfleet.platform.review.rehearsal_run.comparing import differences, step_differences
from daskfleet.platform.review.rehearsal_run.disruption import Disruption

NOTHING = Disruption(nodes={}, dask_pods={}, namespaces=frozenset(), platform=frozenset())
ROLL = replace(NOTHING, dask_pods={("alpha", "scheduler"): "all", ("alpha", "worker"): "all"})


def test_what_happens_as_foretold_is_no_difference() -> None:
    assert differences(NOTHING, NOTHING) == ()
    assert differences(ROLL, ROLL) == ()


def test_what_goes_and_was_to_stay_is_a_difference() -> None:
    assert differences(NOTHING, ROLL) == (
        Discrepancy(subject="team alpha, schedulers", foretold="stay", seen="all went"),
        Discrepancy(subject="team alpha, workers", foretold="stay", seen="all went"),
    )


def test_what_stays_and_was_to_go_is_a_difference() -> None:
    assert [(each.foretold, each.seen) for each in differences(ROLL, NOTHING)] == [
        ("all go", "stayed"),
        ("all go", "stayed"),
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"nodes": {"a100": "some"}}, ("nodes of pool a100", "stay", "some went")),
        ({"namespaces": frozenset({"alpha"})}, ("namespace alpha", "stays", "went")),
        ({"platform": frozenset({"operator"})}, ("pods of the operator", "stays", "went")),
    ],
)
def test_everything_that_can_go_is_compared_both_ways(
    change: Any, expected: tuple[str, str, str]
) -> None:
    found = replace(NOTHING, **change)

    (only,) = differences(NOTHING, found)
    assert (only.subject, only.foretold, only.seen) == expected
    (other_way,) = differences(found, NOTHING)
    assert other_way.seen == "stayed"


def test_some_are_not_all() -> None:
    some = replace(NOTHING, dask_pods={("alpha", "worker"): "some"})
    every = replace(NOTHING, dask_pods={("alpha", "worker"): "all"})

    (only,) = differences(some, every)
    assert (only.foretold, only.seen) == ("some go", "all went")


def test_what_somebody_else_chooses_is_no_difference() -> None:
    seen = replace(
        NOTHING,
        nodes={"auto": "some"},
        dask_pods={("alpha", "worker"): "some"},
        platform=frozenset({"driver installer"}),
    )
    unsure: frozenset[Any] = frozenset({"auto", ("alpha", "worker"), "driver installer"})

    assert differences(replace(NOTHING, unsure=unsure), seen) == ()
    assert len(differences(NOTHING, seen)) == 3


def run(**operations: Any) -> Preview:
    """What an engine did to resources by name."""
    steps = (
        Step(urn=name, type="kubernetes:core/v1:Service", name=name, operation=operation)
        for name, operation in operations.items()
    )
    return Preview(project="p", stack="s", steps=tuple(steps))


def test_steps_that_were_done_as_planned_are_no_difference() -> None:
    both = run(a="create", b="update", c="replace", d="delete")

    assert step_differences(both, both) == ()


def test_an_update_that_was_found_to_be_none_is_no_difference() -> None:
    assert step_differences(run(a="update"), run()) == ()


@pytest.mark.parametrize(
    ("told", "done", "expected"),
    [
        (run(a="update"), run(a="replace"), ("update", "replace")),
        (run(), run(a="update"), ("unchanged", "update")),
        (run(a="replace"), run(), ("replace", "unchanged")),
    ],
)
def test_a_step_that_was_not_planned_so_is_a_difference(
    told: Preview, done: Preview, expected: tuple[str, str]
) -> None:
    (only,) = step_differences(told, done)

    assert only.subject == "Service a"
    assert (only.foretold, only.seen) == expected


def test_components_and_reads_do_nothing() -> None:
    component = Step(urn="u", type="daskfleet:dask:Team", name="alpha", operation="create")
    done = replace(run(a="read", b="refresh"), steps=(*run(a="read").steps, component))

    assert step_differences(run(), done) == ()
