"""Unit: the command prints a spec, or why there is none."""

import pytest
import yaml
from typer.testing import CliRunner

from daskfleet.cli import app


def asked(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["cluster-spec", *arguments, "--stack", "showcase"])
    return result.exit_code, result.stdout, result.stderr


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
        (("zoology",), "no Dask cluster of a team zoology; it has: "),
        (("biology", "--name", "biology"), "the fixed cluster's name"),
        (("biology", "--workers", "2"), "ephemeral.max_workers is 1"),
    ],
)
def test_what_would_be_refused_is_said_at_once(arguments: tuple[str, ...], words: str) -> None:
    status, printed, said = asked(*arguments)

    assert (status, printed) == (1, "")
    assert words in said
