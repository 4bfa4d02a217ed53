"""Unit: what the controller is told of teams whose processes begin anew."""

from typing import Any

import pytest

from daskfleet.planning.recycle import controlled, controller_rules, recyclers
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Recycling
from tests.daskfleet.planning.documents import minimal, planned

SUNDAYS = OpeningHours(windows=(Window(6, 120, 360),), zone="UTC")


@pytest.mark.parametrize(
    ("recycle", "told"),
    [
        ({"after_h": 168}, Recycling(after_s=604800, above_memory_percent=None, hours=None)),
        (
            {"above_memory_percent": 80, "when": "Sun 02:00-06:00 UTC"},
            Recycling(after_s=None, above_memory_percent=80, hours=SUNDAYS),
        ),
    ],
)
def test_a_team_that_never_sleeps_is_told_with_nothing_but_its_recycling(
    recycle: dict[str, Any], told: Recycling
) -> None:
    stack = planned(minimal(teams=[{"name": "alpha", "workers": 1, "recycle": recycle}])).stack

    (rule,) = controller_rules(stack)

    assert (rule.namespace, rule.sleep_after_s, rule.hours) == ("alpha", None, None)
    assert rule.recycling == told


@pytest.mark.parametrize(
    ("settings", "is_controlled", "recycles"),
    [
        ({}, False, False),
        ({"idle": {"workers_after_min": 30}}, True, False),
        ({"recycle": {"after_h": 1}}, True, True),
        ({"recycle": {"after_h": 1}, "retire": True}, False, False),
    ],
)
def test_who_has_neither_has_no_controller(
    settings: dict[str, Any], *, is_controlled: bool, recycles: bool
) -> None:
    stack = planned(minimal(teams=[{"name": "alpha", "workers": 1, **settings}])).stack

    assert (bool(controlled(stack)), bool(recyclers(stack))) == (is_controlled, recycles)


def test_groups_and_adaptive_bounds_go_with_it() -> None:
    recycle = {"recycle": {"after_h": 1}}
    groups = [{"name": "memory", "workers": 0}]
    for more in ({"workers": 1, "groups": groups}, {"adaptive": {"minimum": 0, "maximum": 1}}):
        plan = planned(minimal(teams=[{"name": "alpha", **recycle, **more}]))
        assert [team.name for team in recyclers(plan.stack)] == ["alpha"]
