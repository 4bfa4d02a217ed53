"""Unit: what happened to a fleet, in sentences."""

import pytest

from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from daskfleet.platform.review.rehearsal_run.words import what_happened
from tests.daskfleet.platform.review.rehearsal_run.fleets import BEFORE, looked_at


def happened(before: Fleet, after: Fleet) -> list[str]:
    """All but what was not touched."""
    return [line for line in what_happened(before, after) if not line.startswith("not touched")]


def test_where_nothing_happens_everything_is_said_to_be_untouched() -> None:
    assert what_happened(BEFORE, BEFORE) == (
        "not touched: team alpha, team beta, pool a100, pool scheduler-pool, pool system",
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            ("1", "23"),
            ("4", "567"),
            "Dask cluster replaced: scheduler and 2 workers went, scheduler and 3 workers came",
        ),
        (("1", "23"), ("1", "234"), "1 worker came, 2 workers went on; the scheduler went on"),
        (("1", "23"), ("1", "2"), "1 of 2 workers went, 1 worker went on; the scheduler went on"),
        (
            ("1", "23"),
            ("1", "45"),
            "2 of 2 workers went, 2 workers came; the scheduler went on",
        ),
        (("1", "23"), ("4", "23"), "scheduler replaced; all workers went on"),
    ],
)
def test_a_teams_pods_are_told_apart(
    before: tuple[str, str], after: tuple[str, str], said: str
) -> None:
    found = happened(looked_at(teams={"alpha": before}), looked_at(teams={"alpha": after}))

    assert found == [f"team alpha: {said}"]


def test_teams_come_and_go() -> None:
    found = happened(looked_at(teams={"alpha": ("1", "2")}), looked_at(teams={"beta": ("3", "45")}))

    assert found == [
        "team alpha: its Dask cluster went, scheduler and 1 worker",
        "team beta: new, scheduler and 2 workers",
    ]


def test_nodes_are_counted_by_pool() -> None:
    found = happened(
        looked_at(nodes={"a": "12", "b": "34", "c": "5"}),
        looked_at(nodes={"a": "67", "b": "3", "c": "58", "d": "9"}),
    )

    assert found == [
        "pool a: 2 of 2 nodes went, 2 came",
        "pool b: 1 of 2 nodes went",
        "pool c: 1 node came",
        "pool d: 1 node came",
    ]


def test_a_namespace_that_goes_is_told_and_one_that_comes_belongs_to_its_team() -> None:
    found = happened(
        looked_at(namespaces={"alpha": "A", "beta": "B"}),
        looked_at(namespaces={"alpha": "A", "beta": "C", "gamma": "G"}),
    )

    assert found == ["namespace beta: went with everything in it"]


def test_the_platforms_pods_are_told_by_what_they_are() -> None:
    found = happened(
        looked_at(platform={("operator", "system"): "o", ("driver installer", "a"): "xy"}),
        looked_at(platform={("operator", "system"): "p", ("driver installer", "a"): "xz"}),
    )

    assert found == [
        "driver installer: 1 of 2 pods replaced or gone",
        "operator: 1 of 1 pod replaced or gone",
    ]


def test_from_nothing_everything_is_new() -> None:
    assert what_happened(Fleet(), BEFORE) == (
        "team alpha: new, scheduler and 2 workers",
        "team beta: new, scheduler and 1 worker",
        "pool a100: 2 nodes came",
        "pool scheduler-pool: 1 node came",
        "pool system: 1 node came",
    )
