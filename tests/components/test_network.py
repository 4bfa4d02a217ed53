"""Unit: a network of the program's own, and one that exists, as the program registers them."""

from typing import Any

import pytest

from components.existing_ranges import wrong_ranges
from daskfleet.catalog.changes import ChangeClass
from daskfleet.settings.cluster import Network
from tests.daskfleet.planning.documents import EXISTING, RANGES, minimal
from tests.recorded_program import Recording, record
from tests.setting_classes.found import worst_of


def compute(recording: Recording) -> list[str]:
    """What the program makes in Compute Engine."""
    return sorted(each.name for each in recording.registrations if ":compute/" in each.type)


def cluster(recording: Recording) -> dict[str, Any]:
    """The inputs of the cluster."""
    (found,) = recording.of_type("gcp:container/cluster:Cluster")
    return found.inputs


def test_in_a_network_that_exists_the_program_makes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = {**RANGES, "existing": {**EXISTING, "project": "acme-host"}}
    recording = record(minimal(network=shared), monkeypatch)

    assert compute(recording) == []
    inputs = cluster(recording)
    assert inputs["network"] == "projects/acme-host/global/networks/company"
    where = "projects/acme-host/regions/us-central1/subnetworks/dask"
    assert inputs["subnetwork"] == where
    assert inputs["ipAllocationPolicy"] == {
        "clusterSecondaryRangeName": "dask-pods",
        "servicesSecondaryRangeName": "dask-services",
    }


def test_a_move_into_another_network_replaces_a_cluster_that_is_protected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = record(minimal(network=RANGES), monkeypatch)
    moved = record(minimal(network={**RANGES, "existing": EXISTING}), monkeypatch)
    assert worst_of(own, moved).change_class >= ChangeClass.REPLACES_CLUSTER
    assert all(found.is_protected for found in moved.of_type("gcp:container/cluster:Cluster"))


def test_a_network_that_exists_may_be_of_the_same_project(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = minimal(network={**RANGES, "existing": EXISTING})
    inputs = cluster(record(stack, monkeypatch))
    assert inputs["network"] == f"projects/{stack['project']}/global/networks/company"


def test_teams_are_kept_out_of_the_ranges_of_a_network_that_exists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recording = record(minimal(network={**RANGES, "existing": EXISTING}), monkeypatch)
    policies = recording.of_type("kubernetes:networking.k8s.io/v1:NetworkPolicy")
    closed = [text for each in policies if "0.0.0.0/0" in (text := str(each.inputs))]
    assert closed
    assert all(cidr in policy for policy in closed for cidr in RANGES.values())


def test_without_nat_there_is_no_router(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compute(record(minimal(network={"nat": "none"}), monkeypatch)) == [
        "network-nodes",
        "network-vpc",
    ]


def test_a_private_control_plane_has_no_address_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    private = record(minimal(cluster={"endpoint": {"kind": "private"}}), monkeypatch)
    inputs = cluster(private)
    assert inputs["privateClusterConfig"] == {
        "enablePrivateNodes": True,
        "enablePrivateEndpoint": True,
    }
    assert inputs["masterAuthorizedNetworksConfig"] == {"cidrBlocks": []}
    endpoints = inputs["controlPlaneEndpointsConfig"]
    assert endpoints["dnsEndpointConfig"] == {"allowExternalTraffic": False}
    assert endpoints["ipEndpointsConfig"] == {"enabled": True}


def test_other_ranges_than_the_stack_file_says_are_told() -> None:
    network = Network.model_validate({**RANGES, "existing": EXISTING})
    pods, services = RANGES["pods_cidr"], RANGES["services_cidr"]
    assert not wrong_ranges(network, pods=pods, services=services)
    said = wrong_ranges(network, pods="10.4.0.0/14", services=services)
    assert said.startswith("daskfleet:network.pods_cidr is 10.68.0.0/14, but the cluster has 10.4.")
    assert "services_cidr" not in said
