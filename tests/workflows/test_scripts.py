"""The scripts of the workflows, with commands that note how they were called."""

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.command_lines import of_shell, refusal
from tests.project import PROJECT_DIR
from tests.workflows.files import ACTIONS, jobs

GITLAB = PROJECT_DIR / "template/gitlab-ci.yml"
TEMPLATE_UP = PROJECT_DIR / "template/.github/workflows/up.yml"
SCRIPTS = sorted(path for path in (PROJECT_DIR / ".ci").iterdir() if path.name != "run")
NOTES = """#!/bin/sh
printf '%s\\n' "$@" > "{folder}/called"
echo "${{REPORT-}}"
exit {status}
"""


def stand_in(folder: Path, name: str, status: int = 0) -> None:
    """Put a command there that notes its arguments."""
    command = folder / name
    command.parent.mkdir(parents=True, exist_ok=True)
    command.write_text(NOTES.format(folder=folder, status=status))
    command.chmod(0o755)


def run(folder: Path, script: str, *arguments: str) -> int:
    """Run a script in the folder, with the folder first on PATH."""
    path = f"{folder}:{os.environ['PATH']}"
    outputs = folder / "outputs"
    done = subprocess.run(
        [str(PROJECT_DIR / ".ci" / script), *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, "GITHUB_OUTPUT": str(outputs), "REPORT": "{}"},
        check=False,
        capture_output=True,
    )
    return done.returncode


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a stack file."""
    (tmp_path / "stacks").mkdir()
    for stack in ("prod", "dev", "rehearsal"):
        (tmp_path / f"stacks/Pulumi.{stack}.yaml").write_text(f"config: {{stack: {stack}}}\n")
    (tmp_path / "Pulumi.yaml").write_text("name: daskfleet\nstackConfigDir: stacks\n")
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.com")
    for command in (["init", "-q"], ["add", "stacks"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    return tmp_path


def test_preview_leaves_events_stack_file_plan_and_the_tree_that_they_are_of(
    checkout: Path,
) -> None:
    stand_in(checkout, ".venv/bin/daskfleet")
    assert run(checkout, "preview", "prod", "found") == 0
    called = (checkout / "called").read_text().split()
    assert called[:3] == ["review", "--stack", "prod"]
    assert called[called.index("--save-events") + 1] == "found/review/events.jsonl"
    assert called[called.index("--save-plan") + 1] == "found/plan/plan.json"
    assert "stack: prod" in (checkout / "found/review/stack.yaml").read_text()
    git = ("git", "rev-parse", "HEAD^{tree}")
    tree = subprocess.check_output(git, cwd=checkout, text=True)
    assert (checkout / "outputs").read_text() == f"tree={tree}"


def test_a_script_takes_the_command_of_the_daskfleet_that_it_is_told(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(checkout, "brought/.venv/bin/daskfleet")
    monkeypatch.setenv("DASKFLEET", str(checkout / "brought"))
    assert run(checkout, "preview", "prod", "found") == 0
    assert run(checkout, "drift", "prod", "found") == 0


@pytest.mark.parametrize(("status", "ends"), [(3, 0), (1, 1), (2, 2), (130, 130)])
def test_a_preview_whose_gate_stops_is_a_result_and_one_that_fails_fails_its_job(
    checkout: Path, status: int, ends: int
) -> None:
    stand_in(checkout, ".venv/bin/daskfleet", status)
    assert run(checkout, "preview", "prod", "found") == ends
    assert (checkout / "found/review/stack.yaml").exists()
    assert "tree=" in (checkout / "outputs").read_text()


def test_a_gitlab_job_logs_in_by_its_own_token_and_leaves_it_to_nobody_else(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(checkout, "gcloud")
    monkeypatch.setenv("GOOGLE_TOKEN", "TOKEN")
    monkeypatch.setenv("GCP_IDENTITY_PROVIDER", "projects/1/providers/gitlab")
    assert run(checkout, "gitlab-login", "reader@example.test", "login") == 0
    called = (checkout / "called").read_text().splitlines()
    assert called[:2] == ["iam", "workload-identity-pools"]
    assert {"projects/1/providers/gitlab", "--service-account=reader@example.test"} <= set(called)
    token = checkout / "login/token"
    assert token.read_text() == "TOKEN"
    assert token.stat().st_mode & 0o077 == 0
    assert "TOKEN" not in called


@pytest.mark.parametrize("status", [0, 3, 1])
def test_a_plan_is_applied_only_where_the_state_is_still_that_of_the_plan(
    checkout: Path, status: int
) -> None:
    stand_in(checkout, ".venv/bin/daskfleet", status)
    engine = checkout / "pulumi"
    engine.write_text(f"#!/bin/sh\nprintf '%s ' \"$@\" > {checkout}/applied\n")
    engine.chmod(0o755)
    assert run(checkout, "up", "prod", "found/plan.json") == status
    asked = (checkout / "called").read_text().split()
    assert asked == ["review", "plan-fits", "found/plan.json", "--stack", "prod"]
    applied = checkout / "applied"
    assert applied.exists() is (status == 0)
    if status == 0:
        assert applied.read_text().startswith("up --stack prod --plan found/plan.json --yes ")


def test_no_pipeline_applies_a_plan_without_that() -> None:
    texts = [path.read_text() for path in (GITLAB, TEMPLATE_UP, *ACTIONS)]
    texts += [each.text for each in jobs()]
    assert [text for text in texts if "pulumi up --" in text] == []
    assert sum(".ci/up" in text for text in texts) == 3


@pytest.mark.parametrize(("status", "ends"), [(0, 0), (3, 0), (1, 1), (130, 130)])
def test_a_rehearsal_whose_gate_stops_is_a_result_and_one_that_broke_is_none(
    checkout: Path, status: int, ends: int
) -> None:
    stand_in(checkout, ".venv/bin/daskfleet", status)
    assert run(checkout, "rehearse", "prod", "abc123", "found") == ends
    called = (checkout / "called").read_text().split()
    assert called[:3] == ["review", "--rehearse", "abc123..HEAD"]
    assert json.loads((checkout / "found/rehearsed.json").read_text()) == {}


@pytest.mark.parametrize(("status", "ends"), [(0, 0), (3, 0), (1, 1), (2, 2)])
def test_drift_is_a_result_and_not_knowing_is_none(checkout: Path, status: int, ends: int) -> None:
    stand_in(checkout, ".venv/bin/daskfleet", status)
    assert run(checkout, "drift", "prod", "found") == ends
    assert json.loads((checkout / "found/drift.json").read_text()) == {}


def test_the_stacks_of_a_tree_are_its_environments(checkout: Path) -> None:
    done = subprocess.run(
        [str(PROJECT_DIR / ".ci/stacks")], cwd=checkout, check=True, capture_output=True, text=True
    )
    assert json.loads(done.stdout) == ["dev", "prod"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_each_script_is_used_by_a_workflow(script: Path) -> None:
    texts = [path.read_text() for path in (PROJECT_DIR / ".ci/run", GITLAB, *ACTIONS)]
    assert any(f".ci/{script.name}" in each for each in [*texts, *(j.text for j in jobs())])


def test_what_reviews_has_made_the_policies_environment_before() -> None:
    reviewing = 0
    for each in jobs():
        runs = [step.get("run", "") for step in each.steps]
        for number, run_ in enumerate(runs):
            if run_.startswith((".ci/preview", ".ci/rehearse")):
                reviewing += 1
                assert "make policies" in runs[:number], f"{each.workflow}/{each.name}"
    assert reviewing >= 2


def test_workflows_and_scripts_call_verbs_and_options_that_exist() -> None:
    lines = [step["run"] for each in jobs() for step in each.steps if "run" in step]
    lines += [
        script
        for job in yaml.safe_load(GITLAB.read_text()).values()
        for script in job.get("script", ())
    ]
    lines += [path.read_text() for path in SCRIPTS]
    calls = [call for text in lines for call in of_shell(text)]
    assert len(calls) >= 8
    assert {call: why for call in calls if (why := refusal(call))} == {}
