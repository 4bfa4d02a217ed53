"""Unit tests: what a refresh takes from the live object."""

from typing import Any

from rehearsal.providers.kubernetes.projection import importable_inputs, project


def test_what_controllers_and_operators_add_does_not_show() -> None:
    inputs = {"metadata": {"name": "c", "labels": {"a": "b"}}, "spec": {"replicas": 2}}
    live = {
        "metadata": {
            "name": "c",
            "labels": {"a": "b", "added": "by-the-server"},
            "finalizers": ["kopf.zalando.org/KopfFinalizerMarker"],
            "annotations": {"kopf.zalando.org/last-handled-configuration": "{}"},
            "uid": "1",
        },
        "spec": {"replicas": 2, "strategy": {"type": "RollingUpdate"}},
        "status": {"phase": "Running"},
    }
    assert project(live, onto=inputs) == inputs


def test_what_somebody_changed_or_removed_shows() -> None:
    inputs = {"metadata": {"labels": {"a": "b", "c": "d"}}, "spec": {"replicas": 2}}
    live = {"metadata": {"labels": {"a": "x"}}, "spec": {"replicas": 3}}
    assert project(live, onto=inputs) == live


def test_a_quantity_in_another_spelling_is_the_same_quantity() -> None:
    inputs = {"spec": {"hard": {"requests.nvidia.com/gpu": 4, "limits.cpu": "1000m"}}}
    live = {"spec": {"hard": {"requests.nvidia.com/gpu": "4", "limits.cpu": "1"}}}
    assert project(live, onto=inputs) == inputs


def test_text_that_looks_like_a_number_is_compared_as_text() -> None:
    live = {"spec": {"env": [{"value": "1.1"}]}}
    assert project(live, onto={"spec": {"env": [{"value": "1.10"}]}}) == live


def test_empty_values_that_the_server_drops_stay() -> None:
    inputs: dict[str, Any] = {"spec": {"podSelector": {}, "ingress": [], "egress": None}}
    assert project({"spec": {}}, onto=inputs) == inputs


def test_an_added_list_item_shows() -> None:
    inputs = {"spec": {"items": [{"name": "a"}]}}
    live = {"spec": {"items": [{"name": "a", "defaulted": 1}, {"name": "b"}]}}
    assert project(live, onto=inputs) == {"spec": {"items": [{"name": "a"}, {"name": "b"}]}}


def test_write_only_fields_stay_as_written() -> None:
    inputs = {"stringData": {"key": "text"}, "metadata": {"name": "s"}}
    live = {"data": {"key": "dGV4dA=="}, "metadata": {"name": "s"}}
    assert project(live, onto=inputs) == inputs


def test_an_import_takes_everything_but_status_and_bookkeeping() -> None:
    live = {
        "apiVersion": "v1",
        "metadata": {"name": "a", "uid": "1", "resourceVersion": "2", "managedFields": []},
        "data": {"a": "b"},
        "status": {},
    }
    assert importable_inputs(live) == {
        "apiVersion": "v1",
        "metadata": {"name": "a"},
        "data": {"a": "b"},
    }
