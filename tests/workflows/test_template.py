"""The template's files name this release, and its workflows are as strict as this repository's."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.project import PROJECT_DIR
from tests.workflows.files import Document, read, uses

TEMPLATE = PROJECT_DIR / "template"
WORKFLOWS = sorted((TEMPLATE / ".github/workflows").glob("*.yml"))
OURS = "OWNER/daskfleet/.github/actions/"
STEPS = [
    pytest.param(job, step, id=f"{path.stem}/{name}/{number}")
    for path in WORKFLOWS
    for name, job in read(path)["jobs"].items()
    for number, step in enumerate(job["steps"])
]


def release() -> str:
    """The release that this commit leads to; of a tag, its own."""
    version: str = tomllib.loads((PROJECT_DIR / "pyproject.toml").read_text())["project"]["version"]
    return version.partition(".dev")[0]


def test_the_template_names_the_release_that_it_comes_with() -> None:
    files = [path for path in TEMPLATE.rglob("*") if path.is_file()]
    named = {
        version
        for path in files
        for version in re.findall(
            r"(?:actions/\w+@|/v|daskfleet-|--branch )v?(\d+\.\d+\.\d+)", path.read_text("utf-8")
        )
    }
    assert named == {release()}


def test_the_page_begins_a_repository_with_this_release() -> None:
    page = (PROJECT_DIR / "docs/github.md").read_text("utf-8")
    assert set(re.findall(r"/tree/v(\d+\.\d+\.\d+)/template", page)) == {release()}


def test_the_template_needs_the_engine_that_this_project_needs() -> None:
    theirs, ours = (
        yaml.safe_load((folder / "Pulumi.yaml").read_text("utf-8"))
        for folder in (TEMPLATE, PROJECT_DIR)
    )
    for key in ("runtime", "main", "stackConfigDir", "requiredPulumiVersion"):
        assert theirs[key] == ours[key]


def test_renovate_finds_the_release_in_the_requirements() -> None:
    config = json.loads((TEMPLATE / ".github/renovate.json").read_text("utf-8"))
    (manager,) = config["customManagers"]
    pattern = manager["matchStrings"][0].replace("(?<", "(?P<")
    found = re.search(pattern, (TEMPLATE / "requirements.txt").read_text("utf-8"))
    assert found is not None
    assert found["currentValue"] == release()


@pytest.mark.parametrize(("job", "step"), STEPS)
def test_a_step_of_the_template_is_pinned_and_pastes_nothing(job: Document, step: Document) -> None:
    assert "permissions" in job
    assert "timeout-minutes" in job
    assert "${{" not in step.get("run", "")
    assert len(step.get("run", "").strip().splitlines()) <= 1
    if step.get("uses", "").startswith("actions/checkout@"):
        assert step["with"]["persist-credentials"] is False
    used = step.get("uses", OURS)
    if used.startswith(OURS):
        assert (PROJECT_DIR / used.removeprefix("OWNER/daskfleet/").partition("@")[0]).exists()
    else:
        assert used in {each for each, _ in uses()}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_of_the_template_begins_with_no_right_and_keeps_no_secret(path: Path) -> None:
    content = read(path)
    assert content["permissions"] == {}
    assert "secrets." not in json.dumps(content, default=str)
    for job in content["jobs"].values():
        if "id-token" in job["permissions"]:
            assert job["environment"]


def test_the_pipeline_for_gitlab_lets_only_the_environment_of_a_stack_be_the_writer() -> None:
    pipeline = yaml.safe_load((TEMPLATE / "gitlab-ci.yml").read_text("utf-8"))
    writers = [name for name, job in pipeline.items() if "GCP_WRITER" in json.dumps(job)]
    assert writers == ["up"]
    assert pipeline["up"]["environment"] == "$STACK"
    assert [rule["when"] for rule in pipeline["up"]["rules"]] == ["manual"]
