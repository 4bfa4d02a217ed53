"""What runs a pull request's code holds nothing; what holds something runs none of that code."""

import re
from pathlib import Path

import pytest

from tests.workflows.files import ACTIONS, WORKFLOWS, Job, job, jobs, read, triggers, uses, workflow

JOBS = list(jobs())
IDS = [f"{each.workflow}/{each.name}" for each in JOBS]
UNTRUSTED = [each for each in JOBS if each.workflow in {"check", "preview"}]
TRUSTED = [each for each in JOBS if each.workflow == "publish"]
WRITES = {
    "preview/preview": {"id-token"},
    "publish/publish": {"pull-requests", "statuses"},
    "up/up": {"id-token"},
    "up-stack/made-now": {"id-token"},
    "up-stack/up": {"id-token"},
    "drift/look": {"id-token"},
    "drift/tell": {"issues"},
    "bill/look": {"id-token"},
    "release/release": {"contents", "id-token", "attestations"},
    "release/pypi": {"id-token"},
    "site/publish": {"pages", "id-token"},
}


@pytest.mark.parametrize(("used", "version"), list(uses()))
def test_every_action_is_pinned_by_its_hash_and_names_its_version(used: str, version: str) -> None:
    if used.startswith("./"):
        return
    assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used)
    assert re.match(r" # v\d+\.\d+\.\d+\b", version)


def test_an_action_has_one_version_in_all_workflows() -> None:
    versions: dict[str, set[str]] = {}
    for used, _ in uses():
        name, _, version = used.partition("@")
        versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


@pytest.mark.parametrize("each", JOBS, ids=IDS)
def test_every_job_says_what_it_may_and_how_long(each: Job) -> None:
    assert "permissions" in each.content or each.workflow == "check"
    assert "timeout-minutes" in each.content or "uses" in each.content


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_gives_its_jobs_nothing_to_begin_with(path: Path) -> None:
    assert read(path)["permissions"] in ({}, {"contents": "read"})


@pytest.mark.parametrize("each", JOBS, ids=IDS)
def test_a_job_may_write_what_it_must_and_no_more(each: Job) -> None:
    granted = each.content.get("permissions", {})
    written = {scope for scope, level in granted.items() if level == "write"}
    assert written == WRITES.get(f"{each.workflow}/{each.name}", set())


@pytest.mark.parametrize("path", [*WORKFLOWS, *ACTIONS], ids=lambda path: path.stem)
def test_no_secret_is_kept_for_any_of_them(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "secrets." not in text
    assert "secrets:" not in text


@pytest.mark.parametrize("each", JOBS, ids=IDS)
def test_no_checkout_leaves_its_token_behind(each: Job) -> None:
    for step in each.steps:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("each", UNTRUSTED, ids=lambda each: each.name)
def test_what_runs_a_pull_requests_code_has_no_token_to_write_with(each: Job) -> None:
    assert "github.token" not in each.text
    assert "GITHUB_TOKEN" not in each.text


def test_a_fork_gets_no_login() -> None:
    logging_in = [job for job in UNTRUSTED if "id-token" in job.content.get("permissions", {})]
    assert logging_in
    for each in logging_in:
        own = "github.event.pull_request.head.repo.full_name == github.repository"
        assert own in each.content["if"]


def test_a_login_needs_an_environment_that_protects_it() -> None:
    logging_in = [
        job for job in JOBS if "id-token" in job.content.get("permissions", {}) and job.steps
    ]
    assert logging_in
    for each in logging_in:
        assert each.content["environment"]


def test_only_up_may_act_as_the_writer_and_waits_for_the_stacks_reviewers() -> None:
    writers = [each for each in JOBS if "GCP_WRITER" in each.text]
    assert [(each.workflow, each.name) for each in writers] == [("up-stack", "up")]
    assert writers[0].content["environment"] == "${{ inputs.stack }}"
    assert triggers(workflow("up")) == {"push", "workflow_dispatch"}
    assert "github.event.repository.default_branch" in job("up", "up").content["if"]


@pytest.mark.parametrize("each", TRUSTED, ids=lambda each: each.name)
def test_the_trusted_part_checks_out_the_default_branch_and_nothing_of_a_pull_request(
    each: Job,
) -> None:
    checkouts = [
        step["with"]["ref"] for step in each.steps if "actions/checkout@" in step.get("uses", "")
    ]
    assert checkouts == ["${{ github.event.repository.default_branch }}"]
    assert "download-artifact" not in each.text
    assert "actions/cache" not in each.text


def test_only_the_trusted_part_is_started_by_events_that_hold_rights() -> None:
    dangerous = {"pull_request_target", "workflow_run", "issue_comment"}
    started = {path.stem for path in WORKFLOWS if triggers(path) & dangerous}
    assert started == {"publish"}
    named = read(workflow("publish"))["on"]["workflow_run"]["workflows"]
    assert named == [read(workflow("preview"))["name"]]


@pytest.mark.parametrize("each", JOBS, ids=IDS)
def test_nothing_that_a_pull_request_can_name_is_pasted_into_a_script(each: Job) -> None:
    for step in each.steps:
        assert "${{" not in step.get("run", "")


@pytest.mark.parametrize("each", JOBS, ids=IDS)
def test_a_step_is_one_line_and_the_rest_a_script_that_is_tested(each: Job) -> None:
    for step in each.steps:
        assert len(step.get("run", "").strip().splitlines()) <= 1


def test_the_pull_requests_workflows_do_not_start_each_other() -> None:
    assert triggers(workflow("preview")) == {"pull_request"}
    assert triggers(workflow("check")) == {"pull_request", "push", "workflow_call"}
    callers = [each for each in JOBS if each.content.get("uses") == "./.github/workflows/check.yml"]
    assert [f"{each.workflow}/{each.name}" for each in callers] == ["release/check"]


def test_a_release_is_of_a_tag_that_has_passed_every_check() -> None:
    assert set(read(workflow("release"))["on"]["push"]) == {"tags"}
    assert triggers(workflow("release")) == {"push"}
    needs = {each.name: each.content.get("needs") for each in JOBS if each.workflow == "release"}
    assert needs == {"check": None, "build": "check", "release": "build", "pypi": "release"}


@pytest.mark.parametrize("name", ["release", "pypi"])
def test_what_may_publish_runs_nothing_of_this_repository(name: str) -> None:
    used = [step["uses"].partition("@")[0] for step in job("release", name).steps if "uses" in step]
    ran = [step["run"].split()[0] for step in job("release", name).steps if "run" in step]
    assert used[0] == "actions/download-artifact"
    assert not {"actions/checkout", "actions/cache"} & set(used)
    assert set(ran) <= {"gh"}


def test_whoever_builds_a_release_takes_nothing_from_a_cache_and_cannot_write() -> None:
    build = job("release", "build")
    assert "actions/cache" not in build.text
    assert build.content["permissions"] == {"contents": "read"}
