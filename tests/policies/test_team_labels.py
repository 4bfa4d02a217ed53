"""Unit: labels for billing."""

from policies.team_labels import RULE
from tests.policies.fleets import DASK, NAMESPACE, Fleet, recorded

LABEL = ("metadata", "labels", "cost-center")


def test_a_team_without_the_label_is_named() -> None:
    ((name, message),) = recorded(teams=[{"name": "alpha"}]).violations(RULE)

    assert name == DASK
    assert "Team alpha has no label cost-center" in message


def test_namespace_and_pods_are_billed_alike(fleet: Fleet) -> None:
    assert fleet.with_value(NAMESPACE, *LABEL, value="cc-9").names(RULE) == [NAMESPACE]
    assert fleet.with_value(NAMESPACE, *LABEL, value=None).names(RULE) == [NAMESPACE]


def test_a_stack_says_which_labels(fleet: Fleet) -> None:
    assert fleet.names(RULE, labels=["owner"]) == [DASK, "beta-dask-cluster"]
