"""Each field of a cluster that can be updated: on, off, and on again. Unit tier.

It ends where a cluster ends that is made so, or the field is refused by its name.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rehearsal.emulator import cluster_fields, cluster_update
from rehearsal.emulator.errors import UnimplementedError
from rehearsal.emulator.node_pool_spec import defaults
from rehearsal.emulator.proto3 import field_message, has_presence, is_distinguished
from tests.rehearsal.emulator.wishes import SCHEMAS, new_cluster, plain, update, values

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Cluster

CLUSTER_UPDATE = SCHEMAS["ClusterUpdate"]["properties"]


def at_path(path: str) -> Callable[[Any], Document]:
    """Return how a new cluster wishes for what an update changes at ``path``."""

    def wish(value: Any) -> Document:
        for key in reversed(path.split(".")):
            value = {key: value}
        if "ipAllocationPolicy" in value:  # which Google's clients switch on whenever they name it
            value["ipAllocationPolicy"]["useIpAliases"] = True
        return dict(value)

    return wish


SAME_NAME = {f"desired{name[0].upper()}{name[1:]}": name for name in cluster_fields.SAME_NAME}
WISHES: dict[str, Callable[[Any], Document]] = {
    **{field: at_path(path) for field, path in {**SAME_NAME, **cluster_fields.OTHER_NAMES}.items()},
    "desiredControlPlaneEndpointsConfig": at_path("controlPlaneEndpointsConfig"),
    "desiredDefaultEnablePrivateNodes": lambda on: {
        "networkConfig": {"defaultEnablePrivateNodes": on},
        "privateClusterConfig": {"enablePrivateNodes": on},
    },
    "desiredEnablePrivateEndpoint": at_path("privateClusterConfig.enablePrivateEndpoint"),
    "desiredIntraNodeVisibilityConfig": lambda on: {
        "networkConfig": {"enableIntraNodeVisibility": on.get("enabled", False)}
    },
    "desiredL4ilbSubsettingConfig": lambda on: {
        "networkConfig": {"enableL4ilbSubsetting": on.get("enabled", False)}
    },
    "desiredMasterAuthorizedNetworksConfig": at_path("masterAuthorizedNetworksConfig"),
    "desiredMasterVersion": lambda _: {},
}
"""By field of ClusterUpdate."""

PATHS = {
    **SAME_NAME,
    **cluster_fields.OTHER_NAMES,
    "desiredControlPlaneEndpointsConfig": "controlPlaneEndpointsConfig",
    "desiredMasterAuthorizedNetworksConfig": "masterAuthorizedNetworksConfig",
}
"""Where a cluster has what an update changes, by field of ClusterUpdate."""

OF_POOLS = {"desiredImageType", "desiredNodePoolAutoscaling", "desiredNodeVersion"}
ADDRESSES = {"desiredNodePoolId", "etag"}


def test_each_field_of_an_update_of_a_cluster_is_tried_here_or_refused_by_name() -> None:
    known = WISHES.keys() | OF_POOLS | ADDRESSES
    assert known | cluster_fields.NOT_EMULATED.keys() == CLUSTER_UPDATE.keys()
    assert not known & cluster_fields.NOT_EMULATED.keys()
    assert cluster_update.FIELDS.keys() == WISHES.keys()


def wished(field: str) -> st.SearchStrategy[Any]:
    if field == "desiredLocations":
        return st.sampled_from([["us-central1-c"], ["us-central1-b", "us-central1-c"]])
    if field == "desiredMasterVersion":
        return st.sampled_from(["latest", "-", defaults("versions")["master"]])
    return values(CLUSTER_UPDATE[field])


def off(field: str) -> Any:
    """Return what switches a field off, as proto3 has it."""
    kind = CLUSTER_UPDATE[field]
    if "$ref" in kind:
        return {}
    return {"boolean": False, "array": ["us-central1-a", "us-central1-c"]}.get(
        kind["type"], "latest"
    )


def made_with(field: str, on: Any) -> Cluster:
    """Return a cluster that is made with what an update would have changed."""
    cluster = new_cluster(**WISHES[field](copy.deepcopy(on)))
    if field == "desiredNodePoolAutoConfigLinuxNodeConfig":  # which creation does not take
        update(cluster, field, copy.deepcopy(on))
    return cluster


def settled(document: Document) -> Document:
    """Return a document without messages that say nothing, which are as good as none."""
    return {
        key: said
        for key, value in document.items()
        if (said := settled(value) if isinstance(value, dict) else value) != {}
    }


@pytest.mark.parametrize("field", WISHES)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_cluster_switched_on_off_and_on_again_is_as_a_new_one(
    field: str, data: st.DataObject
) -> None:
    on, other = data.draw(wished(field)), data.draw(wished(field))
    made = made_with(field, on)
    cluster = made_with(field, on)
    update(cluster, field, off(field))
    update(cluster, field, copy.deepcopy(on))
    assert settled(cluster.document) == settled(made.document)

    later = new_cluster()
    for value in (on, off(field), on):
        update(later, field, copy.deepcopy(value))
    schema = field_message("ClusterUpdate", field)
    if schema is None:
        assert settled(later.document) == settled(made.document)
        return
    # Booleans and lists are those of the last word, whatever was said before.
    update(cluster, field, copy.deepcopy(other))
    update(later, field, copy.deepcopy(other))
    assert booleans_of(schema, field, cluster) == booleans_of(schema, field, later)


MESSAGES = [field for field in WISHES if field_message("ClusterUpdate", field)]


def said_of(schema: str, message: Document) -> Document:
    """Return what a message itself says, without its inner ones and without what is off.

    Of an enum whose zero is called "no change" nothing is said: it stays as it is.
    """
    properties = SCHEMAS[schema].get("properties", {})
    return {
        name: value
        for name, value in message.items()
        if value
        and name in properties
        and "$ref" not in properties[name]
        and (is_distinguished(schema, name) or not has_presence(schema, name))
    }


def inner_messages(schema: str) -> dict[str, str]:
    """Return the messages in a message, by the names of their fields."""
    properties = SCHEMAS[schema].get("properties", {})
    return {
        name: field["$ref"]
        for name, field in properties.items()
        if "$ref" in field and not field.get("readOnly")
    }


def message_of(cluster: Cluster, field: str) -> Document:
    """Return what an update by this field has written."""
    found: Any = cluster.document
    for key in PATHS[field].split("."):
        found = found.get(key, {})
    return dict(found)


@pytest.mark.parametrize("field", sorted(set(MESSAGES) & PATHS.keys()))
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_message_that_is_named_and_empty_says_what_a_new_cluster_says_with_it(
    field: str, data: st.DataObject
) -> None:
    schema = field_message("ClusterUpdate", field) or ""
    on = data.draw(wished(field))
    cluster, fresh = made_with(field, on), made_with(field, {})
    update(cluster, field, {})
    assert said_of(schema, message_of(cluster, field)) == said_of(schema, message_of(fresh, field))

    for name, inner in inner_messages(schema).items():
        cluster, fresh = made_with(field, on), made_with(field, {name: {}})
        update(cluster, field, {name: {}})
        emptied, new = (message_of(each, field).get(name, {}) for each in (cluster, fresh))
        assert said_of(inner, emptied) == said_of(inner, new), name


def booleans_of(schema: str, field: str, cluster: Cluster) -> Document:
    return plain(schema, message_of(cluster, field) if field in PATHS else {})


@pytest.mark.parametrize("field", cluster_fields.NOT_EMULATED)
def test_a_field_of_a_cluster_that_is_not_emulated_is_refused_by_name(field: str) -> None:
    with pytest.raises(UnimplementedError, match=rf"ClusterUpdate\.{field}: it has no"):
        update(new_cluster(), field, {"some": "thing"})
