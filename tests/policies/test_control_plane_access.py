"""Unit: who reaches the Kubernetes API."""

import pytest

from policies.control_plane_access import RULE
from policies.declared import UNKNOWN
from tests.policies.fleets import CLUSTER, Fleet

ENABLED = ("controlPlaneEndpointsConfig", "ipEndpointsConfig", "enabled")
NETWORKS = "masterAuthorizedNetworksConfig"


def networks(*cidrs: str) -> dict[str, object]:
    return {"cidrBlocks": [{"cidrBlock": cidr, "displayName": "office"} for cidr in cidrs]}


@pytest.fixture
def public(fleet: Fleet) -> Fleet:
    return fleet.with_value(CLUSTER, *ENABLED, value=True)


def test_a_public_address_without_networks_is_refused_in_the_settings_words(public: Fleet) -> None:
    ((name, message),) = public.violations(RULE)

    assert name == CLUSTER
    assert "must be closed to everybody else" in message


def test_an_address_that_is_not_switched_off_counts_as_open(fleet: Fleet) -> None:
    unsaid = fleet.with_value(CLUSTER, "controlPlaneEndpointsConfig", value={})

    assert unsaid.names(RULE) == [CLUSTER]


def test_networks_close_it_unless_they_are_the_whole_internet(public: Fleet) -> None:
    office = public.with_value(CLUSTER, NETWORKS, value=networks("192.0.2.0/24"))
    everybody = public.with_value(CLUSTER, NETWORKS, value=networks("192.0.2.0/24", "0.0.0.0/0"))

    assert office.names(RULE) == []
    ((_, message),) = everybody.violations(RULE)
    assert "whole internet" in message


@pytest.mark.parametrize(
    "unknown", [{"cidrBlocks": UNKNOWN}, {"cidrBlocks": [UNKNOWN]}, networks("192.0.2.0/24")]
)
def test_networks_of_which_nothing_is_known_yet_are_not_refused(
    public: Fleet, unknown: dict[str, object]
) -> None:
    assert public.with_value(CLUSTER, NETWORKS, value=unknown).names(RULE) == []


def test_a_network_that_is_not_known_yet_opens_nothing(public: Fleet) -> None:
    blocks = [{"cidrBlock": UNKNOWN}, {"cidrBlock": "0.0.0.0/0", "displayName": "all"}]
    open_to_all = public.with_value(CLUSTER, NETWORKS, value={"cidrBlocks": blocks})

    assert open_to_all.names(RULE) == [CLUSTER]


def test_all_of_google_cloud_is_too_much(public: Fleet) -> None:
    office = public.with_value(CLUSTER, NETWORKS, value=networks("192.0.2.0/24"))
    wide = office.with_value(CLUSTER, NETWORKS, "gcpPublicCidrsAccessEnabled", value=True)

    assert wide.names(RULE) == [CLUSTER]


def test_an_endpoint_inside_of_the_network_is_not_public(public: Fleet) -> None:
    private = public.with_value(
        CLUSTER, "privateClusterConfig", "enablePrivateEndpoint", value=True
    )

    assert private.names(RULE) == []
