"""Unit: what a reader should know and the engine does not say."""

from typing import Any

import pytest

from daskfleet.contract.nodes import DRIVER_SYSCTL
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.model import Step
from daskfleet.platform.review.steps import StepTable
from daskfleet.platform.review.warnings import warnings
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.engine_steps import CLUSTER, POOL, engine_step
from tests.daskfleet.platform.review.previews import preview, step


def those_of(*steps: Step, plan: FleetPlan | None = None, **more: Any) -> tuple[str, ...]:
    """The warnings, less those of the plan."""
    known = plan or fleet()
    return tuple(
        each for each in warnings(preview(*steps, **more), known) if each not in known.warnings
    )


def test_a_harmless_change_of_a_sound_fleet_has_none() -> None:
    assert those_of(step("update", POOL, "nodeConfig.labels")) == ()


def test_what_is_protected_and_goes_is_named_with_the_way_to_do_it() -> None:
    (only,) = those_of(
        step("replace", POOL, is_protected=True),
        step("delete", CLUSTER, is_protected=True),
        step("update", POOL, name="other", is_protected=True),
    )

    assert "NodePool a100-nodepool, Cluster cluster-cluster." in only
    assert "long_lived to false" in only
    assert "other" not in only


def test_a_long_list_of_protected_resources_is_cut_and_counted() -> None:
    steps = [step("delete", POOL, name=f"p{n}", is_protected=True) for n in range(8)]

    assert "p4 and 3 more." in those_of(*steps)[0]


def test_a_new_cluster_cannot_be_looked_into() -> None:
    assert any("nothing in it could be compared" in w for w in those_of(step("create", CLUSTER)))


def test_another_driver_is_said_to_be_that_and_which_nodes_it_takes() -> None:
    path = f'nodeConfig.linuxNodeConfig.sysctls["{DRIVER_SYSCTL}"]'
    (only,) = those_of(
        step("update", POOL, path, parent="scheduler-pool"),
        step("update", POOL, path),
        step("update", POOL, "nodeConfig.labels", parent="system"),
    )

    assert "nodes of scheduler-pool, a100 are re-created" in only


def test_a_new_generation_tells_the_quota_that_it_needs() -> None:
    plan = fleet(worker_pools=[{"name": "a100", "node_count": 2, "replacement": "surge"}])
    beside = [step("create", POOL, name="a100-1-nodes"), step("delete", POOL, name="a100-2-nodes")]
    (only,) = those_of(*beside, plan=plan)

    assert only == plan.surge_quotas[0].notice
    assert those_of(beside[0], plan=plan) == ()


def test_warnings_of_program_and_plan_are_told_once() -> None:
    plan = fleet(
        scheduler_pool={"spot": True, "schedulers_per_gpu": 2, "machine_type": "n1-standard-4"}
    )
    assert plan.warnings
    found = warnings(preview(warnings=(*plan.warnings, "of a provider")), plan)

    assert sorted(found) == sorted((*plan.warnings, "of a provider"))


def test_without_a_plan_the_engines_own_are_left() -> None:
    assert warnings(preview(warnings=("of a provider",)), None) == ("of a provider",)


GPUS = {"nodeConfig": {"guestAccelerators": [{"type": "nvidia-tesla-t4", "count": 1}]}}
NO_GPUS = {"nodeConfig": {"machineType": "n1-standard-4"}}


def keepers(operation: str, old: dict[str, Any], new: dict[str, Any]) -> tuple[str, ...]:
    table = StepTable()
    table.take(engine_step(operation, old=old, new=new))
    return warnings(preview(gpu_keepers=tuple(table.gpu_keepers)), None)


@pytest.mark.parametrize("operation", ["same", "update"])
def test_a_pool_that_declares_no_gpus_any_more_keeps_them_and_a_review_says_so(
    operation: str,
) -> None:
    (only,) = keepers(operation, GPUS, NO_GPUS)
    assert "declares no GPUs any more, and its nodes keep those that they have" in only
    assert "another name" in only


def test_a_pool_that_has_gpus_or_never_had_any_is_not_warned_of() -> None:
    assert keepers("update", GPUS, GPUS) == ()
    assert keepers("update", NO_GPUS, NO_GPUS) == ()
    assert keepers("update", NO_GPUS, GPUS) == ()
    assert keepers("replace", GPUS, NO_GPUS) == ()
