"""Unit: exit statuses, and what goes to which stream."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import daskfleet.cli
from daskfleet.team.verify import cli as verify_cli
from daskfleet.team.verify.errors import VerifyError
from daskfleet.team.verify.model import Report, TeamReport, failed, not_measured, passed
from daskfleet.team.verify.question import Question
from tests.daskfleet.access.played_api import played_api

OK = passed("workers", expected="2 workers", seen="2 connected")
UNMEASURED = not_measured("GPUs", expected="an A100", seen="no GPU")
FAILED = failed("versions", expected="the same", seen="python: 3.12 and 3.13", next_step="mend it")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("COLUMNS", "160")
    return CliRunner()


def answering(monkeypatch: pytest.MonkeyPatch, answer: Report | BaseException) -> list[Question]:
    asked: list[Question] = []

    def look(_: Path, question: Question, **__: object) -> Report:
        asked.append(question)
        if isinstance(answer, Report):
            return answer
        raise answer

    monkeypatch.setattr(verify_cli, "look", look)
    return asked


def test_not_measured_is_no_failure_and_is_not_said_to_be_ok(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(
        monkeypatch, Report(stack="s", teams=(TeamReport(team="t", checks=(OK, UNMEASURED)),))
    )
    done = run.invoke(daskfleet.cli.app, ["verify"])

    assert done.exit_code == 0
    assert "not measured: no GPU" in done.stdout
    assert "s: 1 ok, 1 not measured." in done.stdout


def test_a_failed_check_is_exit_status_3_and_json_has_all_of_it(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report(stack="s", teams=(TeamReport(team="t", checks=(OK, FAILED)),))
    asked = answering(monkeypatch, report)
    done = run.invoke(
        daskfleet.cli.app,
        ["verify", "t", "--stack", "s", "--module", "a", "--module", "b", "--json"],
    )

    assert done.exit_code == 3
    (team,) = json.loads(done.stdout)["teams"]
    assert team["checks"][1] == {
        "name": "versions",
        "outcome": "failed",
        "expected": "the same",
        "seen": "python: 3.12 and 3.13",
        "next_step": "mend it",
    }
    (question,) = asked
    assert (question.stack, question.team, question.modules) == ("s", "t", ("a", "b"))


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [(VerifyError("no such stack"), 1, "no such stack"), (KeyboardInterrupt(), 130, "Interrupted")],
)
def test_what_ends_it_early_is_said_on_standard_error(
    run: CliRunner,
    monkeypatch: pytest.MonkeyPatch,
    answer: BaseException,
    status: int,
    said: str,
) -> None:
    answering(monkeypatch, answer)
    done = run.invoke(daskfleet.cli.app, ["verify", "--json"])

    assert done.exit_code == status
    assert said in done.stderr
    assert done.stdout == ""


def test_without_a_team_and_a_stack_nobody_is_asked(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    done = run.invoke(daskfleet.cli.app, ["verify"])

    assert done.exit_code == 1
    assert "Name your team, or with `--stack` the stack" in done.stderr


def test_a_member_is_checked_by_the_notice_of_the_own_team(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PULUMI_STACK", raising=False)
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with played_api({}, tmp_path):
        done = run.invoke(daskfleet.cli.app, ["verify", "sales"])

    assert done.exit_code == 1
    assert "has no namespace sales" in done.stderr
