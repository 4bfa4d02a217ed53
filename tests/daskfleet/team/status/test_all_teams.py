"""Unit: all teams of a stack, by an API server that lists each kind once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from daskfleet.access.fleet import Fleet
from daskfleet.cli import app
from daskfleet.contract.declared import DeclaredFleet, DeclaredTeam
from daskfleet.team.status import all_teams
from daskfleet.team.status.model import FleetReport, Verdict
from tests.daskfleet.access.played_api import played_api
from tests.daskfleet.team.status.objects import TEAM, cluster, group, pod

Answers = dict[str, tuple[int, dict[str, Any] | str]]

NAMES = ("fraud", "genomics")
FORBIDDEN = (403, {"message": "is forbidden: User cannot list this"})
NO_GPU = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."


def of(name: str) -> DeclaredTeam:
    return TEAM.model_copy(update={"namespace": name, "dask_cluster": name, "workers": 1})


def in_namespace(name: str, document: dict[str, Any]) -> dict[str, Any]:
    metadata = {**document["metadata"], "namespace": name}
    metadata["uid"] = f"{document.get('kind')} {name}/{metadata['name']}"
    return {**document, "metadata": metadata}


def fleet_of(**waiting: bool) -> Answers:
    """Each team has a scheduler and a worker; workers of those that wait have no node."""
    pods = [
        in_namespace(
            name,
            pod(each, role, cluster=name, unscheduled=NO_GPU if wait and each == "w" else None),
        )
        for name, wait in waiting.items()
        for each, role in (("s", "scheduler"), ("w", "worker"))
    ]
    groups = [in_namespace(n, group(f"{n}-default", 1, cluster=n)) for n in waiting]
    return {
        "GET /api/v1/pods": (200, {"items": pods}),
        "GET /api/v1/events": (200, {"items": []}),
        "GET /api/v1/resourcequotas": (200, {"items": []}),
        "GET /apis/kubernetes.dask.org/v1/daskclusters": (
            200,
            {"items": [in_namespace(n, cluster(n)) for n in waiting]},
        ),
        "GET /apis/kubernetes.dask.org/v1/daskworkergroups": (200, {"items": groups}),
    }


@pytest.fixture
def status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command with the fleet's own access, against an API server of these answers."""

    def run(answers: Answers, *arguments: str, stack: str = "prod") -> Result:
        with played_api(answers, tmp_path):
            declared = DeclaredFleet(
                teams={name: of(name) for name in NAMES}, retired_teams={"old": {}}, pools=()
            )
            kubeconfig = json.loads((tmp_path / "kubeconfig").read_text("utf-8"))
            fleet = Fleet(stack=stack, declared=declared, kubeconfig=kubeconfig)
            monkeypatch.setattr(all_teams, "fleet_of_stack", lambda *_: fleet)
            return CliRunner().invoke(
                app, ["status", "--stack", stack, *arguments], env={"COLUMNS": "200"}
            )

    return run


def test_each_team_has_a_line_and_what_is_the_matter(status: Callable[..., Result]) -> None:
    done = status(fleet_of(fraud=False, genomics=True))

    assert done.exit_code == 3, done.output
    headline, *lines = done.stdout.splitlines()
    assert headline.startswith("  prod: 1 ready, 1 not ready, ")
    (fraud,) = (line.split() for line in lines if " fraud " in line)
    assert fraud == ["fraud", "ready", "ready", "1", "of", "1", "-"]
    (genomics,) = (line for line in lines if " genomics " in line)
    assert "0 of 1" in genomics
    assert "1 pod: Every GPU of its pool is in use" in genomics
    assert "  retired: old" in lines


def test_a_fleet_that_is_ready_is_told_to_programs(status: Callable[..., Result]) -> None:
    done = status(fleet_of(fraud=False, genomics=False), "--json")

    assert done.exit_code == 0, done.output
    report = FleetReport.model_validate_json(done.stdout)
    assert [(team.team, team.verdict) for team in report.teams] == [
        (name, Verdict.READY) for name in NAMES
    ]
    assert [[each.name for each in team.pods] for team in report.teams] == [["s", "w"]] * 2


def test_what_cannot_be_read_hides_nothing_else_and_is_said_once(
    status: Callable[..., Result],
) -> None:
    answers = fleet_of(fraud=False, genomics=False)
    answers["GET /api/v1/events"] = FORBIDDEN
    done = status(answers)

    assert done.exit_code == 0
    assert done.stdout.count("not known: events") == 1


def test_without_pods_nobodys_state_is_known(status: Callable[..., Result]) -> None:
    answers = fleet_of(fraud=False, genomics=False)
    answers["GET /api/v1/pods"] = FORBIDDEN
    done = status(answers)

    assert done.exit_code == 1
    assert "prod: 2 not known" in done.stdout


def test_a_list_that_has_no_end_is_said_to_have_more(
    status: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(all_teams, "MOST_OBJECTS", 3)
    answers = fleet_of(fraud=False, genomics=False)
    answers["GET /api/v1/events"] = (200, {"metadata": {"continue": "on"}, "items": []})
    done = status(answers)

    assert (
        "not known: events (messages of the autoscaler and of quotas): there are more than 3"
        in (" ".join(done.stdout.split()))
    ), done.output


def test_neither_team_nor_stack_is_a_mistake_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    done = CliRunner().invoke(app, ["status"])

    assert done.exit_code == 2
    assert "name a team, or with --stack a stack" in " ".join(done.output.replace("│", "").split())
