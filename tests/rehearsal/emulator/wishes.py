"""What a client may wish of a cluster or a pool, generated, and what the rules make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from rehearsal.emulator import cluster_update, discovery, node_pool_update
from rehearsal.emulator.backend import ClusterRef
from rehearsal.emulator.cluster_spec import settle
from rehearsal.emulator.node_pool_spec import settle as settle_pool
from rehearsal.emulator.proto3 import has_presence
from rehearsal.emulator.world import Cluster, Project

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

SCHEMAS = discovery.load("container", "v1beta1").schemas
_DEPTH = 3


def values(field: Document, depth: int = _DEPTH) -> st.SearchStrategy[Any]:
    """Generate values of a field, as the server takes them from a checked body."""
    if "$ref" in field:
        return messages(field["$ref"], depth - 1)
    if field["type"] == "array":
        return st.lists(values(field["items"], depth), min_size=1, max_size=2)
    return {
        "object": st.just({"key": "value"}),
        "boolean": st.booleans(),
        "integer": st.integers(1, 9),
        "number": st.integers(1, 9),
        "string": st.sampled_from(field.get("enum", ["", "1", "2"])[1:]),
    }[field["type"]]


def messages(schema: str, depth: int = _DEPTH) -> st.SearchStrategy[Document]:
    """Generate messages of a schema, without what only Google writes."""
    fields = {
        name: values(field, depth)
        for name, field in SCHEMAS[schema].get("properties", {}).items()
        if not field.get("readOnly") and (depth or "$ref" not in field)
    }
    return st.fixed_dictionaries({}, optional=fields)


def new_cluster(**wished: object) -> Cluster:
    """Return a new cluster, without what differs each time."""
    requested = {"name": "rapids", "initialNodeCount": 1, **wished}
    document = settle(
        requested,
        project=Project(name="acme"),
        location="us-central1-c",
        service_url="http://localhost",
        cluster_id="1",
    )
    for field in ("createTime", "maintenancePolicy"):
        del document[field]
    ref = ClusterRef(
        project="acme", location="us-central1-c", name="rapids", service_cidr="", pod_cidr=""
    )
    return Cluster(ref=ref, document=document)


def update(cluster: Cluster, field: str, value: object) -> None:
    """Change one field of a cluster."""
    cluster_update.apply(cluster, {field: value})()


def new_pool(pool: Document | None = None, **config: object) -> Document:
    """Return a new pool, with ``pool`` beside its config."""
    return settle_pool(
        {"name": "cpu", "config": config, **(pool or {})},
        cluster=new_cluster().document,
        cluster_has_cpu_pool=True,
    )


def updated_pool(pool: Document, field: str, value: object) -> Document:
    """Return a pool after the change of one field."""
    return node_pool_update.updated(pool, {"name": "cpu", field: value}).document


def plain(schema: str, message: Document) -> Document:
    """Return the booleans, lists and maps of a message that are distinguished by no presence."""
    properties = SCHEMAS[schema]["properties"]
    return {
        name: value
        for name, value in message.items()
        if value
        and name in properties
        and not properties[name].get("readOnly")
        and properties[name].get("type") in ("boolean", "array", "object")
        and not has_presence(schema, name)
    }
