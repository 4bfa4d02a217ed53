"""Unit: which nodes are taken, and which come back."""

from datetime import UTC, datetime, timedelta
from typing import Any

from in_cluster.gpu_health.decisions import (
    MISSING_PATIENCE_S,
    Decision,
    Drain,
    Return,
    Sick,
    Stay,
    decide,
    sickness,
)
from tests.in_cluster.gpu_health.nodes import node, sick, taken

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SINCE = "2026-11-23T11:00:00+00:00"


def decided(*nodes: dict[str, Any], most: int = 2) -> list[Decision]:
    wrong = {n["metadata"]["name"]: sickness(n, missing_since=None, now=NOW) for n in nodes}
    return [*decide(nodes, wrong, most_drained=most).values()]


def test_a_healthy_node_stays_and_a_sick_one_is_drained() -> None:
    assert decided(node("a"), sick("b")) == [Stay(why=""), Drain(why="XID 79")]


def test_a_mistake_in_the_signs_does_not_take_the_fleet() -> None:
    nodes = [taken(sick("a"), since=SINCE), *(sick(name) for name in "bcd")]

    decisions = decided(*nodes, most=2)

    assert [type(each) for each in decisions] == [Stay, Drain, Sick, Sick]


def test_a_node_comes_back_when_all_its_gpus_can_be_had_again() -> None:
    (decision,) = decided(taken(node(), since=SINCE))

    assert isinstance(decision, Return)


def test_a_node_that_boots_has_no_gpus_yet_and_stays_drained() -> None:
    for booting in (node(gpus=0), node(gpus=2, usable=1)):
        (decision,) = decided(taken(booting, since=SINCE))
        assert isinstance(decision, Stay)


def test_what_somebody_else_has_cordoned_or_put_back_is_left_to_them() -> None:
    theirs = sick("theirs")
    theirs["spec"]["unschedulable"] = True
    put_back = taken(sick("back"), since=SINCE, cordoned=False)

    decisions = decided(theirs, put_back)

    assert [type(each) for each in decisions] == [Sick, Sick]
    # Once it is whole, it is like any other again: a later sickness is drained.
    (healed,) = decided(taken(node(), since=SINCE, cordoned=False))
    assert isinstance(healed, Return)


def test_a_plugin_that_restarts_is_no_sick_gpu_and_one_that_marks_a_gpu_says_so() -> None:
    lacking = node(gpus=2, usable=1)
    since = NOW - timedelta(seconds=MISSING_PATIENCE_S)

    assert sickness(lacking, missing_since=since + timedelta(seconds=1), now=NOW) == ""
    assert sickness(lacking, missing_since=since, now=NOW) == "1 of its GPUs cannot be used"
