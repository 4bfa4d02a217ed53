"""End to end: a fleet lets a team go, and the team runs on; and takes it back from the backup."""

import json
import stat
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.up import PROGRAM_USER
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.rehearsal.end_to_end.shell import Done, typed
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

TEAM = "genomics"
KINDS = "resourcequotas,networkpolicies,rolebindings,services,daskclusters,configmaps"


def release(fleet: RunningRehearsal, backup: Path, *words: str) -> Done:
    """Let the team go, as somebody types it."""
    command = (sys.executable, "-m", "daskfleet", "release", TEAM, "--stack", "rehearsal")
    return typed(fleet, *command, "--backup", str(backup), *words)


def objects(fleet: RunningRehearsal) -> dict[str, str]:
    """Versions by UID of what the team has; a write of anybody changes one."""
    found = json.loads(kubectl(fleet, "-n", TEAM, "get", KINDS, "-ojson"))
    found["items"].append(json.loads(kubectl(fleet, "get", "namespace", TEAM, "-ojson")))
    return {
        each["metadata"]["uid"]: each["metadata"]["resourceVersion"]
        for each in found["items"]
        if each["metadata"].get("annotations", {}).get("control-plane.alpha.kubernetes.io/leader")
        is None
    }


def of_the_team(fleet: RunningRehearsal) -> list[str]:
    """What the state has of the team, by any name or namespace."""
    state = json.loads(fleet.stage.engine.output("stack", "export"))
    return sorted(
        resource["urn"]
        for resource in state["deployment"]["resources"]
        if TEAM in json.dumps([resource["urn"], (resource.get("inputs") or {}).get("metadata")])
    )


def has_pods(fleet: RunningRehearsal, count: int) -> bool:
    """Whether the team has so many Dask pods, its scheduler among them."""
    return len(fleet.dask_pods(TEAM)) == count


@pytest.fixture
def backup(fleet: RunningRehearsal, tmp_path: Path) -> Iterator[Path]:
    """A file for the state, which is the stack's again afterwards: other tests need the team."""
    file = tmp_path / "before.state.json"
    yield file
    if file.exists():
        fleet.touched()
        fleet.stage.engine.output("stack", "import", "--file", str(file))


def test_a_team_that_is_let_go_runs_on_and_can_be_taken_back(
    fleet: RunningRehearsal, backup: Path
) -> None:
    pods, things = fleet.dask_pods(TEAM).keys(), objects(fleet)
    known = of_the_team(fleet)
    google, kubernetes = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)

    unasked = release(fleet, backup)
    assert (unasked.returncode, backup.exists()) == (1, False)
    assert "Goes on:" in unasked.stdout
    assert of_the_team(fleet) == known

    fleet.touched()
    done = release(fleet, backup, "--yes")
    assert done.returncode == 0, done.stderr
    assert f"would forget the {len(known)} resources of team {TEAM}" in done.stdout
    assert "-    - name: genomics" in done.stdout
    assert "-      quota: {cpu: 2, memory_gib: 8, pods: 10}" in done.stdout
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert of_the_team(fleet) == []

    settings = fleet.settings()
    settings["daskfleet:teams"].remove(team(settings, TEAM))
    fleet.configure(settings)
    preview = fleet.run("preview")
    assert {op for op, count in preview.changes.items() if count} <= {"same", "update"}
    fleet.up(settings)
    assert work(fleet.up(settings)) == {}

    assert fleet.dask_pods(TEAM).keys() == pods
    assert objects(fleet) == things
    assert google_writes(lines_since(google)) == ()
    written = kubernetes_writes(lines_since(kubernetes), user=PROGRAM_USER)
    assert not [each for each in written if TEAM in str(each)]

    # The operator still works for it.
    for replicas in (0, 1):
        group = f"daskworkergroup/{TEAM}-default"
        kubectl(fleet, "-n", TEAM, "scale", group, f"--replicas={replicas}")
        until(partial(has_pods, fleet, replicas + 1), otherwise=lambda: fleet.dask_pods(TEAM))

    # Nothing but the team has changed, so what was saved is the state again.
    fleet.stage.engine.output("stack", "import", "--file", str(backup))
    pods = fleet.dask_pods(TEAM).keys()
    fleet.up()
    assert fleet.dask_pods(TEAM).keys() == pods
    assert of_the_team(fleet) == known
    assert work(fleet.up()) == {}
