"""Names of Google's API in the stand-in's tables are the API's and the emulator's. Unit tier.

The stand-in spells the fields that it sends, the emulator those that it serves; neither asks the
other. Google's discovery document, and the emulator's own tables, say whether they agree.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from rehearsal.emulator import cluster_setters, cluster_update, discovery, node_pool_update
from rehearsal.providers.gcp import cluster_updates, node_pool_tables
from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.field_updates import FieldUpdate
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.input_schema import Block, InputType, ListOf, MapOf, Scalar
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.gcp.provider_fields import Fields, provider_fields
from rehearsal.providers.gcp.rest_mapping import Form, Table, rest_path, rule_at

CONTAINER = discovery.load("container", "v1beta1")
CLUSTER = "gcp:container/cluster:Cluster"
POOL = "gcp:container/nodePool:NodePool"
CLUSTER_PATH = "projects/p/locations/l/clusters/c"

NOT_OF_THE_API = {"namePrefix", "nodeCount"}
"""A pool's: no name comes from a prefix here, and its size goes by another name each time."""
NODES_OF_A_CLUSTER_UPDATE = {"desiredNodePoolAutoscaling", "desiredImageType"}
"""Which the emulator serves, but not as a field of the cluster."""


def at(schema: str, path: str) -> dict[str, Any] | None:
    """Return the field at a path of a message, None where there is none."""
    field: dict[str, Any] | None = None
    for name in path.split("."):
        if schema not in CONTAINER.schemas:
            return None
        field = CONTAINER.schemas[schema]["properties"].get(name)
        if field is None:
            return None
        schema = message(field)
    return field


def message(field: dict[str, Any]) -> str:
    """Name the message that a field holds, or holds many of; empty for another kind."""
    held = (field, field.get("items", {}), field.get("additionalProperties", {}))
    return next((each["$ref"] for each in held if "$ref" in each), "")


@dataclass(frozen=True)
class Place:
    """An input and the field that it becomes."""

    key: str
    expected: InputType
    form: Form
    field: dict[str, Any] | None


@dataclass(frozen=True)
class Walk:
    """Walks all inputs that Google's provider lets one set."""

    table: Table
    fields: Fields

    def places(self, key: str, kind: InputType, parent: str, schema: str) -> Iterator[Place]:
        """Yield an input and those in it; `parent` and `schema` are where they lie."""
        rule = rule_at(self.table, key)
        if key not in self.fields or rule.form is Form.LOCAL or key in NOT_OF_THE_API:
            return
        path = rest_path(self.table, key, parent)
        field = at(schema, path)
        yield Place(key, kind, rule.form, field)
        is_list = isinstance(kind, ListOf) and rule.form is not Form.ONLY_ITEM
        item = kind.item if isinstance(kind, ListOf) else kind
        if isinstance(item, Block) and field is not None:
            parent, schema = ("", message(field)) if is_list else (path, schema)
            for name, child in item.inputs.items():
                if not (rule.form is Form.KEYED and name == rule.key_field):
                    yield from self.places(f"{key}.{name}", child, parent, schema)


def google_type(place: Place) -> str:
    """Return the type of the field that an input of this form fits, as the document has it."""
    by_form = {Form.INT64: "string", Form.SPELLED: "boolean", Form.KEYED: "object"}
    if place.form in by_form:
        return by_form[place.form]
    match place.expected:
        case Scalar(python_type):
            names = {str: "string", bool: "boolean", int: "integer", float: "number"}
            return names[python_type]
        case ListOf() if place.form is not Form.ONLY_ITEM:
            return "array"
        case MapOf():
            return "object"
        case _:
            return "message"


@pytest.mark.parametrize(("token", "schema"), [(CLUSTER, "Cluster"), (POOL, "NodePool")])
def test_every_input_becomes_a_field_that_google_has_and_of_its_type(
    token: str, schema: str
) -> None:
    resource = RESOURCE_TYPES[token](Cloud(api=GoogleApi({}, ""), project="p"))
    walk = Walk(resource.full_table, provider_fields(token))
    for name, kind in resource.block.inputs.items():
        for place in walk.places(name, kind, "", schema):
            assert place.field is not None, place.key
            assert place.field.get("type", "message") == google_type(place), place.key


@pytest.mark.parametrize("row", cluster_updates.UPDATES, ids=lambda row: row.inputs[0])
def test_every_change_of_a_cluster_goes_where_the_emulator_serves_it(row: FieldUpdate) -> None:
    verb, path = ("POST", f"{CLUSTER_PATH}:{row.method}") if row.method else ("PUT", CLUSTER_PATH)
    match = CONTAINER.match(http_method=verb, path=f"v1beta1/{path}")
    assert match is not None
    assert at(match.method.request_schema or "", row.request) is not None
    if row.method:
        assert row.method in cluster_setters.SETTERS
    elif row is not cluster_updates.SERVICES:
        assert row.request.split(".")[1] in cluster_update.FIELDS


@pytest.mark.parametrize("row", node_pool_tables.UPDATES, ids=lambda row: row.inputs[0])
def test_every_change_of_a_pool_goes_where_the_emulator_serves_it(row: FieldUpdate) -> None:
    assert at("UpdateNodePoolRequest", row.request) is not None
    assert row.request.split(".")[0] in node_pool_update.FIELDS


def test_what_changes_together_is_served_by_the_emulator() -> None:
    services = {f"desired{name[0].upper()}{name[1:]}" for name in cluster_updates.SERVICES.inputs}
    machine = {"machineType", "diskSizeGb", "diskType", "bootDisk", "storagePools"}
    assert services | {"desiredRollbackSafeUpgrade"} <= cluster_update.FIELDS.keys()
    assert machine <= node_pool_update.FIELDS.keys()


@pytest.mark.parametrize("row", node_pool_tables.OWN_CALLS, ids=lambda row: row.inputs[0])
def test_a_pools_other_calls_have_fields_that_google_has(row: FieldUpdate) -> None:
    of_the_cluster = row.request.removeprefix("update.")
    if of_the_cluster != row.request:
        assert of_the_cluster in NODES_OF_A_CLUSTER_UPDATE
        assert at("ClusterUpdate", of_the_cluster) is not None
    elif row is not node_pool_tables.MACHINE:
        schema = {
            "nodeCount": "SetNodePoolSizeRequest",
            "management": "SetNodePoolManagementRequest",
        }
        assert at(schema[row.request], row.request) is not None
