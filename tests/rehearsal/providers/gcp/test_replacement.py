"""Which change of which input replaces. Unit tier: diffs without any server."""

from copy import deepcopy
from typing import Any

import pytest

from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.gcp.rest_mapping import put_path
from rehearsal.providers.protocol import UNKNOWN, Diff, Naming, Properties, State

CLOUD = Cloud(api=GoogleApi({}, ""), project="acme-research")
POOL = "gcp:container/nodePool:NodePool"
CLUSTER = "gcp:container/cluster:Cluster"
SUBNETWORK = "gcp:compute/subnetwork:Subnetwork"

_CLUSTER_ID = "projects/acme-research/locations/us-central1-c/clusters/rapids-gpu"
IDS = {
    POOL: f"{_CLUSTER_ID}/nodePools/a100",
    CLUSTER: _CLUSTER_ID,
    SUBNETWORK: "projects/acme-research/regions/us-central1/subnetworks/rapids",
}
INPUTS: dict[str, Properties] = {
    POOL: {
        "name": "a100",
        "cluster": "rapids-gpu",
        "nodeCount": 2,
        "nodeConfig": {
            "machineType": "a2-highgpu-2g",
            "labels": {"pool": "a"},
            "guestAccelerators": [
                {
                    "type": "nvidia-tesla-a100",
                    "count": 2,
                    "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"},
                }
            ],
        },
    },
    CLUSTER: {
        "name": "rapids-gpu",
        "location": "us-central1-c",
        "network": "projects/acme-research/global/networks/rapids",
        "releaseChannel": {"channel": "STABLE"},
    },
    SUBNETWORK: {
        "name": "rapids",
        "network": "n",
        "region": "us-central1",
        "ipCidrRange": "10.0.0.0/20",
    },
}


def _checked(token: str, inputs: Properties, old: Properties | None = None) -> Properties:
    naming = Naming("logical", b"seed")
    return (
        RESOURCE_TYPES[token](CLOUD)
        .check(inputs=inputs, old_inputs=old or {}, naming=naming)
        .inputs
    )


def _diff(token: str, path: str, value: Any) -> Diff:
    old = _checked(token, INPUTS[token])
    new = deepcopy(INPUTS[token])
    put_path(new, path, value)
    stored = State(IDS[token], old, old)
    return RESOURCE_TYPES[token](CLOUD).diff(old=stored, inputs=_checked(token, new))


@pytest.mark.parametrize(
    ("token", "path", "value"),
    [
        (POOL, "nodeConfig.guestAccelerators", [{"type": "nvidia-l4", "count": 2}]),
        (POOL, "nodeConfig.spot", True),
        (POOL, "nodeConfig.reservationAffinity", {"consumeReservationType": "NO_RESERVATION"}),
        (POOL, "nodeConfig.serviceAccount", UNKNOWN),
        (POOL, "initialNodeCount", 3),
        (POOL, "maxPodsPerNode", 32),
        (POOL, "cluster", "other"),
        (CLUSTER, "location", "us-central1"),
        (CLUSTER, "datapathProvider", "ADVANCED_DATAPATH"),
        (CLUSTER, "ipAllocationPolicy.clusterSecondaryRangeName", "pods"),
        (CLUSTER, "project", "other-project"),
        (SUBNETWORK, "ipCidrRange", "10.1.0.0/20"),
    ],
)
def test_replaces_and_deletes_first_because_the_name_is_taken(
    token: str, path: str, value: Any
) -> None:
    diff = _diff(token, path, value)
    assert diff.replaces
    assert diff.delete_before_replace


@pytest.mark.parametrize(
    ("token", "path", "value"),
    [
        (POOL, "nodeCount", 3),
        (POOL, "nodeConfig.machineType", "a2-highgpu-1g"),
        (POOL, "nodeConfig.labels.pool", "b"),
        (POOL, "nodeConfig.diskSizeGb", 200),
        (POOL, "upgradeSettings.maxSurge", 1),
        (CLUSTER, "releaseChannel.channel", "REGULAR"),
        (CLUSTER, "deletionProtection", False),
        (SUBNETWORK, "ipCidrRange", "10.0.0.0/19"),
    ],
)
def test_changes_in_place(token: str, path: str, value: Any) -> None:
    diff = _diff(token, path, value)
    assert diff.changes
    assert not diff.replaces
    assert not diff.delete_before_replace


@pytest.mark.parametrize(
    ("token", "path", "value"),
    [
        (CLUSTER, "network", "rapids"),
        (CLUSTER, "addonsConfig", {}),
        (POOL, "nodeConfig.taints", []),
        (POOL, "nodeConfig.spot", False),
        (CLUSTER, "enableShieldedNodes", True),
    ],
)
def test_another_spelling_of_the_same_is_no_change(token: str, path: str, value: Any) -> None:
    assert _diff(token, path, value).changes == {}


