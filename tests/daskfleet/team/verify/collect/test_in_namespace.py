"""Unit: who asks where, and what the API server refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from daskfleet.access.fleet import Fleet
from daskfleet.contract.notice import CONFIG_MAP, FORMAT, KEY, Notice
from daskfleet.team.verify import look as look_module
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.look import look
from daskfleet.team.verify.model import Outcome
from daskfleet.team.verify.question import Question
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.team.verify.samples import fleet

PODS = {
    "items": [
        {
            "metadata": {
                "name": "fraud-scheduler-0",
                "labels": {"dask.org/cluster-name": "fraud", "dask.org/component": "scheduler"},
            },
            "spec": {"nodeName": "n", "containers": [{"image": "i"}]},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
        }
    ]
}
SERVICE = {"spec": {"selector": {"dask.org/cluster-name": "fraud"}}}
IN_FRAUD = "/api/v1/namespaces/fraud"
JOBS = "POST /apis/batch/v1/namespaces/fraud/jobs"
REFUSED = {"message": 'jobs.batch is forbidden: User "v" cannot create resource "jobs"'}


TERMINATING = {
    "message": 'jobs.batch "v" is forbidden: unable to create new content in namespace fraud '
    "because it is being terminated"
}


def answers(*, nodes: int, job: int, said: dict[str, str] = REFUSED) -> Answers:
    """What the API server says to somebody who may read the team's pods."""
    declared = fleet(tls_client_secret=None)
    told = Notice(
        format=FORMAT,
        stack="prod",
        release="1",
        teams=declared.teams,
        pools=declared.pools,
    )
    return {
        f"GET {IN_FRAUD}/configmaps/{CONFIG_MAP}": (200, {"data": {KEY: told.model_dump_json()}}),
        f"GET {IN_FRAUD}/pods": (200, PODS),
        f"GET {IN_FRAUD}/services/dask": (200, SERVICE),
        "GET /api/v1/nodes": (nodes, {"items": [], "message": "no"}),
        JOBS: (job, said),
    }


def asked(
    directory: Path, monkeypatch: pytest.MonkeyPatch, question: Question, *, nodes: int
) -> str:
    monkeypatch.setenv("KUBECONFIG", str(directory / "kubeconfig"))
    with (
        played_api(answers(nodes=nodes, job=403), directory),
        pytest.raises(VerifyError) as refused,
    ):
        look(directory, question, progress=lambda _: None)
    return str(refused.value)


def test_who_may_read_nodes_and_make_no_jobs_decodes_nothing_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = asked(tmp_path, monkeypatch, Question(stack=None, team="fraud"), nodes=200)

    assert said.startswith("No Job can be made in namespace fraud: jobs.batch is forbidden")
    assert "a member of the team leaves `--stack` out" in said


def test_a_job_that_a_policy_refuses_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with played_api(answers(nodes=200, job=422), tmp_path):
        report = look(tmp_path, Question(stack=None, team="fraud"), progress=lambda _: None)
    checks = {check.name: check for check in report.teams[0].checks}

    assert checks["connection"].outcome is Outcome.NOT_MEASURED
    assert checks["connection"].seen.startswith("the Job that asks was refused: jobs.batch is")


def test_many_teams_that_refuse_at_once_are_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (team,) = (declared := fleet(tls_client_secret=None)).teams.values()
    names = [f"team-{number}" for number in range(8)]
    teams = {name: team.model_copy(update={"namespace": name}) for name in names}
    answered: dict[str, tuple[int, dict[str, Any] | str]] = {
        "GET /api/v1/nodes": (200, {"items": []})
    }
    for name in names:
        there = f"/api/v1/namespaces/{name}"
        answered |= {
            f"GET {there}/pods": (200, PODS),
            f"GET {there}/services/dask": (200, SERVICE),
            f"POST /apis/batch/v1/namespaces/{name}/jobs": (403, REFUSED),
        }
    with played_api(answered, tmp_path):
        kubeconfig = json.loads((tmp_path / "kubeconfig").read_text())
        known = Fleet(
            stack="prod",
            declared=declared.model_copy(update={"teams": teams}),
            kubeconfig=kubeconfig,
        )
        monkeypatch.setattr(look_module, "fleet_of_stack", lambda *_: known)
        with pytest.raises(VerifyError, match="No Job can be made in namespace team-"):
            look(tmp_path, Question(stack="prod", team=None), progress=lambda _: None)


def test_a_namespace_that_goes_keeps_no_other_team_from_being_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with played_api(answers(nodes=200, job=403, said=TERMINATING), tmp_path):
        report = look(tmp_path, Question(stack=None, team="fraud"), progress=lambda _: None)
    checks = {check.name: check for check in report.teams[0].checks}

    assert checks["connection"].outcome is Outcome.NOT_MEASURED
    assert "it is being terminated" in checks["connection"].seen


def test_who_may_read_nodes_names_no_python_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(stack=None, team="fraud", python=tmp_path / "python")

    assert "You may read nodes" in asked(tmp_path, monkeypatch, question, nodes=200)


def test_a_member_is_asked_from_here_with_the_python_that_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Question(stack=None, team="fraud", python=tmp_path / "python")

    assert "python cannot be run" in asked(tmp_path, monkeypatch, question, nodes=403)


def test_a_stack_and_a_python_of_this_machine_are_not_asked_together(tmp_path: Path) -> None:
    question = Question(stack="prod", team=None, python=tmp_path / "python")
    with pytest.raises(VerifyError, match="leave `--python` out"):
        look(tmp_path, question, progress=lambda _: None)
