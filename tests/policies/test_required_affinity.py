"""Unit: required node affinity of scheduler and workers."""

import pytest

from policies.required_affinity import RULE
from tests.policies.fleets import DASK, Fleet

SCHEDULER = ("spec", "scheduler", "spec")
WORKER = ("spec", "worker", "spec")
REQUIRED = ("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
POOL = {"key": "cloud.google.com/gke-nodepool", "operator": "In", "values": ["a100"]}
SPOT = {"key": "cloud.google.com/gke-spot", "operator": "In", "values": ["true"]}


@pytest.mark.parametrize("part", [SCHEDULER, WORKER], ids=["scheduler", "worker"])
def test_a_preferred_affinity_does_not_count(fleet: Fleet, part: tuple[str, ...]) -> None:
    preferred = {
        "nodeAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "preference": {"matchExpressions": [POOL]}}
            ]
        }
    }
    ((name, message),) = fleet.with_value(DASK, *part, "affinity", value=preferred).violations(RULE)

    assert name == DASK
    assert f"The {part[1]} has no required node affinity" in message


def test_every_alternative_has_to_name_a_pool(fleet: Fleet) -> None:
    terms = [{"matchExpressions": [POOL]}, {"matchExpressions": [SPOT]}]
    loose = fleet.with_value(DASK, *WORKER, *REQUIRED, value={"nodeSelectorTerms": terms})

    assert loose.names(RULE) == [DASK]
    assert loose.names(RULE, labels=[POOL["key"], SPOT["key"], "dedicated"]) == []


def test_a_node_selector_is_as_good(fleet: Fleet) -> None:
    unbound = fleet.with_value(DASK, *WORKER, "affinity", value=None)
    bound = unbound.with_value(DASK, *WORKER, "nodeSelector", value={POOL["key"]: "a100"})

    assert unbound.names(RULE) == [DASK]
    assert bound.names(RULE) == []


def test_workers_that_are_bound_to_several_pools_and_prefer_one_are_bound(fleet: Fleet) -> None:
    chain = {**POOL, "values": ["a100-spot", "a100"]}
    affinity = {
        "nodeAffinity": {
            REQUIRED[-1]: {"nodeSelectorTerms": [{"matchExpressions": [chain]}]},
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "preference": {"matchExpressions": [POOL]}}
            ],
        }
    }
    chained = fleet.with_value(DASK, *WORKER, "affinity", value=affinity)

    assert chained.names(RULE) == []
