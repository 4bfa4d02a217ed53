"""The provider's schema as data, and what follows from it for a change. Unit tier."""

import itertools
import re
from typing import Any

import pytest

from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.field_rules import keeps_what_it_was, needs_replacement
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.gcp.input_schema import Block, InputType, ListOf
from rehearsal.providers.gcp.provider import RESOURCE_TYPES
from rehearsal.providers.gcp.provider_fields import provider_fields, with_defaults
from rehearsal.providers.protocol import Path, Properties

CLUSTER = "gcp:container/cluster:Cluster"
POOL = "gcp:container/nodePool:NodePool"
CLOUD = Cloud(api=GoogleApi({}, ""), project="acme-research")
NOT_IN_THE_SCHEMA = {
    (POOL, "bestEffortProvisioning"),
    (POOL, "bestEffortProvisioning.enabled"),
    (POOL, "bestEffortProvisioning.minProvisionNodes"),
    (POOL, "networkConfig.additionalNodeNetworkConfigs.stackType"),
}
"""Inputs of the Pulumi package that this version of Google's provider does not have."""


def settable(block: Block, prefix: str = "") -> set[str]:
    paths: set[str] = set()
    for name, kind in block.inputs.items():
        path = prefix + name
        item: InputType = kind
        while isinstance(item, ListOf):
            item = item.item
        paths.add(path)
        if isinstance(item, Block) and path != "nodePools":
            paths |= settable(item, f"{path}.")
    return paths


@pytest.mark.parametrize("token", RESOURCE_TYPES)
def test_every_input_of_the_package_is_in_the_schema_and_the_other_way_round(token: str) -> None:
    inputs = settable(RESOURCE_TYPES[token](CLOUD).block)
    unknown = {path for of, path in NOT_IN_THE_SCHEMA if of == token}
    fields = provider_fields(token)

    assert fields.keys() <= inputs
    # What only the server sets is an output in Google's schema and an input in the package's.
    only_output = inputs - unknown - fields.keys()
    assert {path.partition(".")[0] for path in only_output} <= {
        *("clusterAutoscaling", "enterpriseConfig", "fleet", "maintenancePolicy", "masterAuth"),
        *("nodeConfig", "privateClusterConfig", "tpuConfig", "userManagedKeysConfig"),
        *("maintenancePolicies",),
    }


@pytest.mark.parametrize("token", RESOURCE_TYPES)
def test_a_path_is_its_terraform_name_in_the_packages_spelling(token: str) -> None:
    for path, field in provider_fields(token).items():
        for ours, theirs in itertools.zip_longest(
            path.split("."), field.terraform_name.split("."), fillvalue=""
        ):
            camel = re.sub("_(.)", lambda match: match[1].upper(), theirs)
            assert ours in {camel, f"{camel}s", f"{camel}es", f"{camel[:-1]}ies"}, path


GPUS: Properties = {"nodeConfig": {"guestAccelerators": [{"type": "nvidia-l4", "count": 1}]}}


@pytest.mark.parametrize(
    ("token", "path", "old", "new", "replaces"),
    [
        (POOL, ("nodeConfig", "guestAccelerators", 0, "count"), GPUS, GPUS, True),
        (POOL, ("nodeConfig", "labels", "a"), {}, {"nodeConfig": {"labels": {"a": "b"}}}, False),
        (POOL, ("nodeConfig", "metadata", "a"), {}, {"nodeConfig": {"metadata": {"a": "b"}}}, True),
        (POOL, ("nodeConfig", "localSsdEncryptionMode"), {}, {"nodeConfig": {}}, True),
        # Google's provider changes it in place; its type is what a pool keeps.
        (POOL, ("nodeConfig", "confidentialNodes", "enabled"), {}, {"nodeConfig": {}}, False),
        (CLUSTER, ("confidentialNodes", "enabled"), {}, {"confidentialNodes": {}}, True),
        (CLUSTER, ("ipAllocationPolicy", "stackType"), {}, {"ipAllocationPolicy": {}}, False),
        # A block that comes or goes is replaced for itself, whatever is in it.
        (POOL, ("placementPolicy", "type"), {}, {"placementPolicy": {"type": "COMPACT"}}, True),
        (
            POOL,
            ("placementPolicy", "type"),
            {"placementPolicy": {"type": "COMPACT"}},
            {"placementPolicy": {"type": "OTHER"}},
            False,
        ),
        ("gcp:compute/subnetwork:Subnetwork", ("purpose",), {}, {"purpose": "PRIVATE"}, False),
    ],
)
def test_the_field_decides_or_the_block_that_comes_or_goes(
    token: str,
    path: Path,
    old: Properties,
    new: Properties,
    replaces: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert needs_replacement(path, old=old, new=new, fields=provider_fields(token)) is replaces


@pytest.mark.parametrize(
    ("path", "new", "kept"),
    [
        (("nodeConfig", "gcfsConfig", "enabled"), {"nodeConfig": {}}, True),
        (("nodeConfig", "linuxNodeConfig", "sysctls", "a"), {"nodeConfig": {}}, True),
        (("nodeConfig", "labels", "a"), {"nodeConfig": {}}, True),
        (("nodeConfig", "labels", "a"), {"nodeConfig": {"labels": {}}}, False),
        (("nodeConfig", "resourceLabels", "a"), {"nodeConfig": {}}, False),
        (("nodeConfig", "guestAccelerators", 0, "type"), {"nodeConfig": {}}, True),
        (("nodeConfig", "guestAccelerators", 1, "type"), GPUS, False),
        (("autoscaling", "minNodeCount"), {}, False),
    ],
)
def test_what_is_optional_and_computed_stays_when_it_is_left_out(
    path: Path,
    new: Properties,
    kept: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert keeps_what_it_was(path, new=new, fields=provider_fields(POOL)) is kept


@pytest.mark.parametrize(
    ("token", "inputs", "path", "value"),
    [
        (CLUSTER, {}, "deletionProtection", True),
        (CLUSTER, {"deletionProtection": False}, "deletionProtection", False),
        (CLUSTER, {}, "network", "default"),
        ("gcp:compute/routerNat:RouterNat", {}, "icmpIdleTimeoutSec", 30),
        (
            "gcp:compute/subnetwork:Subnetwork",
            {"logConfig": {}},
            "logConfig",
            {
                "aggregationInterval": "INTERVAL_5_SEC",
                "filterExpr": "true",
                "flowSampling": 0.5,
                "metadata": "INCLUDE_ALL_METADATA",
            },
        ),
    ],
)
def test_defaults_are_the_providers(token: str, inputs: Properties, path: str, value: Any) -> None:
    assert with_defaults(inputs, provider_fields(token))[path] == value


def test_a_block_that_is_not_there_gets_no_defaults() -> None:
    assert "logConfig" not in with_defaults(
        {}, provider_fields("gcp:compute/subnetwork:Subnetwork")
    )
