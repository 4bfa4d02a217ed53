"""Unit: protection of long-lived environments."""

import pytest

from policies.long_lived import RULE
from tests.policies.fleets import CLUSTER, NAMESPACE, WORKER_POOL, Fleet, recorded


@pytest.mark.parametrize("name", [CLUSTER, WORKER_POOL, NAMESPACE])
def test_what_is_precious_and_unprotected_is_named(fleet: Fleet, name: str) -> None:
    assert fleet.unprotected(name).names(RULE) == [name]


def test_a_stack_that_is_long_lived_by_its_name_has_to_be_it() -> None:
    short = recorded(long_lived=False)

    assert short.names(RULE) == []
    assert short.in_stack("prod").names(RULE) == [CLUSTER]
    assert short.in_stack("prod").names(RULE, stacks=["live"]) == []
    assert short.in_stack("live").names(RULE, stacks=["live"]) == [CLUSTER]


def test_generations_of_a_pool_and_retired_teams_may_go() -> None:
    fleet = recorded(
        worker_pools=[{"name": "a100", "node_count": 2, "replacement": "surge"}],
        teams=[{"name": "alpha"}, {"name": "beta", "retire": True}],
    )

    assert fleet.names(RULE) == []
