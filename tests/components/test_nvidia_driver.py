"""Unit: the installer DaemonSet that the settings make of the manifest, and its script."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from components.nvidia_driver import installer_manifest
from daskfleet.catalog.helper_images import helper_images
from daskfleet.contract.nodes import ACCELERATOR_LABEL
from daskfleet.settings.software import DaemonSetDriver

PAUSE = helper_images()["pause"].reference


def installing(version: str) -> dict[str, Any]:
    """The DaemonSet that installs a version."""
    return installer_manifest(DaemonSetDriver(version=version), pause=PAUSE)


def pod() -> dict[str, Any]:
    spec: dict[str, Any] = installing("580.95.05")["spec"]["template"]["spec"]
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


def test_an_installer_stays_for_as_long_as_its_node_does() -> None:
    manifest = installing("580.95.05")

    assert manifest["spec"]["updateStrategy"] == {"type": "OnDelete"}
    assert manifest["metadata"]["annotations"] == {"pulumi.com/skipAwait": "true"}


def test_what_the_daemon_set_is_known_by_is_the_same_for_every_version() -> None:
    one, other = (installing(version) for version in ("580.95.05", "570.86"))

    assert one["metadata"] == other["metadata"]
    assert one["spec"]["selector"] == other["spec"]["selector"]


def test_every_container_states_what_it_needs() -> None:
    for container in (*pod()["initContainers"], *pod()["containers"]):
        assert set(container["resources"]["requests"]) == {"cpu", "memory"}


def test_every_mount_has_its_volume() -> None:
    spec = pod()
    mounted = {mount["name"] for mount in spec["initContainers"][0]["volumeMounts"]}

    assert mounted == {volume["name"] for volume in spec["volumes"]}


@dataclass(frozen=True, kw_only=True)
class Node:
    """A directory that stands for a GPU node, on which the manifest's script runs."""

    root: Path

    def load(self, version: str) -> None:
        """Pretend that a driver is loaded."""
        module = self.root / "sys" / "module" / "nvidia"
        module.mkdir(parents=True)
        (module / "version").write_text(f"{version}\n")

    def open_driver(self) -> None:
        """Pretend that a process, like GKE's device plugin, has the driver open."""
        descriptors = self.root / "proc" / "7" / "fd"
        descriptors.mkdir(parents=True)
        (descriptors / "3").symlink_to("/dev/nvidiactl")

    def install(self) -> tuple[int, str]:
        """Run the script; return its exit status and the commands that it called."""
        (installer,) = pod()["initContainers"]
        script: str = installer["command"][-1]
        for path in ("/sys/module", "/proc/", "/cos-gpu-installer"):
            script = script.replace(path, f"{self.root}{path}")
        done = subprocess.run(
            ["/bin/bash", "-c", script],
            env={
                **{each["name"]: each["value"] for each in installer["env"]},
                "ROOT_MOUNT_DIR": str(self.root / "host"),
                "PATH": f"{self.root}:{os.environ['PATH']}",
            },
            check=False,
            capture_output=True,
        )
        calls = self.root / "calls"
        return done.returncode, calls.read_text() if calls.exists() else ""

    @property
    def mode(self) -> int:
        """Permissions of the directory that pods mount."""
        return self._drivers.stat().st_mode & 0o777

    @property
    def _drivers(self) -> Path:
        return self.root / "host" / "home" / "kubernetes" / "bin" / "nvidia"

    def prepare(self) -> None:
        """Make what every node has."""
        self._drivers.mkdir(parents=True, mode=0o700)
        unload = f'rm -rf "{self.root}/sys/module/nvidia"\n'
        for name, effect in (("cos-gpu-installer", ""), ("rmmod", unload)):
            tool = self.root / name
            tool.write_text(f'#!/bin/bash\necho "{name} $*" >> "{self.root}/calls"\n{effect}')
            tool.chmod(0o755)


@pytest.fixture
def node(tmp_path: Path) -> Node:
    fresh = Node(root=tmp_path)
    fresh.prepare()
    return fresh


def test_a_new_node_gets_the_driver_and_pods_without_root_may_read_it(node: Node) -> None:
    assert node.install() == (0, "cos-gpu-installer install --version=580.95.05\n")
    assert node.mode == 0o755


def test_a_driver_that_is_there_is_left_alone_and_readable(node: Node) -> None:
    node.load("580.95.05")

    assert node.install() == (0, "")
    assert node.mode == 0o755


def test_another_driver_makes_room_when_nobody_uses_it(node: Node) -> None:
    node.load("535.274.02")
    status, calls = node.install()

    assert status == 0
    assert calls.splitlines() == [
        "rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia",
        "cos-gpu-installer install --version=580.95.05",
    ]


def test_no_module_is_taken_from_a_driver_in_use(node: Node) -> None:
    node.load("535.274.02")
    node.open_driver()

    assert node.install() == (1, "")
