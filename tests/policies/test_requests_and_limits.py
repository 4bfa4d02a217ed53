"""Unit: what containers state."""

from policies.requests_and_limits import RULE
from tests.policies.fleets import DASK, INSTALLER, OPERATOR, Fleet

WORKER = ("spec", "worker", "spec", "containers", 0, "resources")


def test_a_container_that_states_nothing_is_named_with_all_that_is_missing(fleet: Fleet) -> None:
    ((name, message),) = fleet.with_value(DASK, *WORKER, value=None).violations(RULE)

    assert name == DASK
    assert message == "The worker has no requests.cpu, no requests.memory, no limits.memory."


def test_containers_that_run_first_count_too(fleet: Fleet) -> None:
    first = ("spec", "template", "spec", "initContainers", 0, "resources", "limits")
    ((name, message),) = fleet.with_value(INSTALLER, *first, value=None).violations(RULE)

    assert name == INSTALLER
    assert "Container install-driver has no limits.memory" in message


def test_the_operators_chart_is_asked_for_its_values(fleet: Fleet) -> None:
    assert fleet.with_value(OPERATOR, "values", "resources", value={}).names(RULE) == [OPERATOR]


def test_a_stack_may_ask_for_more(fleet: Fleet) -> None:
    assert DASK in fleet.names(RULE, limits=["memory", "cpu"])
