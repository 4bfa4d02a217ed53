"""Unit: `daskfleet review --rehearse`, as far as no stage is set."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import daskfleet.cli
import daskfleet.platform.review.cli
from daskfleet.catalog.changes import ChangeClass
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.policy_packs import PolicyPack, own_pack
from daskfleet.platform.review.rehearsal_run import review as rehearsed
from daskfleet.platform.review.rehearsal_run.rehearse import RehearsedChange
from policies import location
from tests.components.fleets import fleet
from tests.daskfleet.platform.review.rehearsal_run.rehearsals import rehearsed_as
from tests.daskfleet.platform.review.rehearsal_run.repositories import Repository

RUN = CliRunner()
CHANGE = ("review", "--rehearse", "main~1..main")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The project, in a repository with two commits."""
    made = Repository(tmp_path / "project")
    made.commit(a_txt="1")
    made.commit(a_txt="2")
    monkeypatch.setattr(daskfleet.platform.review.cli, "PROJECT_DIR", made.directory)
    return made


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The policies' environment, whether it was made here or not."""
    monkeypatch.setattr(location, "PYTHON", Path(sys.executable))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[PolicyPack]]:
    """The policies that each rehearsal was to run; all goes well in it."""
    seen: list[Sequence[PolicyPack]] = []

    def rehearse(*_: object, packs: Sequence[PolicyPack], **__: object) -> RehearsedChange:
        seen.append(packs)
        return RehearsedChange(
            preview=Preview(project="daskfleet", stack="prod"),
            plan=fleet(),
            commit="c0ffee",
            rehearsed=rehearsed_as(),
        )

    monkeypatch.setattr(rehearsed, "rehearse_change", rehearse)
    return seen


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ((), "--stack"),
        (("--stack", "../prod"), "--stack"),
        (("--stack", "prod", "--events", "-"), "--events"),
        (("--stack", "prod", "--stack-file", "other.yaml"), "--stack-file"),
        (("--stack", "prod", "--save-plan", "plan"), "--save-plan"),
        (("--stack", "prod", "--save-events", "events.jsonl"), "--save-events"),
    ],
)
def test_what_does_not_go_together_is_a_mistake_of_usage(
    options: tuple[str, ...], named: str
) -> None:
    result = RUN.invoke(daskfleet.cli.app, [*CHANGE, *options])

    assert result.exit_code == 2
    assert named in result.output


def test_the_projects_policies_look_at_a_rehearsed_change_and_others_beside_them(
    asked: list[Sequence[PolicyPack]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = PolicyPack(path=tmp_path / "other")
    for options in ((), ("--policy-pack", "other"), ("--no-policies",)):
        assert RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod", *options]).exit_code == 0

    assert asked == [(own_pack("prod"),), (own_pack("prod"), other), ()]


def test_without_the_policies_environment_nothing_is_rehearsed_and_the_next_step_is_named(
    asked: list[Sequence[PolicyPack]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "PYTHON", tmp_path / "python")
    result = RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod"])

    assert (result.exit_code, result.stdout, asked) == (1, "", [])
    (line,) = result.stderr.strip().splitlines()
    assert "`make policies`" in line
    assert (
        RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod", "--no-policies"]).exit_code == 0
    )


def test_a_stack_that_neither_commit_has_is_named() -> None:
    result = RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod"])

    assert result.exit_code == 1
    assert "stacks/Pulumi.prod.yaml" in " ".join(result.output.split())


def test_a_rehearsals_shell_does_not_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULUMI_OPTION_CONFIG_FILE", "some/Pulumi.rehearsal.yaml")

    assert RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod"]).exit_code == 1


def test_commits_that_there_are_not_are_named() -> None:
    result = RUN.invoke(
        daskfleet.cli.app, ["review", "--rehearse", "nowhere..main", "--stack", "prod"]
    )

    assert result.exit_code == 1
    assert "nowhere is not a commit" in result.output


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

    result = RUN.invoke(daskfleet.cli.app, [*CHANGE, "--stack", "prod"])

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
    assert "stay was predicted, all went was seen" in made.because
    assert made.gate.passes
    assert (made.commit, made.rehearsed) == ("c0ffee", done.rehearsed)
