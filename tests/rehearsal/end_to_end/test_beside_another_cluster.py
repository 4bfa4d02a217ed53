"""End to end: docs/adopt.md, a fleet beside the cluster that RAPIDS' guide makes."""

import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from dask_kubernetes.operator import make_cluster_spec

from bench.reference_guide import Inside, guide_cluster, operate, scheduler_pool
from rehearsal.stage.chart import prepare_chart
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.guides.typed import commands_of
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import (
    READY_TIMEOUT_S,
    RunningRehearsal,
    Settings,
    work,
)
from tests.rehearsal.end_to_end.shell import Done, typed
from tests.tiers.long_files import LONG

pytestmark = LONG

PROJECT = "rehearsal-project"
CLUSTERS = f"projects/{PROJECT}/locations/us-central1-c/clusters"
GUIDE = "rapids-gpu"
"""The guide's name for its cluster, which is daskfleet's default, too."""

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"


@pytest.fixture
def beside(binaries: Binaries, tmp_path: Path) -> Iterator[RunningRehearsal]:
    """A stage on which the guide has been followed to its end, and no fleet is up."""
    fleet = RunningRehearsal(tmp_path)
    api = f"{fleet.base_url}/container/v1"
    operate(api, f"{api}/{CLUSTERS}", {"cluster": guide_cluster()})
    operate(api, f"{api}/{CLUSTERS}/{GUIDE}/nodePools", {"nodePool": scheduler_pool()})
    prepare_chart(fleet.workspace.chart)
    inside = Inside(fleet.cluster.kubeconfig, binaries)
    inside.install_driver()
    inside.install_operator(fleet.workspace.chart)
    inside.create_dask_cluster()
    yield fleet
    end_rehearsal(fleet.workspace, report=print)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder that is the project, so that the draft is not written into this one."""
    project = tmp_path / "desk"
    (project / "stacks").mkdir(parents=True)
    shutil.copy(PROJECT_DIR / "Pulumi.yaml", project)
    return project


def guides(fleet: RunningRehearsal) -> Any:
    """The guide's cluster, as Google tells it."""
    return httpx.get(f"{fleet.base_url}/container/v1/{CLUSTERS}/{GUIDE}").raise_for_status().json()


def drafted(fleet: RunningRehearsal, desk: Path) -> Done:
    """Type the page's command, in the rehearsal's project."""
    (line,) = (
        each.text
        for each in commands_of("docs/adopt.md")
        if each.text.startswith("daskfleet draft ")
    )
    words = shlex.split(line.replace("my-project", PROJECT))[1:]
    return typed(fleet, sys.executable, "-m", "daskfleet", *words, directory=desk)


def make_as_kubecluster_does(fleet: RunningRehearsal, file: Path) -> None:
    """Make a DaskCluster as `KubeCluster` does in somebody's notebook."""
    gpu = {"limits": {"nvidia.com/gpu": "1"}}
    spec = make_cluster_spec("notebook", image=IMAGE, n_workers=1, resources=gpu)
    file.write_text(yaml.safe_dump(spec), encoding="utf-8")
    kubectl(fleet, "apply", "--filename", str(file))


def stack_file(desk: Path) -> Path:
    """The file that the page's command writes."""
    return desk / "stacks" / "Pulumi.beside.yaml"


def taken_name(fleet: RunningRehearsal) -> str:
    """What the doctor finds taken by others of what the default stack file would make."""
    doctor = typed(fleet, sys.executable, "-m", "daskfleet", "doctor", "--json")
    (taken,) = (
        each["subject"]
        for each in json.loads(doctor.stdout)["findings"]
        if each["area"] == "names" and each["outcome"] == "wrong"
    )
    return str(taken)


def test_the_drafted_fleet_comes_up_beside_it_and_leaves_it_alone(
    beside: RunningRehearsal, desk: Path
) -> None:
    assert GUIDE in taken_name(beside)

    done = drafted(beside, desk)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "datapathProvider is not set; a fleet's is ADVANCED_DATAPATH" in done.stdout
    assert "GPU quota for 6 more nvidia-tesla-a100" in done.stdout

    make_as_kubecluster_does(beside, desk / "notebook.yaml")
    there = guides(beside)
    stack_file(desk).unlink()
    done = drafted(beside, desk)

    # Each team has a scheduler of its own, and the guide has one T4.
    assert done.returncode == 3, done.stdout + done.stderr
    assert "2 schedulers are needed, one per team, but 1 fit" in done.stdout
    settings: Settings = yaml.safe_load(stack_file(desk).read_text(encoding="utf-8"))["config"]
    assert settings["daskfleet:worker_pools"] == [
        {"name": "a100", "machine_type": "a2-highgpu-2g", "disk_size_gb": 100, "node_count": 3}
    ]
    teams = {each["name"]: each for each in settings["daskfleet:teams"]}
    assert (teams["rapids-dask-cluster"]["workers"], teams["notebook"]["workers"]) == (2, 1)

    settings["daskfleet:scheduler_pool"]["node_count"] = 2
    for team in teams.values():
        team["ready_timeout_s"] = READY_TIMEOUT_S["place"]
    beside.configure(settings)
    assert set(work(beside.run("preview"))) == {"create"}
    beside.up(settings)
    assert work(beside.up(settings)) == {}
    assert guides(beside) == there
