"""Each field of a pool that can be updated: on, off, and on again. Unit tier.

It ends where a pool ends that is made so, or the field is refused by its name.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rehearsal.emulator import node_pool_update
from rehearsal.emulator.errors import UnimplementedError
from rehearsal.emulator.proto3 import field_message
from tests.rehearsal.emulator.running import CLUSTER, POOLS, Client, on_a_cluster
from tests.rehearsal.emulator.wishes import SCHEMAS, messages, new_pool, plain, updated_pool

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.emulator.document import Document

POOL_UPDATE = SCHEMAS["UpdateNodePoolRequest"]["properties"]
IN_CONFIG = (
    "confidentialNodes",
    "containerdConfig",
    "fastSocket",
    "gcfsConfig",
    "gvnic",
    "kubeletConfig",
    "linuxNodeConfig",
    "loggingConfig",
    "resourceManagerTags",
    "workloadMetadataConfig",
)
BESIDE_CONFIG = ("maintenancePolicy", "nodeDrainConfig")
T4 = {"acceleratorType": "nvidia-tesla-t4", "acceleratorCount": "1"}
NODE_NETWORK = {
    "enablePrivateNodes": True,
    "additionalNodeNetworkConfigs": [{"network": "n", "subnetwork": "s"}],
}
SINGLE: dict[str, tuple[Any, Any, Document, Document]] = {
    "accelerators": ([{**T4, "acceleratorCount": "2"}], [T4], {}, {"machineType": "n1-standard-4"}),
    "bootDisk": ({"sizeGb": "200", "provisionedIops": "5000"}, {}, {}, {}),
    "diskSizeGb": ("200", "100", {}, {}),
    "diskType": ("pd-ssd", "pd-balanced", {}, {}),
    "imageType": ("UBUNTU_CONTAINERD", "COS_CONTAINERD", {}, {}),
    "labels": ({"labels": {"a": "b"}}, {}, {}, {}),
    "locations": (["us-central1-a"], ["us-central1-b"], {}, {}),
    "machineType": ("n4-standard-4", "c4-standard-4", {}, {"diskType": "hyperdisk-balanced"}),
    "nodeNetworkConfig": (NODE_NETWORK, {"enablePrivateNodes": False}, {}, {}),
    "nodeVersion": ("1.36", "1.36.3-gke.1000000", {}, {}),
    "resourceLabels": ({"labels": {"a": "b"}}, {}, {}, {}),
    "storagePools": (["pool"], ["other"], {}, {}),
    "tags": ({"tags": ["a"]}, {}, {}, {}),
    "taints": ({"taints": [{"key": "a", "value": "b", "effect": "NO_SCHEDULE"}]}, {}, {}, {}),
    "upgradeSettings": ({"maxSurge": 2, "maxUnavailable": 1}, {"maxSurge": 1}, {}, {}),
}
"""On, off, and what the pool and its config need beside it, by field of UpdateNodePoolRequest."""


def test_each_field_of_an_update_of_a_pool_is_tried_here_or_refused_by_name() -> None:
    known = {*IN_CONFIG, *BESIDE_CONFIG, *SINGLE}
    assert known == node_pool_update.FIELDS.keys()
    refused = node_pool_update.NOT_EMULATED.keys()
    assert not known & refused
    assert known | refused | {*node_pool_update.ADDRESS, "etag"} >= POOL_UPDATE.keys()


@pytest.mark.parametrize("field", IN_CONFIG)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_message_of_a_pools_config_switched_on_off_and_on_again_is_as_a_new_one(
    field: str, data: st.DataObject
) -> None:
    schema = field_message("NodeConfig", field)
    assert schema is not None
    on = data.draw(messages(schema))
    as_new = new_pool(**{field: copy.deepcopy(on)})
    off = updated_pool(as_new, field, {})
    assert off == new_pool(**{field: {}})
    assert updated_pool(off, field, on) == as_new


@pytest.mark.parametrize("field", BESIDE_CONFIG)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_message_of_a_pool_switched_on_off_and_on_again_is_as_a_new_one(
    field: str, data: st.DataObject
) -> None:
    schema = field_message("NodePool", field)
    assert schema is not None
    on = data.draw(messages(schema))
    as_new = new_pool({field: copy.deepcopy(on)})
    off = updated_pool(as_new, field, {})
    assert plain(schema, off.get(field, {})) == {}
    # A message within stays; all else that a new pool has not is gone, if it has presence or not.
    inner = {name for name, each in SCHEMAS[schema]["properties"].items() if "$ref" in each}
    assert off.get(field, {}).keys() <= inner
    assert updated_pool(off, field, on) == as_new


def in_new_pool(field: str, value: Any, beside: Document, config: Document) -> Document:
    """Return a pool that is made with what an update would have changed."""
    if field == "nodeNetworkConfig":
        return new_pool({**beside, "networkConfig": value}, **config)
    if field == "nodeVersion":
        return new_pool({**beside, "version": value}, **config)
    if field in ("locations", "upgradeSettings"):
        return new_pool({**beside, field: value}, **config)
    inner = {"resourceLabels": "labels"}.get(field, field)
    if field in ("labels", "tags", "taints", "resourceLabels"):
        value = value.get(inner, {} if inner == "labels" else [])
    if field == "diskSizeGb":
        value = int(value)
    return new_pool(beside, **{**config, field: value})


@pytest.mark.parametrize("field", SINGLE)
def test_a_field_of_a_pool_switched_on_off_and_on_again_is_as_a_new_one(field: str) -> None:
    on, off, beside, config = copy.deepcopy(SINGLE[field])
    made = in_new_pool(field, copy.deepcopy(on), beside, config)
    pool = in_new_pool(field, copy.deepcopy(on), beside, config)
    switched_off = updated_pool(pool, field, off)
    assert switched_off != made
    assert updated_pool(switched_off, field, on) == made


@pytest.mark.parametrize("field", node_pool_update.NOT_EMULATED)
def test_a_field_of_a_pool_that_is_not_emulated_is_refused_by_name(field: str) -> None:
    with pytest.raises(UnimplementedError, match=rf"NodePoolRequest\.{field}: it has no"):
        updated_pool(new_pool(), field, {"some": "thing"})


GREEN = {"standardRolloutPolicy": {"batchNodeCount": 2, "batchSoakDuration": "60s"}}
SHARES = {"standardRolloutPolicy": {"batchPercentage": 0.5}, "nodePoolSoakDuration": "0s"}


@pytest.mark.parametrize("other", [{}, {"maxSurge": 2}, {"strategy": "BLUE_GREEN"}])
@pytest.mark.parametrize("on", [GREEN, SHARES], ids=["a number", "a share"])
def test_blue_green_upgrades_switched_on_off_and_on_again_are_as_a_new_pools(
    tmp_path: Path, on: Document, other: Document
) -> None:
    on = {"strategy": "BLUE_GREEN", "blueGreenSettings": on}

    async def check(client: Client) -> None:
        await client.ok("POST", POOLS, {"nodePool": {"name": "on", "upgradeSettings": on}})
        await client.ok("POST", POOLS, {"nodePool": {"name": "off", "upgradeSettings": other}})
        made, made_off = [await client.ok("GET", f"{POOLS}/{name}") for name in ("on", "off")]
        for value, wanted in ((on, made), (other, made_off), (on, made)):
            await client.ok("PUT", f"{POOLS}/default-pool", {"upgradeSettings": value})
            shown = await client.ok("GET", f"{POOLS}/default-pool")
            assert shown["upgradeSettings"] == wanted["upgradeSettings"]

    on_a_cluster(tmp_path, check)


SCALED = {"enabled": True, "minNodeCount": 1, "maxNodeCount": 3}
IN_TOTAL = {"enabled": True, "totalMinNodeCount": 1, "totalMaxNodeCount": 3}


@pytest.mark.parametrize("on", [SCALED, IN_TOTAL], ids=["per zone", "in total"])
@pytest.mark.parametrize("by", ["the pool", "the cluster"])
def test_autoscaling_switched_on_off_and_on_again_is_as_a_new_pools(
    tmp_path: Path, on: Document, by: str
) -> None:
    async def scale(client: Client, value: Document) -> Document:
        if by == "the pool":
            path = f"{POOLS}/default-pool:setAutoscaling"
            await client.ok("POST", path, {"autoscaling": value})
        else:
            named = {"desiredNodePoolId": "default-pool", "desiredNodePoolAutoscaling": value}
            await client.ok("PUT", CLUSTER, {"update": named})
        shown: Document = await client.ok("GET", f"{POOLS}/default-pool")
        return shown

    async def check(client: Client) -> None:
        other = {"name": "other", "initialNodeCount": 1, "autoscaling": on}
        await client.ok("POST", POOLS, {"nodePool": other})
        made = await client.ok("GET", f"{POOLS}/other")
        assert (await scale(client, on))["autoscaling"] == made["autoscaling"]
        assert not (await scale(client, {})).get("autoscaling", {}).get("enabled")
        assert (await scale(client, on))["autoscaling"] == made["autoscaling"]

    on_a_cluster(tmp_path, check)


def test_management_switched_off_and_on_again_is_as_a_new_pools(tmp_path: Path) -> None:
    both = {"autoUpgrade": True, "autoRepair": True}

    async def check(client: Client) -> None:
        await client.ok("PUT", CLUSTER, {"update": {"desiredReleaseChannel": {}}})
        made = await client.ok("GET", f"{POOLS}/default-pool")
        for value in ({}, both):
            path = f"{POOLS}/default-pool:setManagement"
            await client.ok("POST", path, {"management": value})
            shown = await client.ok("GET", f"{POOLS}/default-pool")
            assert shown["management"] == value
        assert shown["management"] == made["management"] == both

    on_a_cluster(tmp_path, check)
