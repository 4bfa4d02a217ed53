"""The command: exit statuses, what is printed where, and JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import daskfleet.platform.doctor.cli
from daskfleet.platform.doctor.model import Area, Finding, Outcome, Report, in_order, not_looked_at
from daskfleet.platform.doctor.stack_settings import read_settings
from tests.project import PROJECT_DIR

WELL = Finding(area=Area.TOOLS, subject="pulumi", outcome=Outcome.OK, there="v3.256.0")
WRONG = Finding(
    area=Area.APIS,
    subject="iam.googleapis.com",
    outcome=Outcome.WRONG,
    needed="enabled",
    there="not enabled",
    fix="Enable it.",
    command="gcloud services enable iam.googleapis.com --project p",
)
WARNING = WRONG.model_copy(update={"outcome": Outcome.WARNING, "subject": "compute"})
UNKNOWN = not_looked_at(Area.QUOTA, "quotas in us-central1", "answered 500: Backend Error")


def run(
    monkeypatch: pytest.MonkeyPatch, *findings: Finding, options: tuple[str, ...] = ()
) -> tuple[int, str, str]:
    """Run the command on an examination that found these: status, stdout, stderr."""

    async def examine(*_: object, progress: Any, **__: object) -> Report:
        progress("1 of 1 looked at: tools, pulumi")
        return Report(stack="prod", findings=in_order(list(findings)), notes=("A note.",))

    monkeypatch.setattr(daskfleet.platform.doctor.cli, "examine", examine)
    app = typer.Typer()
    app.command()(daskfleet.platform.doctor.cli.command)
    result = CliRunner().invoke(app, ["--stack", "prod", *options])
    return result.exit_code, result.stdout, result.stderr


def test_all_well_exits_with_0(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, _ = run(monkeypatch, WELL)
    assert status == 0
    assert "ok             tools: pulumi: v3.256.0\n" in said
    assert said.endswith("  prod: 1 ok.\n")


def test_what_is_no_more_than_a_warning_or_unknown_exits_with_0(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, said, _ = run(monkeypatch, WELL, WARNING, UNKNOWN)
    assert status == 0
    assert "not looked at  quota: quotas in us-central1: answered 500: Backend Error\n" in said
    assert "prod: 1 warning, 1 not looked at, 1 ok." in said


def test_something_wrong_exits_with_3_and_comes_first_with_its_command_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, said, _ = run(monkeypatch, WELL, UNKNOWN, WRONG)
    assert status == 3
    assert said.index("iam.googleapis.com") < said.index("quotas in") < said.index("pulumi")
    assert "  $ gcloud services enable iam.googleapis.com --project p\n" in said


@pytest.mark.parametrize("finding", [WELL, WRONG, UNKNOWN], ids=lambda each: each.outcome)
def test_what_google_or_a_cluster_says_steers_no_terminal(
    monkeypatch: pytest.MonkeyPatch, finding: Finding
) -> None:
    hostile = {"subject": "a\x1b[2Jb", "there": "first\x1b]0;c\x07\nsecond"}
    _, said, _ = run(monkeypatch, finding.model_copy(update=hostile))
    assert said.replace("\n", "").isprintable()
    assert r"a\x1b[2Jb" in said
    assert r"first\x1b]0;c\x07" in said


def test_json_has_everything_and_progress_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, progress = run(monkeypatch, WRONG, options=("--json",))
    assert status == 3
    document = json.loads(said)
    assert document["stack"] == "prod"
    assert document["findings"] == [
        {
            "area": "APIs",
            "subject": "iam.googleapis.com",
            "outcome": "wrong",
            "needed": "enabled",
            "there": "not enabled",
            "fix": "Enable it.",
            "command": "gcloud services enable iam.googleapis.com --project p",
        }
    ]
    assert "1 of 1 looked at: tools, pulumi" in progress


def test_a_stack_without_a_file_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, error = run(monkeypatch, options=("--stack", "nobodys"))
    assert (status, said) == (1, "")
    assert "There is no stacks/Pulumi.nobodys.yaml" in error


def test_the_file_that_the_engine_is_told_to_read_is_the_one_that_counts(tmp_path: Path) -> None:
    file = tmp_path / "Pulumi.copy.yaml"
    file.write_text("config: {daskfleet:project: 7}\n", encoding="utf-8")
    stacks = PROJECT_DIR / "stacks"
    settings = read_settings(stacks, "prod", {"PULUMI_OPTION_CONFIG_FILE": str(file)})
    assert settings.plan is None
    assert settings.finding.subject == "Pulumi.copy.yaml"
