"""The verbs as the workflows call them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import daskfleet.cli
from daskfleet.platform.drift.model import Report
from tests.daskfleet.platform.review.github.engine import pool_replaced, write_found
from tests.daskfleet.platform.review.github.server import TOKEN, GitHub
from tests.daskfleet.platform.review.github.state import HEAD, Fault, Json
from tests.daskfleet.platform.review.github.test_drift_issue import CHANGED


@pytest.fixture(autouse=True)
def job_environment(github: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job has."""
    for name, value in github.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "200")


def call(*arguments: object) -> tuple[int, str]:
    """Run daskfleet; the token must be in nothing that it says."""
    result = CliRunner().invoke(daskfleet.cli.app, [str(argument) for argument in arguments])
    assert TOKEN not in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def uploaded(github: GitHub, folder: Path, *events: Json) -> Json:
    """End a preview of pull request 7 whose artifacts are these events."""
    github.state.add_pull(7)
    found = write_found(folder / "made", *events)
    run = github.state.add_run()
    files = {path.name: path.read_bytes() for path in found.iterdir()}
    github.state.add_artifact(run, "review-prod", files)
    return run


def test_publish_run_posts_what_the_run_found(github: GitHub, tmp_path: Path) -> None:
    run = uploaded(github, tmp_path, pool_replaced())
    on = ("--repository", "acme/fleet", "--stack", "prod")
    status, said = call("review", "publish-run", *on, "--run", run["id"])
    assert (status, "Comment created: https://github.com/acme" in said) == (0, True)
    (posted,) = github.state.statuses
    assert (posted["sha"], posted["state"]) == (HEAD, "failure")
    assert posted["target_url"] == run["html_url"]


def test_publish_run_of_a_label_takes_the_newest_preview_that_found_something(
    github: GitHub, tmp_path: Path
) -> None:
    uploaded(github, tmp_path)
    github.state.add_run()
    on = ("--repository", "acme/fleet", "--stack", "prod")
    assert call("review", "publish-run", *on, "--run", 0, "--pull-request", 7)[0] == 0
    assert github.state.statuses[0]["state"] == "success"


def test_publish_run_of_a_label_without_a_preview_posts_nothing(github: GitHub) -> None:
    github.state.add_pull(7)
    on = ("--repository", "acme/fleet", "--stack", "prod")
    status, said = call("review", "publish-run", *on, "--pull-request", 7)
    assert (status, "Nothing to publish" in said) == (0, True)
    assert github.state.statuses == []


def test_publish_run_wants_one_of_its_two_options() -> None:
    on = ("--repository", "acme/fleet", "--stack", "prod")
    assert call("review", "publish-run", *on)[0] == 2
    assert call("review", "publish-run", *on, "--run", 1, "--pull-request", 7)[0] == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [({"state": "closed"}, "#7 is closed"), ({"head": None}, "#7 has moved on to bbbbbbbb")],
)
def test_publish_leaves_alone_what_has_gone_on(
    github: GitHub, tmp_path: Path, change: Json, says: str
) -> None:
    pull = github.state.add_pull(7)
    pull.update(change if change.get("state") else {"head": pull["head"] | {"sha": "b" * 40}})
    status, said = publish_files(tmp_path)
    assert (status, says in said) == (0, True)
    assert github.state.comments == []
    assert github.state.statuses == []


def test_publish_posts_files_of_this_machine(github: GitHub, tmp_path: Path) -> None:
    github.state.add_pull(7)
    assert publish_files(tmp_path)[0] == 0
    assert github.state.statuses[0]["target_url"] == "https://example.com/artifact"


def test_what_github_refuses_is_one_line_and_exit_status_1(github: GitHub, tmp_path: Path) -> None:
    github.state.add_pull(7)
    github.state.faults.append(Fault("GET", "/pulls/7", status=404, message="Not Found"))
    status, said = publish_files(tmp_path)
    assert status == 1
    assert "Reading #7: GitHub answers 404, Not Found." in said
    assert "Traceback" not in said


def test_reviewed_plan_writes_the_file_or_refuses(github: GitHub, tmp_path: Path) -> None:
    on = ("--repository", "acme/fleet", "--stack", "prod", "--commit", "d" * 40, "--tree", "e" * 40)
    status, said = call("review", "reviewed-plan", *on, "--into", tmp_path / "plan.json")
    assert (status, "was not merged from a pull request" in said) == (1, True)
    assert not (tmp_path / "plan.json").exists()
    pull = github.state.add_pull(7, state="closed")
    pull.update({"merge_commit_sha": "d" * 40, "merged_at": "2026-11-21T18:00:00Z"})
    run = github.state.add_run()
    github.state.add_artifact(run, f"plan-prod-{'e' * 40}", {"plan.json": b"{}"})
    success = {"context": "daskfleet/review (prod)", "state": "success", "description": ""}
    github.state.add_status(HEAD, success)
    assert call("review", "reviewed-plan", *on, "--into", tmp_path / "plan.json")[0] == 0
    assert (tmp_path / "plan.json").read_bytes() == b"{}"


def test_drift_issue_reads_the_report_of_drift(github: GitHub, tmp_path: Path) -> None:
    for stack, differences in (("prod", (CHANGED,)), ("dev", ())):
        report = Report(
            stack=stack, differences=differences, google_resources=1, kubernetes_objects=1
        )
        (tmp_path / f"{stack}.json").write_text(report.model_dump_json())
    files = sorted(tmp_path.glob("*.json"))
    status, said = call("drift-issue", "--repository", "acme/fleet", *files)
    assert status == 0
    assert "prod: opened https://github.com/" in said
    assert "dev: nothing to do" in said
    assert len(github.state.issues) == 1


def test_drift_issue_refuses_what_is_no_report_before_it_writes(
    github: GitHub, tmp_path: Path
) -> None:
    (tmp_path / "drift.json").write_text(json.dumps({"stack": "prod"}))
    status, said = call("drift-issue", "--repository", "acme/fleet", tmp_path / "drift.json")
    assert (status, "is no report of `daskfleet drift --json`" in said) == (1, True)
    assert github.state.issues == []


def test_without_a_token_it_is_said_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    status, said = publish_files(tmp_path)
    assert (status, "GITHUB_TOKEN is not set" in said) == (1, True)


def publish_files(folder: Path) -> tuple[int, str]:
    """Publish a review of files that are here."""
    found = write_found(folder / "found")
    return call(
        *("review", "publish", "--stack", "prod", "--pull-request", "acme/fleet#7"),
        *("--commit", HEAD, "--events", found / "events.jsonl"),
        *("--stack-file", found / "stack.yaml"),
        *("--artifact-url", "https://example.com/artifact"),
    )
