"""End to end: after another image, a refresh and a new node the history says what happened."""

import json
import sys
from typing import Any

import pytest

from rehearsal.report.address_watch import AddressWatch, unserved_s
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

TEAM = "genomics"
OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
HISTORY = (sys.executable, "-m", "daskfleet", "history")


def told(fleet: RunningRehearsal, *options: str) -> dict[str, Any]:
    """The history as JSON."""
    done = typed(fleet, *HISTORY, "--json", *options)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_another_image_and_for_how_long_the_team_had_no_scheduler(
    fleet: RunningRehearsal,
) -> None:
    (before,) = {image for pod in fleet.dask_pods(TEAM).values() for image in pod.images}
    settings = fleet.settings()
    team(settings, TEAM)["image"] = OTHER_IMAGE
    with AddressWatch(fleet.workspace) as address:
        fleet.up(settings)
    fleet.run("refresh", "--yes", "--skip-preview")

    history = told(fleet)
    refresh, up, *earlier = history["updates"]
    assert (refresh["kind"], refresh["teams"]) == ("refresh", [])
    assert (up["kind"], up["result"], up["held_to_a_plan"]) == ("update", "succeeded", False)
    (change,) = up["teams"]
    assert (change["team"], change["what"], change["before"], change["after"]) == (
        TEAM,
        "image",
        before,
        OTHER_IMAGE,
    )
    gap, measured_s = change["gap"], unserved_s(address.moments[TEAM])
    assert measured_s > 0
    assert gap["at_least_s"] <= measured_s <= gap["at_most_s"]
    # Other tests may have changed this fleet before, and its history tells their teams too.
    came = {each["team"] for up in earlier for each in up["teams"] if each["what"] == "came"}
    assert came >= {"climate", TEAM}

    # Nodes of the fleet's first `up` came while it ran, with their pools.
    nodes = {node["node"] for update in history["updates"] for node in update["nodes"]}
    nodes |= {node["node"] for node in history["nodes"]}
    assert nodes >= set(fleet.see().nodes)
    assert all(node["pool"] for node in history["nodes"] if node["what"] == "came")

    own = told(fleet, "--team", "climate")
    assert {each["team"] for each in own["updates"] for each in each["teams"]} <= {"climate"}
    assert TEAM in typed(fleet, *HISTORY).stdout


def test_a_node_that_an_up_took_away_is_told_with_its_time(fleet: RunningRehearsal) -> None:
    before = set(fleet.see().nodes)
    settings = fleet.settings()
    pools = settings["daskfleet:worker_pools"]
    next(pool for pool in pools if pool["name"] == "a100-fixed")["node_count"] = 1
    fleet.up(settings)
    (gone,) = before - set(fleet.see().nodes)

    def went() -> set[str]:
        moves = [*(up := told(fleet)["updates"][0])["nodes"], *told(fleet)["nodes"]]
        assert [(pool["pool"], pool["what"]) for pool in up["pools"]] == [
            ("a100-fixed", "settings")
        ]
        return {node["node"] for node in moves if node["what"] == "went"}

    # The controller manager looks every few seconds whether a node is gone.
    until(lambda: gone in went(), otherwise=went)
