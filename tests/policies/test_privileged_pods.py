"""Unit: pods that have their node in their hands."""

import pytest

from policies.privileged_pods import RULE
from tests.policies.fleets import DASK, INSTALLER, Fleet

WORKER = ("spec", "worker", "spec")


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (("containers", 0, "securityContext", "privileged"), True, "privileged"),
        (("hostNetwork",), True, "hostNetwork"),
        (("hostPID",), True, "hostPID"),
        (("volumes", 0), {"name": "root", "hostPath": {"path": "/"}}, "a hostPath volume"),
    ],
)
def test_a_worker_with_rights_on_its_node_is_named(
    fleet: Fleet, place: tuple[str | int, ...], value: object, said: str
) -> None:
    ((name, message),) = fleet.with_value(DASK, *WORKER, *place, value=value).violations(RULE)

    assert name == DASK
    assert f"root on their node: {said}. Only kube-system/nvidia-driver-installer may" in message


def test_the_drivers_installer_may_by_its_name_and_namespace_alone(fleet: Fleet) -> None:
    moved = fleet.with_value(INSTALLER, "metadata", "namespace", value="alpha")

    assert moved.names(RULE) == [INSTALLER]
    assert moved.names(RULE, allowed=["alpha/nvidia-driver-installer"]) == []
