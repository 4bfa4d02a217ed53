"""Translation between Pulumi inputs and REST documents. Unit tier: pure functions."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from rehearsal.providers.gcp import cluster_tables, node_pool_tables
from rehearsal.providers.gcp.from_rest import imported, refreshed
from rehearsal.providers.gcp.input_schema import Block, block_of
from rehearsal.providers.gcp.node_pool import machine_body
from rehearsal.providers.gcp.rest_mapping import Table, relative_name, same_reference
from rehearsal.providers.gcp.to_rest import to_rest
from rehearsal.providers.protocol import Properties

CLUSTER = block_of("pulumi_gcp.container", "ClusterArgs")
POOL = block_of("pulumi_gcp.container", "NodePoolArgs")

POOL_INPUTS: Properties = {
    "name": "scheduler-pool",
    "cluster": "rapids-gpu",
    "maxPodsPerNode": 64,
    "nodeCount": 2,
    "nodeConfig": {
        "machineType": "n1-standard-4",
        "labels": {"dedicated": "scheduler"},
        "taints": [{"key": "dedicated", "value": "scheduler", "effect": "NO_SCHEDULE"}],
        "guestAccelerators": [
            {
                "type": "nvidia-tesla-t4",
                "count": 1,
                "gpuSharingConfig": {
                    "gpuSharingStrategy": "TIME_SHARING",
                    "maxSharedClientsPerGpu": 4,
                },
            }
        ],
    },
}
POOL_DOCUMENT: Mapping[str, Any] = {
    "name": "scheduler-pool",
    "maxPodsConstraint": {"maxPodsPerNode": "64"},
    "nodeCount": 2,
    "config": {
        "machineType": "n1-standard-4",
        "labels": {"dedicated": "scheduler"},
        "taints": [{"key": "dedicated", "value": "scheduler", "effect": "NO_SCHEDULE"}],
        "accelerators": [
            {
                "acceleratorType": "nvidia-tesla-t4",
                "acceleratorCount": "1",
                "gpuSharingConfig": {
                    "gpuSharingStrategy": "TIME_SHARING",
                    "maxSharedClientsPerGpu": "4",
                },
            }
        ],
    },
}
CLUSTER_INPUTS: Properties = {
    "name": "rapids-gpu",
    "enableShieldedNodes": True,
    "deletionProtection": True,
    "privateClusterConfig": {"enablePrivateNodes": True, "enablePrivateEndpoint": False},
    "maintenancePolicy": {
        "recurringWindow": {"startTime": "s", "endTime": "e", "recurrence": "FREQ=WEEKLY"},
        "maintenanceExclusions": [
            {
                "exclusionName": "freeze",
                "startTime": "a",
                "endTime": "b",
                "exclusionOptions": {"scope": "NO_UPGRADES"},
            }
        ],
    },
}
CLUSTER_DOCUMENT: Mapping[str, Any] = {
    "name": "rapids-gpu",
    "shieldedNodes": {"enabled": True},
    "networkConfig": {"defaultEnablePrivateNodes": True},
    "controlPlaneEndpointsConfig": {"ipEndpointsConfig": {"enablePublicEndpoint": True}},
    "maintenancePolicy": {
        "window": {
            "recurringWindow": {
                "window": {"startTime": "s", "endTime": "e"},
                "recurrence": "FREQ=WEEKLY",
            },
            "maintenanceExclusions": {
                "freeze": {
                    "startTime": "a",
                    "endTime": "b",
                    "maintenanceExclusionOptions": {"scope": "NO_UPGRADES"},
                }
            },
        }
    },
}
CASES = pytest.mark.parametrize(
    ("inputs", "document", "block", "table"),
    [
        (POOL_INPUTS, POOL_DOCUMENT, POOL, node_pool_tables.MAPPING),
        (CLUSTER_INPUTS, CLUSTER_DOCUMENT, CLUSTER, cluster_tables.MAPPING),
    ],
    ids=["node pool", "cluster"],
)


@CASES
def test_inputs_become_the_rest_document(
    inputs: Properties, document: Mapping[str, Any], block: Block, table: Table
) -> None:
    assert to_rest(inputs, block, table) == document


@CASES
def test_a_refresh_of_what_was_sent_gives_the_same_inputs(
    inputs: Properties, document: Mapping[str, Any], block: Block, table: Table
) -> None:
    assert refreshed(inputs, dict(document), block=block, table=table) == inputs


def _live_pool(**config: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(POOL_DOCUMENT))
    document["config"] |= config
    return document


def _refreshed_pool(live: dict[str, Any]) -> Properties:
    return refreshed(POOL_INPUTS, live, block=POOL, table=node_pool_tables.MAPPING)


def _imported_pool(live: dict[str, Any]) -> Properties:
    return imported(
        live, block=POOL, table=node_pool_tables.MAPPING, wanted=node_pool_tables.IMPORTED
    )


def test_what_the_server_filled_in_is_no_drift() -> None:
    gpu_taint = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
    taints = [gpu_taint, *POOL_DOCUMENT["config"]["taints"]]
    live = _live_pool(taints=taints, diskSizeGb=100, imageType="COS_CONTAINERD")
    assert _refreshed_pool(live) == POOL_INPUTS


def test_a_label_that_someone_else_added_is_drift() -> None:
    live = _live_pool(labels={"dedicated": "scheduler", "mine": "1"})
    assert _refreshed_pool(live)["nodeConfig"]["labels"] == {"dedicated": "scheduler", "mine": "1"}


def test_a_declared_value_that_is_gone_drops_out() -> None:
    live = _live_pool()
    del live["config"]["machineType"]
    assert "machineType" not in _refreshed_pool(live)["nodeConfig"]


def test_false_that_the_api_leaves_out_stays_false() -> None:
    inputs = {"name": "n", "nodeConfig": {"spot": False}}
    live = {"name": "n", "config": {}}
    assert refreshed(inputs, live, block=POOL, table=node_pool_tables.MAPPING) == inputs


def test_a_set_that_the_api_sorts_differently_is_no_drift() -> None:
    inputs = {"nodeLocations": ["us-central1-b", "us-central1-a"]}
    live = {"locations": ["us-central1-a", "us-central1-b"]}
    assert refreshed(inputs, live, block=POOL, table=node_pool_tables.MAPPING) == inputs


def test_a_network_by_id_is_the_network_that_the_api_names_briefly() -> None:
    inputs = {"network": "projects/p/global/networks/rapids"}
    live = {"network": "rapids"}
    assert refreshed(inputs, live, block=CLUSTER, table=cluster_tables.MAPPING) == inputs


def test_an_import_takes_the_listed_inputs_and_leaves_the_servers_own() -> None:
    filled_in = {"imageType": "COS_CONTAINERD", "diskSizeGb": 100}
    live = _live_pool(**filled_in, effectiveCgroupMode="V2", loggingConfig={})
    left_out = ("cluster", "maxPodsPerNode")
    expected = {name: value for name, value in POOL_INPUTS.items() if name not in left_out}
    expected["nodeConfig"] = {**expected["nodeConfig"], **filled_in}
    assert _imported_pool(live) == expected


def test_an_import_reads_a_number_that_is_not_sent_as_zero_where_its_message_is_there() -> None:
    live = _live_pool(diskSizeGb=100) | {"upgradeSettings": {"maxUnavailable": 1}}
    assert _imported_pool(live)["upgradeSettings"] == {"maxSurge": 0, "maxUnavailable": 1}
    assert "upgradeSettings" not in _imported_pool(_live_pool(diskSizeGb=100))


def test_machine_and_disk_travel_together_with_the_size_as_text() -> None:
    document = {"config": {"machineType": "a2-highgpu-2g", "diskSizeGb": 300, "labels": {}}}
    assert machine_body("a100", document) == {
        "name": "a100",
        "machineType": "a2-highgpu-2g",
        "diskSizeGb": "300",
    }


def test_references_agree_by_what_they_name() -> None:
    url = "https://www.googleapis.com/compute/beta/projects/p/global/networks/n"
    assert relative_name(url) == "projects/p/global/networks/n"
    assert same_reference(url, "projects/p/global/networks/n")
    assert same_reference(url, "n")
    assert not same_reference(url, "projects/other/global/networks/n")
