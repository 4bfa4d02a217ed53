"""The reference guide's way to a fleet: one command after the other, each when the last has ended.

RAPIDS' guide "GPU optimization for the Dask scheduler on Kubernetes" as a script: the same requests
that its `gcloud`, `kubectl` and `helm` send, to the same emulator, with nobody's typing between.
"""

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from bench.process_tree import CommandFailedError
from daskfleet.checkout import PROJECT_DIR
from rehearsal.stage.chart import prepare_chart
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.launch import launch_supervisor, live_supervisor
from rehearsal.toolchain import Binaries, ensure_toolchain
from rehearsal.workspace import Workspace

ZONE = "projects/bench-project/locations/us-central1-c"
CLUSTER = "rapids-gpu"
DRIVER = PROJECT_DIR / "manifests" / "nvidia-driver-installer.yaml"
"""In place of Google's, which asks for the newest driver, from the network."""

DASK_CLUSTER = Path(__file__).with_suffix(".yaml")
LOOK_EVERY_S = 0.5
CONTROL_PLANE_S = 120
"""Until the emulator answers on a machine with much else to do."""


@dataclass(frozen=True)
class TimedStep:
    """One command of the guide, and what it waits for."""

    name: str
    duration_s: float


def follow_guide(*, latency: str) -> list[TimedStep]:
    """Follow the guide on an emulator of its own, from nothing to ready pods.

    Raises:
        CommandFailedError: a command failed, or an operation of the emulator.

    """
    with tempfile.TemporaryDirectory() as scratch:
        workspace = Workspace(
            project_dir=PROJECT_DIR, directory=Path(scratch) / "guide", stack="guide"
        )
        workspace.clusters_dir.mkdir(parents=True)
        prepare_chart(workspace.chart)
        binaries = ensure_toolchain(progress=lambda _: None)
        base_url = launch_supervisor(workspace, latency=latency, dask="place").base_url
        try:
            return list(_timed(_steps(workspace, binaries, f"{base_url}/container/v1")))
        finally:
            end_rehearsal(workspace, report=lambda _: None)


def _timed(steps: Iterator[tuple[str, Callable[[], None]]]) -> Iterator[TimedStep]:
    for name, follow in steps:
        began = time.monotonic()
        follow()
        yield TimedStep(name, time.monotonic() - began)


def _steps(
    workspace: Workspace, binaries: Binaries, api: str
) -> Iterator[tuple[str, Callable[[], None]]]:
    clusters = f"{api}/{ZONE}/clusters"
    yield (
        "cluster with the A100 pool",
        lambda: operate(api, clusters, {"cluster": guide_cluster()}),
    )
    yield (
        "scheduler pool",
        lambda: operate(api, f"{clusters}/{CLUSTER}/nodePools", {"nodePool": scheduler_pool()}),
    )
    inside = Inside(_kubeconfig(workspace), binaries)
    yield "driver", inside.install_driver
    yield "operator", lambda: inside.install_operator(workspace.chart)
    yield "Dask cluster", inside.create_dask_cluster


def guide_cluster() -> dict[str, Any]:
    """What ``gcloud container clusters create`` of the guide asks for."""
    return {
        "name": CLUSTER,
        "initialNodeCount": 3,
        "releaseChannel": {"channel": "STABLE"},
        "nodeConfig": {
            "machineType": "a2-highgpu-2g",
            "accelerators": [accelerator("nvidia-tesla-a100", count=2)],
        },
    }


def scheduler_pool() -> dict[str, Any]:
    """What ``gcloud container node-pools create`` of the guide asks for."""
    return {
        "name": "scheduler-pool",
        "initialNodeCount": 1,
        "config": {
            "machineType": "n1-standard-2",
            "labels": {"dedicated": "scheduler"},
            "accelerators": [accelerator("nvidia-tesla-t4", count=1)],
        },
    }


