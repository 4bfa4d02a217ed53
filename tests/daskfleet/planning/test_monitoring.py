"""Unit: what is measured, and what cannot be."""

from typing import Any

import pytest

from daskfleet.planning.monitoring import COST_NOTE, is_collected, measures_gpus
from tests.daskfleet.planning.documents import minimal, planned, refused

GKE_DRIVER = {"install": "gke", "channel": "LATEST"}


def test_nothing_is_measured_unless_a_stack_says_so() -> None:
    plan = planned(minimal())

    assert not is_collected(plan.stack)
    assert not measures_gpus(plan.stack)
    assert COST_NOTE not in plan.cost.notes


@pytest.mark.parametrize(
    ("driver", "monitoring", "expected"),
    [
        ({"install": "daemonset"}, {}, False),
        (GKE_DRIVER, {}, True),
        (GKE_DRIVER, {"dcgm": False}, False),
        (GKE_DRIVER, {"dcgm": True}, True),
        (GKE_DRIVER, {"prometheus": "none"}, False),
    ],
)
def test_gpus_are_measured_where_gke_installs_the_driver(
    driver: dict[str, Any], monitoring: dict[str, Any], *, expected: bool
) -> None:
    plan = planned(minimal(driver=driver, monitoring=monitoring))

    assert measures_gpus(plan.stack) is expected


def test_samples_cost_and_the_estimate_says_that_it_does_not_count_them() -> None:
    assert COST_NOTE in planned(minimal(monitoring={})).cost.notes
    assert COST_NOTE not in planned(minimal(monitoring={"prometheus": "none"})).cost.notes


def test_dcgm_beside_our_own_driver_installer_is_refused() -> None:
    (problem,) = refused(minimal(monitoring={"dcgm": True})).problems

    assert problem.key == "monitoring.dcgm"
    assert "install: gke" in problem.next_step


@pytest.mark.parametrize("key", ["dcgm", "alerts"])
def test_what_nobody_would_collect_is_refused(key: str) -> None:
    value: Any = {"dcgm": False, "alerts": {}}[key]
    (problem,) = refused(minimal(monitoring={"prometheus": "none", key: value})).problems

    assert problem.key == f"monitoring.{key}"
    assert "managed" in problem.allowed
