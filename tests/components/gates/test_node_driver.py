"""Unit: which driver a pod finds on its node, and that `up` does not end with another one."""

from dataclasses import replace
from typing import Any

from components.gates.node_driver import INSTALLER_LABELS, drivers_by_node, other_driver
from components.gates.readiness import assess
from components.gates.readiness_states import Ready, Waiting
from components.nvidia_driver import installer_manifest
from daskfleet.settings.software import DaemonSetDriver
from tests.components.cluster_objects import DECLARED, complete, observed

INSTALLER = installer_manifest(DaemonSetDriver(version="580.95.05"), pause="pause")


def installer(node: str) -> dict[str, Any]:
    """The pod that the DaemonSet has on a node."""
    template = INSTALLER["spec"]["template"]
    return {"metadata": template["metadata"], "spec": {**template["spec"], "nodeName": node}}


def test_the_installers_are_found_by_their_labels_and_tell_their_version() -> None:
    labels = installer("gpu-1")["metadata"]["labels"]

    assert INSTALLER_LABELS.items() <= labels.items()
    assert INSTALLER["metadata"]["namespace"] == "kube-system"
    assert drivers_by_node([installer("gpu-1"), installer("")]) == {"gpu-1": "580.95.05"}


def test_a_pod_on_a_node_that_was_left_behind_is_told_with_the_way_out() -> None:
    pod = {"spec": {"nodeName": "gpu-1"}}
    reason = other_driver(pod, declared="580.126.20", drivers={"gpu-1": "580.95.05"})

    assert reason is not None
    assert "gpu-1 has driver 580.95.05 and 580.126.20 is declared" in reason
    assert "drain it and delete its VM" in reason


def test_nothing_is_said_of_a_node_without_our_installer_or_before_there_is_a_node() -> None:
    assert other_driver({"spec": {"nodeName": "a"}}, declared="580.1", drivers={}) is None
    assert other_driver({"spec": {}}, declared="580.1", drivers={"a": "535.1"}) is None
    assert other_driver({"spec": {"nodeName": "a"}}, declared=None, drivers={"a": "1"}) is None


def test_a_cluster_is_ready_on_the_declared_driver_only() -> None:
    declared = replace(DECLARED, driver="580.126.20")
    pods = observed(*complete())
    nodes = {pod["spec"]["nodeName"] for pod in pods.pods}
    on_it = replace(pods, drivers=dict.fromkeys(nodes, "580.126.20"))
    behind = replace(pods, drivers=dict.fromkeys(nodes, "580.95.05"))

    assert assess(declared, on_it) == Ready()
    assert isinstance(assess(declared, behind), Waiting)
