"""What a new cluster or pool asks for and the emulator lacks is refused by name. Unit tier."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rehearsal.emulator import cluster_fields, discovery, node_pool_update, not_emulated
from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.node_template import node_labels
from rehearsal.emulator.references import check_references
from rehearsal.emulator.world import Project
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, POOLS, emulated, on_a_cluster
from tests.rehearsal.emulator.wishes import new_cluster, new_pool

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document
    from tests.rehearsal.emulator.running import Client

SCHEMAS = discovery.load("container", "v1beta1").schemas
TABLES = {
    "Cluster": not_emulated.CLUSTER,
    "NodePool": not_emulated.NODE_POOL,
    "NodeConfig": not_emulated.NODE_CONFIG,
}


def made(schema: str, field: str, value: Any) -> Document:
    if schema == "Cluster":
        return new_cluster(**{field: value}).document
    return new_pool({field: value}) if schema == "NodePool" else new_pool({}, **{field: value})


FIELDS = [(schema, field) for schema, table in TABLES.items() for field in table]


@pytest.mark.parametrize(("schema", "field"), FIELDS)
def test_a_field_that_is_not_emulated_is_refused_by_name_and_off_is_not(
    schema: str, field: str
) -> None:
    assert field in SCHEMAS[schema]["properties"]
    with pytest.raises(UnimplementedError, match=rf"{field}: it has no"):
        made(schema, field, {"enabled": True})
    made(schema, field, {"enabled": False})
    made(schema, field, {})


def test_the_readme_names_whatever_is_refused() -> None:
    readme = (Path(not_emulated.__file__).parent / "README.md").read_text(encoding="utf-8")
    tables = [*TABLES.values(), cluster_fields.NOT_EMULATED, node_pool_update.NOT_EMULATED]
    assert [name for table in tables for name in table if f"`{name}`" not in readme] == []


def test_all_that_is_lacking_is_said_at_once() -> None:
    with pytest.raises(UnimplementedError, match=r"flexStart: it has no .*; nodeConfig\.maxRun"):
        new_pool(flexStart=True, maxRunDuration="600s")


@pytest.mark.parametrize("image", ["WINDOWS_LTSC_CONTAINERD", "windows_sac", "CUSTOM_CONTAINERD"])
def test_another_system_than_linux_of_google_is_refused_by_name(image: str) -> None:
    with pytest.raises(UnimplementedError, match=f"does not model nodes with image type {image}"):
        new_pool(imageType=image)


def test_a_client_hears_501_and_the_emulators_words(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        pool = {"name": "flex", "config": {"flex_start": True}}
        answer = await client.call("POST", POOLS, {"node_pool": pool})
        assert answer.status_code == 501
        error = answer.json()["error"]
        assert error["status"] == "UNIMPLEMENTED"
        assert error["message"] == (
            "The emulator does not model nodeConfig.flexStart: it has no machines that start when "
            "there is capacity."
        )
        assert (await client.call("GET", f"{POOLS}/flex")).status_code == 404

    on_a_cluster(tmp_path, check)


@pytest.mark.parametrize(
    "collection",
    [
        "/compute/v1/projects/acme/global/networks",
        "/compute/v1/projects/acme/regions/us-central1/addresses",
        "/compute/v1/projects/acme/zones/us-central1-c/acceleratorTypes",
        "/artifactregistry/v1/projects/acme/locations/us-central1/repositories",
    ],
)
def test_a_list_that_is_asked_for_in_part_is_refused_and_not_given_whole(
    tmp_path: Path, collection: str
) -> None:
    async def check(client: Client) -> None:
        assert (await client.call("GET", collection)).status_code == 200
        answer = await client.call("GET", f"{collection}?filter=name=a")
        assert (answer.status_code, "does not filter" in answer.text) == (501, True)

    on_a_cluster(tmp_path, check)


def test_a_control_plane_of_another_version_is_said_not_to_be_emulated() -> None:
    with pytest.raises(UnimplementedError, match=r"version 1\.36\..* only, not of 1\.30"):
        new_cluster(initialClusterVersion="1.30")
    with pytest.raises(UnimplementedError, match=r"only, not of 1\.3\."):
        new_cluster(initialClusterVersion="1.3")
    with pytest.raises(InvalidArgumentError, match='Master version "newest" is unsupported'):
        new_cluster(initialClusterVersion="newest")
    assert (
        new_cluster(initialClusterVersion="1.36").document["currentMasterVersion"]
        == (new_cluster().document["currentMasterVersion"])
    )


COMPACT = {"type": "COMPACT"}
NAMED = {"policyName": "close"}


@pytest.mark.parametrize(
    ("placement", "machine", "zones", "message"),
    [
        (COMPACT, "e2-standard-4", ["us-central1-c"], "e2-standard-4 cannot be placed together"),
        (COMPACT, "n2-standard-4", ["us-central1-a", "us-central1-c"], "are in one zone"),
        (NAMED, "n2-standard-4", ["us-central1-c"], "no resource policy regions/us-central1/"),
    ],
)
def test_a_placement_that_cannot_be_is_refused(
    placement: Document, machine: str, zones: list[str], message: str
) -> None:
    pool = new_pool({"placementPolicy": placement, "locations": zones}, machineType=machine)
    with pytest.raises(InvalidArgumentError, match=message):
        check_references(pool, project=Project(name="acme"))


def test_a_topology_of_tpus_is_refused_by_name() -> None:
    pool = new_pool({"placementPolicy": {"tpuTopology": "2x4"}})
    with pytest.raises(UnimplementedError, match="tpuTopology"):
        check_references(pool, project=Project(name="acme"))


def test_a_pool_finds_the_placement_that_it_names(tmp_path: Path) -> None:
    compute = "/compute/v1/projects/acme"
    config = {"machineType": "n2-standard-4"}
    pool = {"name": "p", "initialNodeCount": 1, "placementPolicy": NAMED, "config": config}

    async def run() -> None:
        async with emulated(tmp_path) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            policies = f"{compute}/regions/us-central1/resourcePolicies"
            await client.ok("POST", policies, {"name": "close"})
            await client.ok("POST", POOLS, {"nodePool": pool})
            shown = await client.ok("GET", f"{POOLS}/p")
            assert shown["placementPolicy"] == NAMED

    asyncio.run(run())


@pytest.mark.parametrize(
    ("image", "distribution"), [("COS_CONTAINERD", "cos"), ("UBUNTU_CONTAINERD", "ubuntu")]
)
def test_a_node_says_which_system_it_runs(image: str, distribution: str) -> None:
    pool = new_pool(imageType=image)
    labels = node_labels(pool, zone="us-central1-c", name="n")
    assert labels["cloud.google.com/gke-os-distribution"] == distribution
