"""Unit: which properties change, from what to what, and which of them replace the resource."""

from typing import Any

import pytest

from daskfleet.access.redaction.shapes import HIDDEN
from daskfleet.platform.review.model import PropertyDiff
from daskfleet.platform.review.named_lists import IN_ANOTHER_ORDER
from daskfleet.platform.review.presentable import KNOWN_LATER, UNKNOWN
from daskfleet.platform.review.property_diffs import ANOTHER, property_diffs
from tests.daskfleet.platform.review.engine_steps import engine_step
from tests.daskfleet.platform.review.recordings import recorded


def diffs(*arguments: Any, **options: Any) -> dict[str, PropertyDiff]:
    found = property_diffs(engine_step(*arguments, **options))
    assert len({diff.path for diff in found}) == len(found)
    return {diff.path: diff for diff in found}


def env(**variables: Any) -> dict[str, Any]:
    entries = [
        {"name": name, **(value if isinstance(value, dict) else {"value": value})}
        for name, value in variables.items()
    ]
    return {"spec": {"containers": [{"name": "worker", "env": entries}]}}


def test_a_replacements_diff_says_which_input_forces_it() -> None:
    found = diffs(
        "replace",
        old={"nodeConfig": {"machineType": "a2-highgpu-1g"}, "nodeCount": 1},
        new={"nodeConfig": {"machineType": "a2-highgpu-2g"}, "nodeCount": 2},
        detailed={"nodeConfig.machineType": "update-replace", "nodeCount": "update"},
    )

    assert found["nodeConfig.machineType"].forces_replacement
    assert found["nodeConfig.machineType"].kind == "update"
    assert not found["nodeCount"].forces_replacement
    assert found["nodeCount"].direction == "grows"
    assert (found["nodeCount"].old, found["nodeCount"].new) == ("1", "2")


@pytest.mark.parametrize(
    "detailed", [{"nodeLocations[0]": "update", "nodeLocations[1]": "add"}, None]
)
def test_zones_are_compared_as_a_set_whoever_compares(detailed: dict[str, str] | None) -> None:
    found = diffs(
        "update",
        old={"nodeLocations": ["us-central1-c"]},
        new={"nodeLocations": ["us-central1-a", "us-central1-c"]},
        detailed=detailed,
    )

    assert found.keys() == {"nodeLocations"}
    assert found["nodeLocations"].direction == "grows"


def test_keys_of_the_replacement_mark_what_is_below_them() -> None:
    found = diffs(
        "replace",
        old={"spec": {"a": "1"}, "other": "1"},
        new={"spec": {"a": "2"}, "other": "2"},
        keys=["spec"],
        detailed={"spec.a": "update", "other": "update"},
    )

    assert found["spec.a"].forces_replacement
    assert not found["other"].forces_replacement


def test_where_nobody_compared_the_inputs_are() -> None:
    found = diffs(
        "update",
        old={"a": {"b": [1, 2]}, "gone": "x", "same": [1], "__defaults": ["a"]},
        new={"a": {"b": [1, 3, 4]}, "come": "y", "same": [1], "__defaults": []},
    )

    assert {path: (diff.kind, diff.old, diff.new) for path, diff in found.items()} == {
        "a.b[1]": ("update", "2", "3"),
        "a.b[2]": ("add", "", "4"),
        "gone": ("delete", "x", ""),
        "come": ("add", "", "y"),
    }


def test_a_replacement_by_another_provider_says_so() -> None:
    found = diffs("replace", old={"a": "1"}, new={"a": "1"}, keys=["provider"])

    assert found["provider"].forces_replacement
    assert found["provider"].new == ANOTHER


def test_what_only_the_outputs_show_is_taken_from_them() -> None:
    found = diffs(
        "update",
        old={"labels": {"a": "declared"}},
        new={"labels": {"a": "declared"}},
        old_outputs={"labels": {"a": "by hand"}},
        detailed={"labels.a": ("update", False)},
    )

    assert (found["labels.a"].old, found["labels.a"].new) == ("by hand", "declared")


