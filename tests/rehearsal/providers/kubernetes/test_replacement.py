"""Unit tests: which changed inputs need a new object, and whether the old one goes first."""

from typing import Any

import pytest

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import AUTONAMED
from rehearsal.providers.kubernetes.replacement import Mutability, diff_objects
from rehearsal.providers.protocol import UNKNOWN, Diff, Secret, format_path

DEPLOYMENT = Kind("apps", "v1", "Deployment")
CONFIG_MAP = Kind("", "v1", "ConfigMap")
SECRET = Kind("", "v1", "Secret")


def diff(kind: Kind, old: dict[str, Any], new: dict[str, Any], **mutable: bool) -> Diff:
    return diff_objects(kind, old=old, new=new, mutability=Mutability(**mutable))


def named(**fields: Any) -> dict[str, Any]:
    return {"metadata": {"name": "web", "namespace": "shop"}, **fields}


def test_a_replica_count_changes_in_place() -> None:
    result = diff(DEPLOYMENT, named(spec={"replicas": 1}), named(spec={"replicas": 2}))
    assert [format_path(path) for path in result.changes] == ["spec.replicas"]
    assert not result.replaces


def test_a_deployments_selector_replaces_it() -> None:
    old = named(spec={"selector": {"matchLabels": {"app": "a"}}})
    new = named(spec={"selector": {"matchLabels": {"app": "b"}}})
    result = diff(DEPLOYMENT, old, new)
    assert result.replaces
    assert result.delete_before_replace


def test_a_pods_image_replaces_it_but_a_label_does_not() -> None:
    pod = Kind("", "v1", "Pod")
    old = named(spec={"containers": [{"name": "c", "image": "a"}]})
    new = named(spec={"containers": [{"name": "c", "image": "b"}]})
    assert diff(pod, old, new).replaces
    labelled = {**old, "metadata": {**old["metadata"], "labels": {"a": "b"}}}
    assert not diff(pod, old, labelled).replaces


@pytest.mark.parametrize("field", ["name", "namespace"])
def test_another_identity_replaces_and_the_new_object_may_come_first(field: str) -> None:
    old = named()
    new = {"metadata": {**old["metadata"], field: "other"}}
    result = diff(DEPLOYMENT, old, new)
    assert result.replaces
    assert not result.delete_before_replace


def test_an_autonamed_object_is_never_deleted_first() -> None:
    metadata = {"name": "web-1234abcd", "annotations": {AUTONAMED: "true"}}
    old = {"metadata": metadata, "data": {"a": "1"}}
    result = diff(CONFIG_MAP, old, {"metadata": metadata, "data": {"a": "2"}})
    assert result.replaces
    assert not result.delete_before_replace


def test_config_map_data_replaces_unless_config_maps_are_mutable() -> None:
    old, new = named(data={"a": "1"}), named(data={"a": "2"})
    assert diff(CONFIG_MAP, old, new).replaces
    assert not diff(CONFIG_MAP, old, new, config_maps=True).replaces
    assert diff(CONFIG_MAP, old, {**new, "immutable": True}, config_maps=True).replaces


def test_secret_data_is_compared_without_its_wrapping() -> None:
    old, new = named(stringData={"a": Secret("1")}), named(stringData={"a": "1"})
    assert not diff(SECRET, old, new).changes
    assert diff(SECRET, old, named(stringData={"a": Secret("2")})).replaces


def test_the_default_namespace_may_be_left_out() -> None:
    old = {"metadata": {"name": "web", "namespace": "default"}}
    assert not diff(DEPLOYMENT, old, {"metadata": {"name": "web"}}).changes


def test_the_role_of_a_binding_cannot_change() -> None:
    binding = Kind("rbac.authorization.k8s.io", "v1", "RoleBinding")
    old = named(roleRef={"kind": "Role", "name": "a"})
    assert diff(binding, old, named(roleRef={"kind": "Role", "name": "b"})).replaces


def test_a_field_that_is_not_known_yet_counts_as_changed() -> None:
    result = diff(DEPLOYMENT, named(spec={"replicas": 1}), named(spec={"replicas": UNKNOWN}))
    assert [format_path(path) for path in result.changes] == ["spec.replicas"]


def test_a_custom_resources_paths_are_those_that_replace_on_changes_names() -> None:
    kind = Kind("kubernetes.dask.org", "v1", "DaskCluster")
    old = named(spec={"scheduler": {"spec": {"containers": [{"image": "a"}]}}})
    new = named(spec={"scheduler": {"spec": {"containers": [{"image": "b"}]}}})
    result = diff(kind, old, new)
    paths = [format_path(path) for path in result.changes]
    assert paths == ["spec.scheduler.spec.containers[0].image"]
    assert not result.replaces
