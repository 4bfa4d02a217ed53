"""Unit: the command, by an API server that lets a member read this and that."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from daskfleet.cli import app
from daskfleet.team.status import cli
from daskfleet.team.status.model import Report, Verdict
from tests.components.fleets import fleet
from tests.daskfleet.access.played_api import played_api
from tests.daskfleet.posted_notice import posted_notice
from tests.daskfleet.team.status.objects import TEAM, cluster, group, pod, report_of

PLAN = fleet()
TEAM_PLAN = PLAN.teams[0]
NAME = TEAM_PLAN.team.name
CORE = f"GET /api/v1/namespaces/{NAME}"
DASK = f"GET /apis/kubernetes.dask.org/v1/namespaces/{NAME}"
FORBIDDEN = (403, {"message": "is forbidden: User cannot list this"})

Answers = dict[str, tuple[int, dict[str, Any] | str]]


def fleet_of(*pods: dict[str, Any], workers: int) -> Answers:
    told = posted_notice(PLAN, TEAM_PLAN)
    return {
        f"{CORE}/configmaps/daskfleet": (200, {"data": {"notice.json": told}}),
        f"{CORE}/pods": (200, {"items": list(pods)}),
        f"{CORE}/events": (200, {"items": []}),
        f"{CORE}/resourcequotas": (200, {"items": []}),
        f"{DASK}/daskclusters": (200, {"items": [cluster(NAME)]}),
        f"{DASK}/daskworkergroups": (
            200,
            {"items": [group(f"{NAME}-default", workers, cluster=NAME)]},
        ),
    }


def of_team(name: str, role: str = "worker", **changes: Any) -> dict[str, Any]:
    return pod(name, role, cluster=NAME, image=image(), **changes)


def image() -> str:
    told = json.loads(posted_notice(PLAN, TEAM_PLAN))
    found: str = told["teams"][NAME]["image"]
    return found


@pytest.fixture
def status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command against an API server of these answers."""
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setenv("PATH", "/nowhere")  # no pulumi

    def run(answers: Answers, *arguments: str) -> Result:
        with played_api(answers, tmp_path):
            return CliRunner().invoke(app, ["status", NAME, *arguments])

    return run


def test_a_member_without_pulumi_is_told_and_what_cannot_be_asked_is_not_known(
    status: Callable[..., Result],
) -> None:
    done = status(fleet_of(of_team("s", "scheduler"), of_team("w"), workers=1))

    assert done.exit_code == 0, done.output
    assert f"{NAME}: ready, stack prod" in done.stdout
    # Its port cannot be forwarded.
    assert f"not known: clients and tasks of {NAME}: port 8787 of pod s: " in done.stdout


def test_a_cluster_that_is_not_ready_has_a_status_of_its_own(status: Callable[..., Result]) -> None:
    waiting = of_team("w", unscheduled="0/3 nodes are available: 3 Insufficient nvidia.com/gpu.")
    done = status(fleet_of(of_team("s", "scheduler", ready=False), waiting, workers=1), "--json")
    report = Report.model_validate_json(done.stdout)

    assert done.exit_code == 3
    assert report.verdict is Verdict.NOT_READY
    assert report.pods[-1].means.startswith("Every GPU of its pool is in use")
    assert report.not_known == (f"clients and tasks of {NAME}: no scheduler pod is ready",)


def test_what_a_member_may_not_read_hides_nothing_else(status: Callable[..., Result]) -> None:
    answers = fleet_of(of_team("s", "scheduler"), of_team("w"), workers=1)
    answers[f"{CORE}/events"] = answers[f"{CORE}/resourcequotas"] = FORBIDDEN

    done = status(answers)

    assert done.exit_code == 0
    assert (
        "not known: events (messages of the autoscaler and of quotas): is forbidden" in done.stdout
    )
    assert "not known: quotas: is forbidden" in done.stdout


def test_without_pods_it_could_not_be_found_out(status: Callable[..., Result]) -> None:
    answers = fleet_of(workers=1)
    answers[f"{CORE}/pods"] = FORBIDDEN

    done = status(answers)

    assert done.exit_code == 1
    assert f"{NAME}: not known" in done.stdout


def test_more_objects_than_are_read_are_said(status: Callable[..., Result]) -> None:
    answers = fleet_of(of_team("s", "scheduler"), of_team("w"), workers=1)
    answers[f"{CORE}/events"] = (200, {"metadata": {"continue": "next"}, "items": []})

    assert "there are more than 1000" in status(answers).stdout


def test_somebody_who_is_no_member_is_told_so(status: Callable[..., Result]) -> None:
    asked_for_oneself = "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
    done = status(
        {
            f"{CORE}/configmaps/daskfleet": FORBIDDEN,
            asked_for_oneself: (201, {"status": {"allowed": False}}),
        }
    )

    assert done.exit_code == 1
    assert done.stdout == ""
    assert f"teams[{NAME}].members" in done.stderr


def test_json_and_watch_are_for_different_readers(status: Callable[..., Result]) -> None:
    done = status({}, "--watch", "--json")

    assert done.exit_code == 2
    assert "leave one out" in done.stderr


def test_watching_looks_again_and_ends_as_the_last_look_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = [report_of(team=TEAM), report_of(pod("s", "scheduler"), groups=(group(replicas=0),))]

    def look(_: Path, *, show: Callable[[Report], None], again_after_s: float, **__: Any) -> None:
        assert again_after_s == 5
        for report in looks:
            show(report)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(cli, "look", look)
    done = CliRunner().invoke(app, ["status", "fraud", "--watch"])

    assert done.exit_code == 0
    assert "fraud: ready" in done.stdout
