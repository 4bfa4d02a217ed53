"""End to end: the showcase drawn by `daskfleet report --stack`, beside what its APIs say."""

import sys
from pathlib import Path

import yaml

from daskfleet.platform.report.running.model import FleetView, Kind, SourceName
from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.up import PROGRAM_USER
from tests.rehearsal.end_to_end.drift_command import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import Done, shell_of, typed
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

UNCOUNTED = "no source names the quota that counts this"
"""Of machines of series g2, the doctor says so."""


def report(fleet: RunningRehearsal, *options: str, **environment: str) -> Done:
    command = ("-m", "daskfleet", "report", "--stack", fleet.workspace.stack, *options)
    done = typed(fleet, sys.executable, *command, environment=environment)
    assert done.returncode == 0, done.stderr
    return done


def seen_by_report(fleet: RunningRehearsal, **environment: str) -> FleetView:
    return FleetView.model_validate_json(report(fleet, "--json", **environment).stdout)


def test_what_is_drawn_is_what_the_apis_say_and_nothing_is_written(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    google = Mark.now(showcase.workspace.request_log)
    cluster = Mark.now(showcase.cluster.audit_log)
    view = seen_by_report(showcase)
    page = tmp_path / "page.html"
    report(showcase, "--html", str(page))
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(cluster), user=PROGRAM_USER) == ()

    there = showcase.see()
    of_teams = {
        (pod.namespace, pod.name): pod for pod in there.pods if pod.dask_cluster or pod.is_jupyter
    }
    assert {(pod.namespace, pod.name): pod.node for pod in view.pods} == {
        place: pod.node for place, pod in of_teams.items()
    }
    assert {pod.name: pod.gpu_shares for pod in view.pods} == {
        name: int(pod.requests.get("nvidia.com/gpu", 0)) for (_, name), pod in of_teams.items()
    }
    assert {node.name: (node.pool, node.gpus) for node in view.nodes} == {
        name: (node.pool, node.gpus) for name, node in there.nodes.items()
    }
    assert view.problems == ()
    assert all(UNCOUNTED in lack for source in view.unread for lack in source.lacks)
    assert [source.name for source in view.sources if source.is_read] == [
        name for name in SourceName if name is not SourceName.BILL
    ]
    _teams_certificates_upgrades_and_cost(showcase, view)

    html = page.read_text(encoding="utf-8")
    names = [name for _, name in of_teams] + list(there.nodes)
    assert [name for name in names if name not in html] == []
    assert [secret for secret in secrets_of(showcase) if secret in html] == []


def _teams_certificates_upgrades_and_cost(showcase: RunningRehearsal, view: FleetView) -> None:
    declared = showcase.base["daskfleet:teams"]
    assert view.teams is not None
    assert [row.team for row in view.teams] == sorted(team["name"] for team in declared)
    assert {row.state for row in view.teams} <= {"ready", "asleep"}
    assert view.certificates is not None
    assert "TLS of team atmosphere" in [row.about for row in view.certificates]
    assert view.upgrades is not None
    assert view.versions is not None
    assert {version for row in view.versions for version in row.kubelet} == {
        f"v{view.upgrades.control_plane}"
    }
    assert view.drift is not None
    assert view.drift.rows == ()
    assert view.money is not None
    assert round(sum(row.now_usd_per_hour for row in view.money.rows), 6) == round(
        view.money.now_usd_per_hour, 6
    )


def secrets_of(fleet: RunningRehearsal) -> list[str]:
    """What opens something: the token for Google, and the way into the cluster."""
    user = yaml.safe_load(fleet.cluster.kubeconfig.read_text("utf-8"))["users"][0]["user"]
    found = [shell_of(fleet)["GOOGLE_OAUTH_ACCESS_TOKEN"], *map(str, user.values())]
    assert all(len(secret) > 10 for secret in found)
    return found


def test_what_somebody_does_by_hand_is_a_problem_with_its_owner(
    showcase: RunningRehearsal,
) -> None:
    (worker,) = (
        pod for pod in showcase.see().pods if (pod.team, pod.role) == ("oceanography", "worker")
    )
    showcase.touched()
    kubectl(showcase, "cordon", worker.node)
    kubectl(showcase, "label", "namespace", "oceanography", "cost-center=mine")
    kubectl(showcase, "delete", "pod", worker.name, "-n", "oceanography")
    try:
        until(lambda: unplaced(showcase))
        view = seen_by_report(showcase)
    finally:
        kubectl(showcase, "uncordon", worker.node)
        kubectl(showcase, "label", "namespace", "oceanography", "cost-center-")
    problems = {(problem.kind, problem.team): problem for problem in view.problems}
    assert problems.keys() == {
        (Kind.TEAM, "oceanography"),
        (Kind.NODE, ""),
        (Kind.DRIFT, "oceanography"),
    }
    assert "cordoned" in problems[Kind.NODE, ""].says
    assert problems[Kind.DRIFT, "oceanography"].says.startswith("a hand edit")
    (waiting,) = (pod for pod in view.pods if not pod.node)
    assert "not scheduled" in waiting.reason


def unplaced(fleet: RunningRehearsal) -> bool:
    return any(pod.team == "oceanography" and not pod.node for pod in fleet.see().pods)


def test_what_google_refuses_is_told_and_the_rest_is_drawn(showcase: RunningRehearsal) -> None:
    refused = {"kind": "error", "path": ":fetchClusterUpgradeInfo$", "code": 403}
    showcase.inject({**refused, "message": "You may not."})
    view = seen_by_report(showcase)
    showcase.inject()
    (lost,) = (source for source in view.sources if not source.is_read)
    assert lost.name is SourceName.CLUSTER
    assert "You may not." in lost.why_not
    assert view.upgrades is None
    assert len(view.nodes) == len(showcase.see().nodes)
    assert view.pods
    assert view.money is not None
