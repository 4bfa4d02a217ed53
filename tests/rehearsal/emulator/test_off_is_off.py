"""Off is off: what an update names, and what it no longer names, is what there is then. Unit tier.

Google's clients leave false, zero and empty out of what they send.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rehearsal.emulator import cluster_update, discovery, node_pool_update
from rehearsal.emulator.backend import ClusterRef
from rehearsal.emulator.cluster_spec import settle
from rehearsal.emulator.node_pool_spec import settle as settle_pool
from rehearsal.emulator.proto3 import field_message, has_presence
from rehearsal.emulator.world import Cluster, Project
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

SCHEMAS = discovery.load("container", "v1beta1").schemas
DEPTH = 3


def values(field: Document, depth: int) -> st.SearchStrategy[Any]:
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


def messages(schema: str, depth: int = DEPTH) -> st.SearchStrategy[Document]:
    """Generate messages of a schema, without what only Google writes."""
    fields = {
        name: values(field, depth)
        for name, field in SCHEMAS[schema].get("properties", {}).items()
        if not field.get("readOnly") and (depth or "$ref" not in field)
    }
    return st.fixed_dictionaries({}, optional=fields)


def new_cluster(**wished: object) -> Cluster:
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
    cluster_update.apply(cluster, {field: value})()


CLUSTER_FIELDS = {
    f"desired{name[0].upper()}{name[1:]}": name
    for name in SCHEMAS["Cluster"]["properties"]
    if f"desired{name[0].upper()}{name[1:]}" in cluster_update.FIELDS
    and field_message("Cluster", name)
    and name != "enterpriseConfig"  # its desired tier is a message of another kind
} | {"desiredClusterAutoscaling": "autoscaling"}


def test_the_fields_that_are_switched_on_and_off_are_most_of_those_that_there_are() -> None:
    assert len(CLUSTER_FIELDS) > 20


@pytest.mark.parametrize("field", CLUSTER_FIELDS)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_cluster_switched_on_off_and_on_again_is_as_a_new_one(
    field: str, data: st.DataObject
) -> None:
    schema = field_message("ClusterUpdate", field)
    assert schema is not None
    on, other = data.draw(messages(schema)), data.draw(messages(schema))
    name = CLUSTER_FIELDS[field]
    cluster = new_cluster(**{name: copy.deepcopy(on)})
    update(cluster, field, {})
    update(cluster, field, copy.deepcopy(on))
    assert cluster.document == new_cluster(**{name: on}).document

    # Booleans and lists are those of the last word, whatever was said before.
    update(cluster, field, copy.deepcopy(other))
    assert plain(schema, cluster.document.get(name, {})) == plain(schema, other)


def plain(schema: str, message: Document) -> Document:
    """Return the booleans, lists and maps of a message that are distinguished by no presence."""
    properties = SCHEMAS[schema]["properties"]
    return {
        name: value
        for name, value in message.items()
        if value
        and not properties[name].get("readOnly")
        and properties[name].get("type") in ("boolean", "array", "object")
        and not has_presence(schema, name)
    }


BY_MESSAGE = (
    "containerdConfig",
    "fastSocket",
    "gcfsConfig",
    "gvnic",
    "kubeletConfig",
    "linuxNodeConfig",
    "loggingConfig",
    "workloadMetadataConfig",
)
COLLECTIONS: dict[str, list[Any]] = {
    "labels": [{"a": "b"}],
    "resourceLabels": [{"a": "b"}],
    "tags": [["a"]],
    "taints": [[{"key": "a", "value": "b", "effect": "NO_SCHEDULE"}]],
}


def new_pool(**config: object) -> Document:
    return settle_pool(
        {"name": "cpu", "config": config},
        cluster=new_cluster().document,
        cluster_has_cpu_pool=True,
    )


def updated_pool(pool: Document, field: str, value: object) -> Document:
    return node_pool_update.updated(pool, {"name": "cpu", field: value}).document


@pytest.mark.parametrize("field", BY_MESSAGE)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_pool_switched_on_off_and_on_again_is_as_a_new_one(
    field: str, data: st.DataObject
) -> None:
    schema = field_message("NodeConfig", field)
    assert schema is not None
    on = data.draw(messages(schema))
    as_new = new_pool(**{field: copy.deepcopy(on)})
    off = updated_pool(as_new, field, {})
    assert off == new_pool(**{field: {}})
    assert updated_pool(off, field, on) == as_new


@pytest.mark.parametrize("field", COLLECTIONS)
@pytest.mark.parametrize("is_named", [True, False], ids=["an empty one", "nothing"])
def test_the_last_label_tag_or_taint_of_a_pool_can_be_taken_away(
    field: str, *, is_named: bool
) -> None:
    inner = "labels" if field == "resourceLabels" else field
    [on] = COLLECTIONS[field]
    as_new = new_pool(**{field: on})
    off = updated_pool(as_new, field, {inner: type(on)()} if is_named else {})
    assert off == new_pool()
    assert updated_pool(off, field, {inner: on}) == as_new


def test_an_update_of_a_pool_that_names_no_field_is_refused_as_google_does(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        answer = await client.call("PUT", f"{POOLS}/default-pool", {"name": "default-pool"})
        assert answer.status_code == 400
        assert "At least one of ['node_version', 'image_type'" in answer.text

    on_a_cluster(tmp_path, body)


NETWORKS = {"enabled": True, "cidrBlocks": [{"cidrBlock": "10.0.0.0/8"}]}


@pytest.mark.parametrize(
    ("field", "on", "off", "path"),
    [
        (
            "desiredControlPlaneEndpointsConfig",
            {"ipEndpointsConfig": {"authorizedNetworksConfig": NETWORKS}},
            {"ipEndpointsConfig": {"authorizedNetworksConfig": {}}},
            "masterAuthorizedNetworksConfig.cidrBlocks",
        ),
        (
            "desiredMasterAuthorizedNetworksConfig",
            NETWORKS,
            {},
            "controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig.cidrBlocks",
        ),
        (
            "desiredMonitoringConfig",
            {"managedPrometheusConfig": {"enabled": True}},
            {"managedPrometheusConfig": {}},
            "monitoringConfig.managedPrometheusConfig.enabled",
        ),
        (
            "desiredAuthenticatorGroupsConfig",
            {"enabled": True, "securityGroup": "gke-security-groups@acme.org"},
            {},
            "authenticatorGroupsConfig.securityGroup",
        ),
        ("desiredVerticalPodAutoscaling", {"enabled": True}, {}, "verticalPodAutoscaling.enabled"),
        (
            "desiredClusterAutoscaling",
            {"enableNodeAutoprovisioning": True, "resourceLimits": [{"resourceType": "cpu"}]},
            {},
            "autoscaling.resourceLimits",
        ),
        (
            "desiredIntraNodeVisibilityConfig",
            {"enabled": True},
            {},
            "networkConfig.enableIntraNodeVisibility",
        ),
        (
            "desiredL4ilbSubsettingConfig",
            {"enabled": True},
            {},
            "networkConfig.enableL4ilbSubsetting",
        ),
    ],
)
def test_a_cluster_shows_what_was_switched_on_and_no_longer_what_was_switched_off(
    tmp_path: Path, field: str, on: Document, off: Document, path: str
) -> None:
    async def shown(client: Client) -> Any:
        value: Any = await client.ok("GET", CLUSTER)
        for key in path.split("."):
            value = value.get(key, {})
        return value

    async def body(client: Client) -> None:
        await client.ok("PUT", CLUSTER, {"update": {field: on}})
        assert await shown(client)
        await client.ok("PUT", CLUSTER, {"update": {field: off}})
        assert not await shown(client)
        cluster = await client.ok("GET", CLUSTER)
        # What was not spoken of is as before: one component of two, one endpoint of two.
        assert cluster["monitoringConfig"]["componentConfig"]["enableComponents"]
        assert cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]["publicEndpoint"]
        assert cluster["autoscaling"]["autoscalingProfile"] == "BALANCED"
        assert set(cluster) <= set(SCHEMAS["Cluster"]["properties"])
        assert set(cluster["networkConfig"]) <= set(SCHEMAS["NetworkConfig"]["properties"])

    on_a_cluster(tmp_path, body)


def test_private_google_access_is_switched_off_by_a_request_that_is_empty(tmp_path: Path) -> None:
    compute = "/compute/beta/projects/acme"
    subnetworks = f"{compute}/regions/us-central1/subnetworks"

    async def body(client: Client) -> None:
        await client.ok("POST", f"{compute}/global/networks", {"name": "rapids"})
        subnetwork = {"name": "rapids", "network": "rapids", "ipCidrRange": "10.0.0.0/20"}
        await client.ok("POST", subnetworks, {**subnetwork, "privateIpGoogleAccess": True})
        await client.ok("POST", f"{subnetworks}/rapids/setPrivateIpGoogleAccess", {})
        shown = await client.ok("GET", f"{subnetworks}/rapids")
        assert shown["privateIpGoogleAccess"] is False

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize(
    ("management", "what"),
    [
        ({}, "Auto_upgrade and auto_repair"),
        ({"autoRepair": True}, "Auto_upgrade"),
        ({"autoRepair": True, "autoUpgrade": False}, "Auto_upgrade"),
        ({"autoUpgrade": True}, "Auto_repair"),
    ],
)
def test_a_channel_refuses_a_pool_that_is_created_without_upgrades_or_repairs(
    tmp_path: Path, management: Document, what: str
) -> None:
    async def body(client: Client) -> None:
        pool = {"name": "cpu", "management": management}
        answer = await client.call("POST", POOLS, {"nodePool": pool})
        assert answer.status_code == 400
        assert f"{what} cannot be false when release_channel REGULAR is set." in answer.text
        await client.ok("PUT", CLUSTER, {"update": {"desiredReleaseChannel": {}}})
        await client.ok("POST", POOLS, {"nodePool": pool})
        shown = await client.ok("GET", f"{POOLS}/cpu")
        assert shown["management"] == management

    on_a_cluster(tmp_path, body)
