"""End to end: docs/adopt.md, a fleet beside the cluster that RAPIDS' guide makes."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.reference_guide import guide_cluster, operate, scheduler_pool
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, work
from tests.rehearsal.end_to_end.shell import typed
from tests.tiers.long_files import LONG

pytestmark = LONG

CLUSTERS = "projects/rehearsal-project/locations/us-central1-c/clusters"
GUIDE = "rapids-gpu"
"""The guide's name for its cluster, which is daskfleet's default, too."""


@pytest.fixture
def beside(binaries: Binaries, tmp_path: Path) -> Iterator[RunningRehearsal]:
    """A stage on which the guide has been followed, and no fleet is up."""
    del binaries
    fleet = RunningRehearsal(tmp_path)
    api = f"{fleet.base_url}/container/v1"
    operate(api, f"{api}/{CLUSTERS}", {"cluster": guide_cluster()})
    operate(api, f"{api}/{CLUSTERS}/{GUIDE}/nodePools", {"nodePool": scheduler_pool()})
    yield fleet
    end_rehearsal(fleet.workspace, report=print)


def guides(fleet: RunningRehearsal) -> Any:
    """The guide's cluster, as Google tells it."""
    return httpx.get(f"{fleet.base_url}/container/v1/{CLUSTERS}/{GUIDE}").raise_for_status().json()


def test_a_fleet_comes_up_beside_it_and_leaves_it_alone(beside: RunningRehearsal) -> None:
    there = guides(beside)

    doctor = typed(beside, sys.executable, "-m", "daskfleet", "doctor", "--json")
    (taken,) = (
        each
        for each in json.loads(doctor.stdout)["findings"]
        if each["area"] == "names" and each["outcome"] == "wrong"
    )
    assert GUIDE in taken["subject"]

    settings = beside.settings()
    settings["daskfleet:cluster"]["name"] = "dask-fleet"
    beside.configure(settings)
    assert set(work(beside.run("preview"))) == {"create"}
    beside.up(settings)
    assert work(beside.up(settings)) == {}
    assert guides(beside) == there
