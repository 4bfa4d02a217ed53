"""Unit: Services that are open to the internet."""

from policies.declared import UNKNOWN
from policies.load_balancer_sources import INTERNAL, RULE
from tests.policies.fleets import ADDRESS, DASK, Fleet

RANGES = "loadBalancerSourceRanges"


def balanced(fleet: Fleet) -> Fleet:
    return fleet.with_value(ADDRESS, "spec", "type", value="LoadBalancer")


def test_a_load_balancer_without_source_ranges_is_named(fleet: Fleet) -> None:
    ((name, message),) = balanced(fleet).violations(RULE)

    assert name == ADDRESS
    assert "without source ranges" in message


def test_source_ranges_close_it_unless_one_is_everybody(fleet: Fleet) -> None:
    office = balanced(fleet).with_value(ADDRESS, "spec", RANGES, value=["192.0.2.0/24"])
    everybody = balanced(fleet).with_value(ADDRESS, "spec", RANGES, value=["192.0.2.0/24", "::/0"])

    assert office.names(RULE) == []
    ((_, message),) = everybody.violations(RULE)
    assert "for ::/0" in message


def test_an_internal_load_balancer_is_not_open(fleet: Fleet) -> None:
    internal = {INTERNAL: "Internal"}

    assert (
        balanced(fleet).with_value(ADDRESS, "metadata", "annotations", value=internal).names(RULE)
        == []
    )


def test_what_is_not_known_yet_or_no_range_is_nobodys(fleet: Fleet) -> None:
    for unsure in (UNKNOWN, ["everywhere"]):
        assert balanced(fleet).with_value(ADDRESS, "spec", RANGES, value=unsure).names(RULE) == []


def test_the_service_that_the_operator_makes_counts_too(fleet: Fleet) -> None:
    open_dask = fleet.with_value(DASK, "spec", "scheduler", "service", "type", value="LoadBalancer")

    assert open_dask.names(RULE) == [DASK]
