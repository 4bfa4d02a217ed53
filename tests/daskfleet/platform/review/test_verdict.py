"""Unit: what a reader of one line must know, and why."""

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence, Subject
from daskfleet.platform.review.gate import DESTRUCTIVE
from daskfleet.platform.review.model import Verdict
from daskfleet.platform.review.verdict import verdict

CARE = (ChangeClass.INTERRUPTS_CLIENTS, ChangeClass.ROLLS_DASK_CLUSTER, ChangeClass.ROLLS_NODES)


def consequence(change_class: ChangeClass, team: str = "fraud") -> Consequence:
    return Consequence(
        subject=Subject(kind="team", name=team),
        change_class=change_class,
        headline=f"team {team}: {change_class.value}",
        details=(),
        reasons=(),
        teams=(team,),
    )


def of(*classes: ChangeClass, failure: str = "", concerns: tuple[str, ...] = ()) -> Verdict:
    return verdict(
        {"update": 1}, [consequence(e) for e in classes], failure=failure, concerns=concerns
    )[0]


@pytest.mark.parametrize("change_class", ChangeClass, ids=lambda each: each.value)
def test_each_class_of_change_has_its_verdict(change_class: ChangeClass) -> None:
    expected = (
        Verdict.DESTROYS
        if change_class in DESTRUCTIVE
        else Verdict.NEEDS_CARE
        if change_class in CARE
        else Verdict.SAFE
    )

    assert of(change_class) is expected


def test_nothing_but_reading_is_no_change() -> None:
    found, because = verdict({"read": 2, "unchanged": 40}, (), failure="")

    assert found is Verdict.NO_CHANGE
    assert because == "40 resources stay as they are"


def test_an_update_that_nobody_feels_is_safe_and_not_no_change() -> None:
    assert verdict({"update": 1, "unchanged": 40}, (), failure="")[0] is Verdict.SAFE


def test_a_failure_is_the_verdict_whatever_was_found_until_then() -> None:
    found, because = verdict(
        {"delete": 1}, [consequence(ChangeClass.DESTROYS_DATA)], failure="no credentials"
    )

    assert (found, because) == (Verdict.FAILED, "no credentials")


@pytest.mark.parametrize("counts", [{"unchanged": 1}, {"update": 1}])
def test_a_concern_asks_for_care_even_where_nothing_changes(counts: dict[str, int]) -> None:
    found, because = verdict(counts, (), failure="", concerns=("far above the budget",))

    assert (found, because) == (Verdict.NEEDS_CARE, "far above the budget")


def test_the_reason_is_the_worst_and_how_many_are_as_bad() -> None:
    consequences = [
        consequence(ChangeClass.ROLLS_DASK_CLUSTER),
        consequence(ChangeClass.ROLLS_DASK_CLUSTER, "climate"),
        consequence(ChangeClass.IN_PLACE, "genomics"),
    ]
    _, because = verdict({"update": 3}, consequences, failure="")

    assert because == "team fraud: rolls-dask-cluster (and 1 more of the kind)"