BETA = {"enabledApis": ["a/v1beta1/x", "b/v1beta1/y"]}


@pytest.mark.parametrize(
    ("name", "before", "after", "replaces"),
    [
        ("enableL4IlbSubsetting", True, False, True),
        ("enableL4IlbSubsetting", False, True, False),
        ("enableFqdnNetworkPolicy", True, False, True),
        ("enableFqdnNetworkPolicy", True, None, True),
        ("enableFqdnNetworkPolicy", None, True, False),
        ("enableCiliumClusterwideNetworkPolicy", True, False, False),
        ("enableMultiNetworking", True, False, False),
        ("enableK8sBetaApis", BETA, {"enabledApis": ["b/v1beta1/y"]}, True),
        ("enableK8sBetaApis", BETA, None, True),
        ("enableK8sBetaApis", {"enabledApis": ["b/v1beta1/y"]}, BETA, False),
    ],
)
def test_what_gke_cannot_take_back_replaces_the_cluster(
    name: str,
    before: Any,
    after: Any,
    replaces: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """Rules of the provider's ``CustomizeDiff``, which are in no schema."""
    old = _checked(CLUSTER, {**INPUTS[CLUSTER], name: before})
    new = _checked(CLUSTER, {**INPUTS[CLUSTER], name: after})
    diff = RESOURCE_TYPES[CLUSTER](CLOUD).diff(old=State(IDS[CLUSTER], old, old), inputs=new)
    assert diff.changes
    assert diff.replaces is replaces


@pytest.mark.parametrize(
    "name", ["networkPolicy", "podSecurityPolicyConfig", "secretManagerConfig", "secretSyncConfig"]
)
@pytest.mark.parametrize("is_on", [True, False])
def test_a_block_that_is_off_is_as_good_as_absent(
    name: str,
    is_on: bool,  # noqa: FBT001 - both cases
) -> None:
    """As the provider's ``DiffSuppressFunc`` of each has it."""
    old = _checked(CLUSTER, {**INPUTS[CLUSTER], name: {"enabled": is_on}})
    new = _checked(CLUSTER, INPUTS[CLUSTER])
    diff = RESOURCE_TYPES[CLUSTER](CLOUD).diff(old=State(IDS[CLUSTER], old, old), inputs=new)
    assert bool(diff.changes) is is_on


def test_subsetting_that_is_no_longer_spoken_of_stays_on() -> None:
    """It is optional and computed, so the provider sees no change."""
    old = _checked(CLUSTER, {**INPUTS[CLUSTER], "enableL4IlbSubsetting": True})
    new = _checked(CLUSTER, INPUTS[CLUSTER])
    diff = RESOURCE_TYPES[CLUSTER](CLOUD).diff(old=State(IDS[CLUSTER], old, old), inputs=new)
    assert diff.changes == {}


def test_an_autonamed_pool_is_created_before_the_old_one_goes() -> None:
    nameless = {key: value for key, value in INPUTS[POOL].items() if key != "name"}
    old = _checked(POOL, nameless)
    new = _checked(POOL, {**nameless, "maxPodsPerNode": 32}, old)
    diff = RESOURCE_TYPES[POOL](CLOUD).diff(old=State(IDS[POOL], old, old), inputs=new)
    assert diff.replaces
    assert not diff.delete_before_replace


def test_an_autoname_is_kept_from_update_to_update() -> None:
    nameless = {key: value for key, value in INPUTS[POOL].items() if key != "name"}
    old = _checked(POOL, nameless)
    assert old["name"].startswith("logical-")
    assert _checked(POOL, {**nameless, "nodeCount": 5}, old)["name"] == old["name"]


def test_a_cluster_is_protected_unless_it_says_otherwise() -> None:
    assert _checked(CLUSTER, INPUTS[CLUSTER])["deletionProtection"] is True


def test_a_resource_that_leaves_its_project_to_the_provider_moves_with_it() -> None:
    old = _checked(SUBNETWORK, INPUTS[SUBNETWORK])
    elsewhere = Cloud(api=GoogleApi({}, ""), project="other-project")
    diff = RESOURCE_TYPES[SUBNETWORK](elsewhere).diff(
        old=State(IDS[SUBNETWORK], old, old), inputs=old
    )
    assert list(diff.changes) == [("project",)]
    assert diff.replaces


def test_naming_the_place_where_a_resource_already_is_changes_nothing() -> None:
    assert _diff(CLUSTER, "project", "acme-research").changes == {}
