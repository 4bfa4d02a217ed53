"""Unit: quota and defaults of a team's namespace."""

from policies.namespace_limits import RULE
from tests.policies.fleets import DASK, Fleet


def test_a_namespace_without_a_gpu_quota_is_named(fleet: Fleet) -> None:
    ((name, message),) = fleet.without("alpha-gpu-quota").violations(RULE)

    assert name == DASK
    assert "Namespace alpha has no ResourceQuota for requests.nvidia.com/gpu" in message


def test_a_quota_for_something_else_does_not_count(fleet: Fleet) -> None:
    pods = fleet.with_value("alpha-gpu-quota", "spec", "hard", value={"pods": "10"})

    assert pods.names(RULE) == [DASK]


def test_a_namespace_without_defaults_is_named_with_what_is_missing(fleet: Fleet) -> None:
    ((_, message),) = fleet.without("alpha-defaults").violations(RULE)
    assert "defaultRequest.cpu, defaultRequest.memory, default.memory" in message

    limits = ("spec", "limits", 0, "default")
    ((_, message),) = fleet.with_value("alpha-defaults", *limits, value=None).violations(RULE)
    assert "gives containers default.memory:" in message
