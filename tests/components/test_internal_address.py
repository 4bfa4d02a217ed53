"""Unit: an address in the VPC comes with its list of sources, and changes nothing else."""

from copy import deepcopy
from typing import Any

import pytest

from daskfleet.settings.access import InternalLoadBalancer
from manifests.network_policy import load_balancer_clients
from tests.components.fleets import alpha
from tests.recorded_program import Registration, record
from tests.setting_changes import BASE

SERVICE = "kubernetes:core/v1:Service"
SOURCES = ["10.128.0.0/20"]


@pytest.fixture
def closed() -> dict[str, Any]:
    stack = deepcopy(BASE)
    del stack["teams"][0]["access"]
    return stack


def by_name(registrations: list[Registration]) -> dict[str, Registration]:
    return {each.name: each for each in registrations if each.is_custom}


def test_it_is_google_internal_and_for_the_listed_sources_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = by_name(record(BASE, monkeypatch).registrations)
    internal, stable = (recorded[f"alpha-{kind}address"] for kind in ("internal-", ""))

    assert internal.inputs["metadata"]["annotations"] == {
        "networking.gke.io/load-balancer-type": "Internal"
    }
    assert internal.inputs["spec"]["type"] == "LoadBalancer"
    assert internal.inputs["spec"]["loadBalancerSourceRanges"] == SOURCES
    assert internal.inputs["spec"]["selector"] == stable.inputs["spec"]["selector"]
    assert internal.inputs["spec"]["ports"] == stable.inputs["spec"]["ports"]


def test_clients_keep_their_own_addresses_for_the_network_policy_to_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = by_name(record(BASE, monkeypatch).registrations)
    policy = recorded["alpha-load-balancer-clients"]

    assert recorded["alpha-internal-address"].inputs["spec"]["externalTrafficPolicy"] == "Local"
    ((rule,),) = (policy.inputs["spec"]["ingress"],)
    assert rule["from"] == [{"ipBlock": {"cidr": cidr}} for cidr in SOURCES]
    assert policy.name in {urn.rpartition("::")[2] for urn in _dependencies(recorded)}


def _dependencies(recorded: dict[str, Registration]) -> frozenset[str]:
    return recorded["alpha-internal-address"].dependencies


def test_without_it_nothing_else_differs(
    closed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_address = by_name(record(BASE, monkeypatch).registrations)
    without = by_name(record(closed, monkeypatch).registrations)

    assert with_address.keys() - without.keys() == {
        "alpha-internal-address",
        "alpha-load-balancer-clients",
    }
    different = {n for n, each in without.items() if with_address[n].inputs != each.inputs}
    assert different == {"alpha-team-quota"}  # which has to allow for it


def test_the_policy_opens_the_scheduler_and_no_worker() -> None:
    balancer = InternalLoadBalancer.model_validate({"source_ranges": SOURCES})
    spec = load_balancer_clients(alpha().team, balancer)

    assert spec["podSelector"]["matchLabels"]["dask.org/component"] == "scheduler"
    assert [port["port"] for port in spec["ingress"][0]["ports"]] == [8786, 8787]