def accelerator(kind: str, *, count: int) -> dict[str, Any]:
    """GPUs without GKE's driver, since the guide brings one."""
    return {
        "acceleratorType": kind,
        "acceleratorCount": str(count),
        "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"},
    }


@dataclass(frozen=True)
class Inside:
    """The guide's `kubectl` and `helm` on the cluster."""

    kubeconfig: Path
    binaries: Binaries

    def install_driver(self) -> None:
        """Install the NVIDIA driver, and wait for it."""
        self._kubectl("apply", "--filename", str(DRIVER))
        (manifest,) = yaml.safe_load_all(DRIVER.read_text(encoding="utf-8"))
        while not self._is_ready(manifest["metadata"]["name"]):
            time.sleep(LOOK_EVERY_S)

    def _is_ready(self, daemon_set: str) -> bool:
        where = ("daemonset", daemon_set, "--namespace=kube-system")
        status = json.loads(self._kubectl("get", *where, "--output=json"))["status"]
        nodes, ready = status["desiredNumberScheduled"], status.get("numberReady", 0)
        return bool(0 < nodes == ready)

    def install_operator(self, chart: Path) -> None:
        """Install the operator, and wait for it."""
        where = ("--create-namespace", "--namespace=dask-operator")
        self._run(self.binaries.helm, "install", *where, "--generate-name", str(chart))
        self._kubectl("rollout", "status", "deployment", "--namespace=dask-operator")

    def create_dask_cluster(self) -> None:
        """Apply the Dask cluster, and wait for its pods."""
        self._kubectl("apply", "--filename", str(DASK_CLUSTER))
        manifest = yaml.safe_load(DASK_CLUSTER.read_text(encoding="utf-8"))
        wanted = manifest["spec"]["worker"]["replicas"] + 1
        while self._ready_pods(manifest["metadata"]["name"]) < wanted:
            time.sleep(LOOK_EVERY_S)

    def _ready_pods(self, dask_cluster: str) -> int:
        selector = f"--selector=dask.org/cluster-name={dask_cluster}"
        pods = json.loads(self._kubectl("get", "pods", selector, "--output=json"))["items"]
        conditions = [c for pod in pods for c in pod["status"].get("conditions", ())]
        return sum(c["type"] == "Ready" and c["status"] == "True" for c in conditions)

    def _kubectl(self, *arguments: str) -> str:
        return self._run(self.binaries.kubectl, *arguments)

    def _run(self, binary: Path, *arguments: str) -> str:
        command = [str(binary), *arguments]
        done = subprocess.run(
            command,
            env={"KUBECONFIG": str(self.kubeconfig), "HOME": str(self.kubeconfig.parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise CommandFailedError(f"`{' '.join(command)}` failed:\n{done.stderr}")
        return done.stdout


def operate(api: str, url: str, body: dict[str, Any]) -> None:
    """Send a request, and wait for its operation as `gcloud` does.

    Raises:
        CommandFailedError: Google refuses, or the operation fails.

    """
    answer = httpx.post(url, json=body, timeout=CONTROL_PLANE_S)
    if answer.is_error:
        raise CommandFailedError(f"POST {url} failed: {answer.text}")
    operation = answer.json()
    while operation["status"] != "DONE":
        time.sleep(LOOK_EVERY_S)
        where = operation["selfLink"].partition("/projects/")[2]
        operation = httpx.get(f"{api}/projects/{where}").json()
    if "statusMessage" in operation:
        raise CommandFailedError(f"POST {url} failed: {operation['statusMessage']}")


def _kubeconfig(workspace: Workspace) -> Path:
    """Return that of the cluster, which the supervisor takes note of twice a second."""
    while True:
        supervisor = live_supervisor(workspace)
        if supervisor is None:
            raise CommandFailedError("The supervisor has ended.")
        for cluster in supervisor.clusters:
            return cluster.kubeconfig
        time.sleep(LOOK_EVERY_S)
