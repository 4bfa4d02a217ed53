"""Unit: `daskfleet review --rehearse`, as far as no stage is set."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
import review.cli
from catalog.changes import ChangeClass
from review.model import Preview
from review.rehearsal_run import review as rehearsed
from review.rehearsal_run.rehearse import RehearsedChange
from tests.components.fleets import fleet
from tests.review.rehearsal_run.rehearsals import rehearsed_as
from tests.review.rehearsal_run.repositories import Repository

RUN = CliRunner()
CHANGE = ("review", "--rehearse", "main~1..main")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The project, in a repository with two commits."""
    made = Repository(tmp_path / "project")
    made.commit(a_txt="1")
    made.commit(a_txt="2")
    monkeypatch.setattr(review.cli, "PROJECT_DIR", made.directory)
    return made


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ((), "--stack"),
        (("--stack", "../prod"), "--stack"),
        (("--stack", "prod", "--events", "-"), "--events"),
        (("--stack", "prod", "--stack-file", "other.yaml"), "--stack-file"),
        (("--stack", "prod", "--save-plan", "plan", "--policy-pack", "p"), "--save-plan"),
        (("--stack", "prod", "--save-events", "events.jsonl"), "--save-events"),
    ],
)
def test_what_does_not_go_together_is_a_mistake_of_usage(
    options: tuple[str, ...], named: str
) -> None:
    result = RUN.invoke(cli.app, [*CHANGE, *options])

    assert result.exit_code == 2
    assert named in result.output


def test_a_stack_that_neither_commit_has_is_named() -> None:
    result = RUN.invoke(cli.app, [*CHANGE, "--stack", "prod"])

    assert result.exit_code == 1
    assert "stacks/Pulumi.prod.yaml" in " ".join(result.output.split())


def test_a_rehearsals_shell_does_not_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULUMI_OPTION_CONFIG_FILE", "some/Pulumi.rehearsal.yaml")

    assert RUN.invoke(cli.app, [*CHANGE, "--stack", "prod"]).exit_code == 1


def test_commits_that_there_are_not_are_named() -> None:
    result = RUN.invoke(cli.app, ["review", "--rehearse", "nowhere..main", "--stack", "prod"])

    assert result.exit_code == 1
    assert "nowhere is no commit" in result.output


@pytest.mark.parametrize(
    ("outcome", "status"),
    [({}, 0), ({"error": "pods are not ready"}, 1)],
)
def test_a_change_that_cannot_be_carried_out_does_not_pass(
    outcome: dict[str, Any], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = RehearsedChange(
        preview=Preview(project="daskfleet", stack="prod"),
        plan=fleet(),
        commit="c0ffee",
        rehearsed=rehearsed_as(**outcome),
    )
    monkeypatch.setattr(rehearsed, "rehearse_change", lambda *_, **__: done)

    result = RUN.invoke(cli.app, [*CHANGE, "--stack", "prod"])

    assert result.exit_code == status
    assert outcome.get("error", "Nothing is destroyed") in " ".join(result.output.split())


def test_a_difference_needs_care(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    done = RehearsedChange(
        preview=Preview(project="daskfleet", stack="prod"),
        plan=fleet(),
        commit="c0ffee",
        rehearsed=rehearsed_as(differences=1),
    )
    monkeypatch.setattr(rehearsed, "rehearse_change", lambda *_, **__: done)

    made = rehearsed.rehearsed_review(
        "main~1..main",
        project_dir=repository.directory,
        stack="prod",
        commit="",
        allowed=frozenset[ChangeClass](),
    )

    assert made.verdict == "needs care"
    assert "stay was foretold, all went was seen" in made.because
    assert made.gate.passes
    assert (made.commit, made.rehearsed) == ("c0ffee", done.rehearsed)