def test_creating_and_deleting_have_no_diffs() -> None:
    assert diffs("create", new={"a": "1"}) == {}
    assert diffs("delete", old={"a": "1"}) == {}


@pytest.mark.parametrize("unknown", sorted(UNKNOWN))
def test_a_value_of_any_type_that_the_engine_does_not_know_yet_is_said_to_be_so(
    unknown: str,
) -> None:
    found = diffs("update", old={"ip": "10.0.0.1"}, new={"ip": unknown}, detailed={"ip": "update"})

    assert found["ip"].new == KNOWN_LATER


def test_a_path_that_is_none_is_shown_as_it_is() -> None:
    found = diffs("update", old={}, new={}, detailed={"a[": "update"})

    assert found["a["].old == ""


def test_one_variable_more_at_the_beginning_is_one_change() -> None:
    before = env(LOG="info", MODE="fast")
    after = env(ADDED="1", LOG="info", MODE="fast")
    positions = {
        "spec.containers[0].env[0].name": "update-replace",
        "spec.containers[0].env[0].value": "update-replace",
        "spec.containers[0].env[1].name": "update-replace",
        "spec.containers[0].env[2]": "add-replace",
    }
    (only,) = property_diffs(engine_step("replace", old=before, new=after, detailed=positions))

    assert only.path == "spec.containers[0].env.ADDED"
    assert (only.kind, only.old, only.new, only.forces_replacement) == ("add", "", "1", True)


def test_variables_are_compared_by_name_when_the_engine_has_not_compared() -> None:
    found = diffs("update", old=env(A="1", B="2"), new=env(B="3", C="4"))

    assert {path.rpartition(".")[2]: diff.kind for path, diff in found.items()} == {
        "A": "delete",
        "B": "update",
        "C": "add",
    }


def test_variables_in_another_order_are_said_to_be_that() -> None:
    found = diffs("update", old=env(A="1", B="2"), new=env(B="2", A="1"))

    (only,) = found.values()
    assert (only.old, only.new) == (IN_ANOTHER_ORDER, IN_ANOTHER_ORDER)


def test_a_variable_shows_where_its_value_comes_from_and_none_that_may_be_secret() -> None:
    name = "DATABASE_PASSWORD"
    reference = {"valueFrom": {"secretKeyRef": {"name": "login", "key": "password"}}}
    found = diffs("update", old=env(**{name: "hunter2"}), new=env(**{name: reference}))

    (only,) = found.values()
    assert "hunter2" not in only.old
    assert "hunter2" not in only.new


def test_the_data_of_a_kubernetes_secret_are_hidden_whatever_they_are_called() -> None:
    def secret(value: str) -> dict[str, Any]:
        return {"metadata": {"labels": {"team": value}}, "data": {"user": value}, "type": "Opaque"}

    found = diffs("update", kind="kubernetes:core/v1:Secret", old=secret("me"), new=secret("you"))

    assert (found["data.user"].old, found["data.user"].new) == (HIDDEN, HIDDEN)
    assert (found["metadata.labels.team"].old, found["metadata.labels.team"].new) == ("me", "you")


def test_variables_of_the_same_name_are_compared_by_position() -> None:
    twice = {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}
    other = {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "3"}]}

    assert list(diffs("update", old=twice, new=other)) == ["env[1].value"]


def test_a_recorded_image_change_is_the_two_images_and_what_is_known_later() -> None:
    paths = {
        diff.path: (diff.old, diff.new)
        for step in recorded("image_change").steps
        for diff in step.diffs
    }
    old, new = (f"nvcr.io/nvidia/rapidsai/base:{tag}-cuda12-py3.13" for tag in ("26.10", "26.08"))

    assert paths == {
        "spec.scheduler.spec.containers[0].image": (old, new),
        "spec.worker.spec.containers[0].image": (old, new),
        "spec.selector": (
            '{"dask.org/cluster-name": "genomics", "dask.org/component": "scheduler"}',
            KNOWN_LATER,
        ),
    }
