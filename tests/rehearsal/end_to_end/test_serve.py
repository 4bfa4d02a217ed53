"""End to end: `daskfleet serve` in a headless Chromium, over a fleet to which things happen."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chromium import Tab, open_chromium
from tests.live_page import until_shown, visit
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.shell import shell_of
from tests.rehearsal.end_to_end.waiting import PATIENCE_S, until
from tests.tiers.long_files import LONG

pytestmark = LONG

OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
FOREVER = 10_000


@pytest.fixture
def url(fleet: RunningRehearsal) -> Iterator[str]:
    """Where the page is, as the command says once it has looked."""
    command = [sys.executable, "-m", "daskfleet", "serve", "--port", "0", "--every", "5"]
    with subprocess.Popen(
        [*command, "--stack", fleet.workspace.stack],
        cwd=PROJECT_DIR,
        env=shell_of(fleet),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().split()[-1]
        process.terminate()


@pytest.fixture
def page(url: str, tmp_path: Path) -> Iterator[Tab]:
    """The page, opened once: whatever is new on it comes by itself."""
    with open_chromium() as tab:
        visit(tab, url, blank=tmp_path / "blank.html")
        yield tab


def shows(page: Tab, *there: str, within: str = "html", gone: str = "") -> None:
    """Wait until a part of the page has some texts, and lacks another."""
    text = f"document.querySelector({json.dumps(within)})?.textContent ?? ''"
    wanted = [f"t.includes({json.dumps(each)})" for each in there]
    unwanted = [f"!t.includes({json.dumps(gone)})"] if gone else []
    script = f"(t => {' && '.join([*wanted, *unwanted])})({text})"
    until_shown(page, script, patience_s=PATIENCE_S)


def workers(fleet: RunningRehearsal, name: str) -> dict[str, str]:
    """A team's workers, and the nodes that they are on."""
    pods = fleet.dask_pods(name).values()
    return {pod.name: pod.node for pod in pods if pod.role == "worker"}


def scale(fleet: RunningRehearsal, count: int) -> None:
    """Let genomics have so many workers, as a member does."""
    group = "daskworkergroup/genomics-default"
    kubectl(fleet, "-n", "genomics", "scale", group, f"--replicas={count}")


def test_what_happens_to_a_fleet_is_on_the_page_that_is_open(
    fleet: RunningRehearsal, page: Tab
) -> None:
    shows(page, "No open problem.", *workers(fleet, "climate"))
    fleet.touched()

    # A worker that dies: Kubernetes makes another one.
    died, *_ = before = workers(fleet, "climate")
    kubectl(fleet, "-n", "climate", "delete", "pod", died, "--wait=false")
    until(lambda: len(workers(fleet, "climate").keys() - before.keys()) == 1)
    (came,) = workers(fleet, "climate").keys() - before.keys()
    shows(page, came, within="#fleet", gone=died)

    # A stock-out: a team's workers went, their nodes after them, and the zone has no others.
    scale(fleet, 0)
    until(lambda: "a100-auto" not in {node.pool for node in fleet.see().nodes.values()})
    fleet.inject({"kind": "stockout", "pool": "a100-auto", "times": FOREVER})
    scale(fleet, 1)
    until(lambda: list(workers(fleet, "genomics").values()) == [""])
    (waiting,) = workers(fleet, "genomics")
    shows(page, waiting, "Google could not give a node", within="#waiting")
    shows(page, "team genomics is not ready", within="#problems")
    fleet.inject()
    until(lambda: all(workers(fleet, "genomics").values()))
    shows(page, "Nothing waits", within="#waiting")

    # A roll: the team's pods are others, and the history says of which `up`.
    settings = fleet.settings()
    team(settings, "climate")["image"] = OTHER_IMAGE
    rolled = fleet.dask_pods("climate").values()
    fleet.up(settings)
    (old,) = (pod.name for pod in rolled if pod.role == "scheduler")
    (new,) = (pod.name for pod in fleet.dask_pods("climate").values() if pod.role == "scheduler")
    shows(page, new, within="#fleet", gone=old)
    shows(page, "climate", OTHER_IMAGE, within="#history")
    assert page.said == []
