"""Unit: the installer DaemonSet that the settings make of the manifest."""

from typing import Any

from components.node_contract import ACCELERATOR_LABEL
from components.nvidia_driver import installer_manifest
from settings.software import DaemonSetDriver


def pod() -> dict[str, Any]:
    spec: dict[str, Any] = installer_manifest(DaemonSetDriver(version="580.95.05"))["spec"][
        "template"
    ]["spec"]
    return spec


def test_it_installs_the_named_version() -> None:
    (installer,) = pod()["initContainers"]

    assert {"name": "NVIDIA_DRIVER_VERSION", "value": "580.95.05"} in installer["env"]


def test_it_reaches_every_node_with_gpus_whatever_its_taints() -> None:
    (term,) = pod()["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]

    assert {"key": ACCELERATOR_LABEL, "operator": "Exists"} in term["matchExpressions"]
    assert pod()["tolerations"] == [{"operator": "Exists"}]


def test_it_keeps_off_nodes_on_which_gke_installs_a_driver() -> None:
    (term,) = pod()["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]

    assert {
        "key": "cloud.google.com/gke-gpu-driver-version",
        "operator": "DoesNotExist",
    } in term["matchExpressions"]


def test_a_new_version_rolls_out_node_by_node() -> None:
    manifest = installer_manifest(DaemonSetDriver(version="580.95.05"))

    assert manifest["spec"]["updateStrategy"]["rollingUpdate"]["maxUnavailable"] == 1


def test_every_container_states_what_it_needs() -> None:
    for container in (*pod()["initContainers"], *pod()["containers"]):
        assert set(container["resources"]["requests"]) == {"cpu", "memory"}


def test_every_mount_has_its_volume() -> None:
    spec = pod()
    mounted = {mount["name"] for mount in spec["initContainers"][0]["volumeMounts"]}

    assert mounted == {volume["name"] for volume in spec["volumes"]}
