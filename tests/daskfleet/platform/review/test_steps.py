"""Unit: the engine's steps become one for each resource."""

from daskfleet.platform.review.engine_step import EngineStep
from daskfleet.platform.review.model import Step
from daskfleet.platform.review.steps import StepTable
from tests.daskfleet.platform.review.engine_steps import (
    CLUSTER,
    NAMESPACE,
    POOL,
    PROVIDER,
    engine_step,
    urn_of,
)
from tests.daskfleet.platform.review.recordings import recorded


def table(*taken: EngineStep) -> StepTable:
    steps = StepTable()
    for each in taken:
        steps.take(each)
    return steps


def the_one(*taken: EngineStep) -> Step:
    (only,) = table(*taken).steps()
    return only


def changed(operation: str, kind: str) -> EngineStep:
    return engine_step(operation, old={"a": "1"}, new={"a": "2"}, detailed={"a": kind})


def test_the_three_steps_of_a_replacement_are_one_in_whatever_order() -> None:
    steps = [
        engine_step("delete-replaced", old={"a": "1"}, protect=True),
        changed("replace", "update-replace"),
        changed("create-replacement", "update-replace"),
    ]

    for order in (steps, steps[::-1]):
        step = the_one(*order)
        assert step.operation == "replace"
        assert [diff.path for diff in step.diffs] == ["a"]
        assert step.is_protected


def test_the_step_that_says_what_forces_a_replacement_is_heard() -> None:
    inputs = {"old": {"network": "a", "name": "b"}, "new": {"network": "c", "name": "d"}}
    steps = [
        engine_step("replace", old=inputs["old"], new=inputs["new"]),
        engine_step("create-replacement", old=inputs["old"], new=inputs["new"], keys=["network"]),
    ]

    for order in (steps, steps[::-1]):
        forcing = [diff.path for diff in the_one(*order).diffs if diff.forces_replacement]
        assert forcing == ["network"]


def test_what_an_earlier_replacement_left_behind_is_deleted_and_not_replaced() -> None:
    assert the_one(engine_step("delete-replaced", old={"a": "1"})).operation == "delete"


def test_what_stays_is_counted_and_components_are_neither_counted_nor_steps() -> None:
    steps = table(
        engine_step("same", old={}, new={}),
        engine_step("same", name="network", kind="daskfleet:gke:Network", new={}, custom=False),
        engine_step("create", name="other", kind="daskfleet:gke:Network", new={}, custom=False),
    )

    assert steps.unchanged == 1
    assert steps.steps() == ()


def test_a_step_knows_its_owner_by_type_and_name() -> None:
    step = next(s for s in recorded("image_change").steps if s.operation == "replace")

    assert (step.parent_type, step.parent) == ("daskfleet:dask:DaskCluster", "genomics")
    assert (step.type, step.name) == (
        "kubernetes:kubernetes.dask.org/v1:DaskCluster",
        "genomics-dask-cluster",
    )


def test_a_refresh_before_the_update_of_the_same_resource_is_that_update() -> None:
    refreshed = engine_step("refresh", old={}, new={})

    assert the_one(refreshed, changed("update", "update")).operation == "update"
    assert the_one(refreshed).operation == "refresh"


def test_googles_own_deletion_protection_counts_as_protection() -> None:
    locked = engine_step(
        "delete", kind=CLUSTER, old={"deletionProtection": True}, name="control-plane"
    )

    assert the_one(locked).is_protected
    assert not the_one(engine_step("delete", old={"deletionProtection": False})).is_protected


def test_what_is_replaced_only_with_its_provider_follows_it() -> None:
    provider = engine_step(
        "replace", kind=PROVIDER, name="in-cluster", old={"a": "1"}, new={"a": "2"}
    )
    urn = urn_of(PROVIDER, "in-cluster")
    namespace = engine_step(
        "replace",
        kind=NAMESPACE,
        name="team",
        old={"metadata": {}},
        new={"metadata": {}},
        keys=["provider"],
        provider=f"{urn}::04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    )

    followed = {step.name: step.follows for step in table(namespace, provider).steps()}
    assert followed == {"team": urn, "in-cluster": ""}
    # Another provider that is there: the engine could compare, and this is the user's change.
    assert the_one(namespace).follows == ""


def test_pools_of_a_replaced_cluster_follow_it_and_one_with_a_reason_of_its_own_does_not() -> None:
    cluster = engine_step(
        "replace",
        kind=CLUSTER,
        name="control-plane",
        old={"name": "gpu"},
        new={"name": "gpu2"},
        old_outputs={"name": "gpu"},
        detailed={"name": "update-replace"},
    )
    follower = engine_step(
        "create-replacement", old={"cluster": "gpu"}, new={"cluster": "gpu2"}, keys=["cluster"]
    )
    own = engine_step(
        "replace",
        name="other-nodes",
        old={"cluster": "gpu", "spot": False},
        new={"cluster": "gpu2", "spot": True},
        keys=["cluster", "spot"],
        detailed={"cluster": "update-replace", "spot": "update-replace"},
    )

    followed = {step.name: step.follows for step in table(follower, cluster, own).steps()}
    assert followed == {
        "a100-nodes": urn_of(CLUSTER, "control-plane"),
        "control-plane": "",
        "other-nodes": "",
    }


def test_of_a_recorded_cluster_that_is_replaced_all_that_was_not_compared_follows() -> None:
    steps = recorded("cluster_replaced").steps
    free = {step.type for step in steps if not step.follows}

    assert POOL not in free
    assert not any(each.startswith("kubernetes:") for each in free)
    assert {CLUSTER, PROVIDER} <= free
