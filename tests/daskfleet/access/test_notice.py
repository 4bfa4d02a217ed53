"""Integration: what a member reads with a kubeconfig, and what is said where that is not enough."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from daskfleet.access.errors import AccessError
from daskfleet.access.fleet import Fleet, fleet_of_team
from tests.components.fleets import fleet
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.posted_notice import posted_notice

POSTED = "GET /api/v1/namespaces/alpha/configmaps/daskfleet"
NAMESPACE = "GET /api/v1/namespaces/alpha"
REVIEW = "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
FORBIDDEN = (403, {"message": "forbidden"})


def posted(**changes: Any) -> tuple[int, dict[str, Any]]:
    plan = fleet()
    told = json.loads(posted_notice(plan))
    return 200, {"data": {"notice.json": json.dumps({**told, **changes})}}


def may(*, allowed: bool) -> tuple[int, dict[str, Any]]:
    return 201, {"status": {"allowed": allowed}}


def asked(answers: Answers, directory: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    monkeypatch.setenv("KUBECONFIG", str(directory / "kubeconfig"))
    monkeypatch.setenv("PATH", "/nowhere")  # no pulumi
    with played_api(answers, directory):
        return fleet_of_team("alpha")


def test_a_member_is_told_what_the_outputs_tell_of_the_team_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = asked({POSTED: posted()}, tmp_path, monkeypatch)

    assert read.stack == "prod"
    assert read.declared.teams.keys() == {"alpha"}
    assert read.declared.teams["alpha"].address == "tcp://dask.alpha.svc.cluster.local:8786"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "alpha/configmaps/other?",
        "alpha#",
        "Alpha",
        "alpha\x1b[2J",
        "\u202eahpla",
        "a" * 64,
    ],
)
def test_what_no_team_can_be_called_is_asked_of_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with (
        played_api({}, tmp_path),
        pytest.raises(AccessError, match=r"^A team cannot be called '") as refused,
    ):
        fleet_of_team(name)
    assert str(refused.value).isprintable()


def test_a_later_release_of_the_same_format_may_say_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked({POSTED: posted(weather="fine")}, tmp_path, monkeypatch).stack == "prod"


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({POSTED: FORBIDDEN, REVIEW: may(allowed=False)}, "context gke_prod has no team alpha, or"),
        ({POSTED: FORBIDDEN, REVIEW: may(allowed=False)}, "add you to teams[alpha].members"),
        (
            {POSTED: FORBIDDEN, REVIEW: may(allowed=True)},
            "though you are a member: the fleet is of",
        ),
        ({}, "context gke_prod has no namespace alpha. Check the team's name"),
        ({NAMESPACE: (200, {})}, "Namespace alpha has no ConfigMap daskfleet: the team is retired"),
        ({NAMESPACE: FORBIDDEN}, "or the fleet is of an older release. Ask your platform engineer"),
        ({POSTED: posted(format=2, release="9.1")}, "has format 2, of daskfleet 9.1, and this"),
        ({POSTED: posted(pools=None)}, "ConfigMap daskfleet in namespace alpha lacks what is need"),
        (
            {POSTED: (200, {"data": {"notice.json": "[]"}})},
            "somebody has changed it. Ask your platf",
        ),
        (
            {POSTED: (200, {})},
            "somebody has changed it. Ask your platform engineers to run `pulumi up --refresh`",
        ),
        ({POSTED: (500, {"message": "etcd"})}, "cannot be read: "),
    ],
)
def test_what_stands_in_the_way_is_one_sentence_with_the_next_step(
    answers: Answers, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(AccessError, match=re.escape(words)):
        asked(answers, tmp_path, monkeypatch)
