"""Unit: spellings of the classes that somebody may allow."""

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.allowed import parse_allowances
from daskfleet.platform.review.gate import DESTRUCTIVE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", set()),
        ("replace-pool", {ChangeClass.REPLACES_POOL}),
        ("replaces-pool", {ChangeClass.REPLACES_POOL}),
        (
            "replace-cluster, Destroy-Data",
            {ChangeClass.REPLACES_CLUSTER, ChangeClass.DESTROYS_DATA},
        ),
        ("replace-pool,replace-pool,", {ChangeClass.REPLACES_POOL}),
    ],
)
def test_a_class_is_spelled_as_a_command_or_as_itself(
    text: str, expected: set[ChangeClass]
) -> None:
    assert parse_allowances(text) == expected


def test_every_class_that_stops_the_gate_can_be_allowed() -> None:
    text = ",".join(each.value for each in DESTRUCTIVE)

    assert parse_allowances(text) == set(DESTRUCTIVE)


@pytest.mark.parametrize("text", ["all", "replace-pool,roll-nodes", "rolls-nodes", "*"])
def test_what_needs_no_allowance_or_is_none_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(ValueError, match="replace-pool, replace-cluster, destroy-data"):
        parse_allowances(text)
