"""End to end: worker pools without GPUs beside such with some, and who is placed where."""

import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from rehearsal.report.fleet_state import Node
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed

pytestmark = pytest.mark.rehearsal

ON_CPUS = "oceanography"
CPU_POOL, L4_POOL = "cpu", "l4"
GPU = "nvidia.com/gpu"


@pytest.fixture(scope="module")
def nodes(showcase_stage: RunningRehearsal) -> Mapping[str, Node]:
    """A node of each of the two pools."""
    showcase_stage.ensure_as_declared()
    found = {node.pool: node for node in showcase_stage.see().nodes.values()}
    return {pool: found[pool] for pool in (CPU_POOL, L4_POOL)}


def test_an_l4_node_says_its_card_and_offers_it(nodes: Mapping[str, Node]) -> None:
    node = nodes[L4_POOL]

    assert node.labels["cloud.google.com/gke-accelerator"] == "nvidia-l4"
    assert node.labels["cloud.google.com/gke-accelerator-count"] == "1"
    assert node.labels["cloud.google.com/machine-family"] == "g2"
    assert node.allocatable[GPU] == 1


def test_a_node_without_gpus_has_nothing_of_one(nodes: Mapping[str, Node]) -> None:
    node = nodes[CPU_POOL]

    assert not [key for key in node.labels if "gpu" in key or "accelerator" in key]
    assert GPU not in node.allocatable
    assert node.driver == ""


def test_only_workers_and_what_runs_everywhere_are_on_it(
    showcase: RunningRehearsal, nodes: Mapping[str, Node]
) -> None:
    pods = [pod for pod in showcase.see().pods if pod.node == nodes[CPU_POOL].name]
    others = [pod for pod in pods if pod.role != "worker"]

    assert ON_CPUS in {pod.team for pod in pods}
    assert {pod.owner.partition("/")[0] for pod in others} == {"DaemonSet"}
    assert not [pod.name for pod in pods if "nvidia" in pod.name]
    assert not [pod.name for pod in pods if pod.requests.get(GPU)]


def test_its_workers_are_processes_of_dask_that_compute(showcase: RunningRehearsal) -> None:
    words = ("--namespace", ON_CPUS, "get", "pods", "--output", "json")
    pods = json.loads(kubectl(showcase, *words, "--selector", "dask.org/component=worker"))
    (worker,) = pods["items"]
    checks = verified(showcase)

    assert worker["spec"]["containers"][0]["args"][:2] == ["dask", "worker"]
    assert {each["outcome"] for each in checks.values()} == {"ok", "not measured"}
    assert checks["pods on their pools"]["expected"].endswith(f"workers on {CPU_POOL}")
    assert checks["threads per worker"]["expected"] == "2 threads"
    assert checks["computation"]["outcome"] == "ok"
    assert checks["computation on GPUs"]["seen"] == "no GPU declared"


def verified(fleet: RunningRehearsal) -> dict[str, dict[str, Any]]:
    """What `daskfleet verify` says of the team, by check."""
    done = typed(fleet, sys.executable, "-m", "daskfleet", "verify", ON_CPUS, "--json")
    assert done.returncode == 0, done.stderr
    (team,) = json.loads(done.stdout)["teams"]
    return {check["name"]: check for check in team["checks"]}
