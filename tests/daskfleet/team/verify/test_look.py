"""Unit: what one team lacks is that team's result, and not everybody's."""

import asyncio
import base64
from pathlib import Path

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.own_kubeconfig import own_kubeconfig
from daskfleet.team.verify.look import look_at_teams, reports
from daskfleet.team.verify.model import Outcome, TeamReport, passed
from daskfleet.team.verify.question import Question
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.team.verify.samples import fleet

READ = TeamReport(team="sales", checks=(passed("pods", expected="all", seen="all"),))
CERTIFICATE = "dask-tls-client-1-365d"
PART = base64.b64encode(b"x").decode()


def answers(*with_secret: str) -> Answers:
    """Two namespaces without a pod, some of which have the client's certificate."""
    pods: Answers = {f"GET /api/v1/namespaces/{team}/pods": (200, {"items": []}) for team in TEAMS}
    data = dict.fromkeys(("ca.crt", "tls.crt", "tls.key"), PART)
    secrets: Answers = {
        f"GET /api/v1/namespaces/{team}/secrets/{CERTIFICATE}": (200, {"data": data})
        for team in with_secret
    }
    return {**pods, **secrets, "GET /api/v1/nodes": (200, {"items": []})}


TEAMS = ("fraud", "sales")


def outcomes(served: Answers, directory: Path) -> dict[str, dict[str, Outcome]]:
    """What is said of both teams."""
    declared = fleet()
    one = declared.teams["fraud"]
    teams = {name: one.model_copy(update={"namespace": name}) for name in TEAMS}
    question = Question(stack="prod", team=None, python=None, modules=(), address=None)
    with played_api(served, directory):
        kubeconfig = own_kubeconfig({"KUBECONFIG": str(directory / "kubeconfig")})
        done = asyncio.run(look_at_teams(kubeconfig, declared, teams, question, lambda _: None))
    return {each.team: {check.name: check.outcome for check in each.checks} for each in done}


def test_a_secret_that_is_missing_fails_its_teams_tls_and_nothing_of_others(tmp_path: Path) -> None:
    found = outcomes(answers("sales"), tmp_path)

    assert found["fraud"]["TLS"] is Outcome.FAILED
    assert found["sales"]["TLS"] is Outcome.NOT_MEASURED
    assert found["fraud"].keys() == found["sales"].keys()


def test_a_team_of_which_the_api_tells_nothing_is_a_failure_beside_the_others(
    tmp_path: Path,
) -> None:
    broken = {"GET /api/v1/namespaces/fraud/pods": (500, {"message": "etcd is away"})}
    found = outcomes({**answers("sales"), **broken}, tmp_path)

    assert found["fraud"] == {"access": Outcome.FAILED}
    assert "pods ready" in found["sales"]


def test_where_no_team_can_be_read_nothing_is_said_of_any() -> None:
    error = AccessError("the API is away")
    with pytest.raises(AccessError, match="the API is away"):
        reports({"fraud": error, "sales": AccessError("too")})
    assert [each.team for each in reports({"fraud": error, "sales": READ})] == ["fraud", "sales"]
