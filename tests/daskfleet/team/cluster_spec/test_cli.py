"""Unit: the command prints a spec, or why there is none."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from daskfleet.cli import app
from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.stack_file import read_stack_file
from daskfleet.team.cluster_spec import cli
from manifests.ephemeral_spec import default_name, make_cluster_spec
from tests.daskfleet.access.played_api import Answers, played_api
from tests.daskfleet.posted_notice import posted_notice


def asked(*arguments: str) -> tuple[int, str, str]:
    return invoked(*arguments, "--stack", "showcase")


def invoked(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["cluster-spec", *arguments])
    return result.exit_code, result.stdout, result.stderr


def posted() -> Answers:
    """What the showcase's program writes into the namespaces, for those who read it there."""
    plan = plan_draft(read_stack_file(Path("stacks") / "Pulumi.showcase.yaml"))
    answers: dict[str, tuple[int, dict[str, Any]]] = {}
    for team in plan.teams:
        config_maps = f"GET /api/v1/namespaces/{team.team.name}/configmaps"
        told = posted_notice(plan, team, stack="showcase")
        spec = yaml.safe_dump(make_cluster_spec(team, name=default_name(team)))
        answers[f"{config_maps}/daskfleet"] = (200, {"data": {"notice.json": told}})
        answers[f"{config_maps}/dask-cluster-spec"] = (200, {"data": {"cluster.yaml": spec}})
    return answers


@pytest.fixture
def member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody with a kubeconfig, in a directory without any stack file."""
    answers = posted()
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.setattr(cli, "STACKS_DIR", tmp_path)
    with played_api(answers, tmp_path):
        yield


@pytest.mark.parametrize(
    "arguments",
    [
        ("biology",),
        ("biology", "--name", "biology-grace", "--workers", "0", "--idle-timeout-s", "600"),
        ("atmosphere", "--name", "atmosphere-alice"),
        ("biology", "--name", "biology"),
        ("biology", "--workers", "2"),
        ("chemistry",),
    ],
)
@pytest.mark.usefixtures("member")
def test_a_member_gets_what_a_platform_engineer_gets(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, printed, said = invoked(*arguments)
    monkeypatch.undo()

    expected_status, expected, expected_words = asked(*arguments)
    assert (status, said) == (expected_status, expected_words)
    assert yaml.safe_load(printed) == yaml.safe_load(expected)


def test_what_it_prints_is_a_cluster_for_kubecluster() -> None:
    status, printed, _ = asked("biology", "--name", "biology-grace", "--workers", "1")
    spec = yaml.safe_load(printed)

    assert status == 0
    assert spec["metadata"]["name"] == "biology-grace"
    assert spec["spec"]["worker"]["replicas"] == 1
    assert spec["spec"]["idleTimeout"] == 3600


def test_where_the_team_has_tls_it_says_that_kubecluster_has_not() -> None:
    status, printed, said = asked("atmosphere")

    assert status == 0
    assert "tls" in printed
    assert "KubeCluster connects by tcp:// alone" in said
    assert asked("biology")[2] == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("zoology",), "no Dask cluster for team zoology; it has: "),
        (("biology", "--name", "biology"), "the fixed cluster's name"),
        (("biology", "--workers", "2"), "ephemeral.max_workers is 1"),
    ],
)
def test_what_would_be_refused_is_said_at_once(arguments: tuple[str, ...], words: str) -> None:
    status, printed, said = asked(*arguments)

    assert (status, printed) == (1, "")
    assert words in said
