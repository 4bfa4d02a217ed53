"""Unit: values that all stacks of a project share, as Pulumi itself has them."""

from pathlib import Path

import pulumi
import pytest
from pulumi.runtime import config as pulumi_config

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.loading import Draft
from daskfleet.settings.problems import StackRefusedError
from daskfleet.settings.pulumi_config import read_stack
from daskfleet.settings.stack_file import read_stack_file

PROJECT = """name: daskfleet
stackConfigDir: stacks
config:
  project:
    type: string
  teams: {type: array, items: {type: object}}
  labels:
    default: {org: acme}
  daskfleet:location: {default: europe-west4-a}
  image: {value: not-pulumis-way}
  gcp:region: europe-west4
"""
STACK = """config:
  daskfleet:project: example-project
  daskfleet:teams:
    - {name: alpha, workers: 1}
"""


def draft(directory: Path, *, project: str = PROJECT, stack: str = STACK) -> Draft:
    (directory / "stacks").mkdir()
    (directory / "Pulumi.yaml").write_text(project)
    file = directory / "stacks" / "Pulumi.prod.yaml"
    file.write_text(stack)
    return read_stack_file(file)


def test_a_stack_has_the_values_that_its_project_gives_all(tmp_path: Path) -> None:
    found = draft(tmp_path)
    assert found.problems == ()
    assert found.stack is not None
    assert (found.stack.labels, found.stack.location) == ({"org": "acme"}, "europe-west4-a")


def test_a_stack_file_replaces_the_whole_value(tmp_path: Path) -> None:
    found = draft(tmp_path, stack=f"{STACK}  daskfleet:labels: {{env: prod}}\n")
    assert found.stack is not None
    assert found.stack.labels == {"env": "prod"}
    assert set(found.files) == {"location"}


def test_no_file_beside_the_stack_file_takes_the_projects_place(tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "Pulumi.yaml").write_text("config: {labels: {default: {org: other}}}")
    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    file = tmp_path / "stacks" / "Pulumi.prod.yaml"
    file.write_text(STACK)
    found = read_stack_file(file)
    assert found.stack is not None
    assert found.stack.labels == {"org": "acme"}


@pytest.mark.parametrize(("place", "org"), [("review", "acme"), (".", None)])
def test_a_review_has_the_project_file_beside_and_no_strangers(
    tmp_path: Path, place: str, org: str | None
) -> None:
    (tmp_path / "review").mkdir()
    (tmp_path / place / "Pulumi.yaml").write_text(PROJECT)
    file = tmp_path / "review" / "stack.yaml"
    file.write_text(STACK)
    found = read_stack_file(file)
    assert found.stack is not None
    assert found.stack.labels.get("org") == org


def test_an_error_names_the_file_and_the_line_of_the_value(tmp_path: Path) -> None:
    project = PROJECT.replace("{org: acme}", "{org: [acme]}")
    found = draft(tmp_path, project=project, stack=f"{STACK}  daskfleet:long_lived: perhaps\n")
    with pytest.raises(StackRefusedError) as refused:
        plan_draft(found)
    said = str(refused.value)
    assert f"{tmp_path}/Pulumi.yaml, line 8, daskfleet:labels.org" in said
    assert f"{tmp_path}/stacks/Pulumi.prod.yaml, line 5, daskfleet:long_lived" in said


def test_a_project_file_that_cannot_be_read_is_the_one_that_is_named(tmp_path: Path) -> None:
    with pytest.raises(StackRefusedError, match=r"/Pulumi\.yaml: 1 problem"):
        plan_draft(draft(tmp_path, project="config: ["))


def test_the_program_names_the_projects_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = PROJECT.replace("{org: acme}", "{org: [acme]}")
    (tmp_path / "Pulumi.yaml").write_text(project)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pulumi, "get_stack", lambda: "prod")
    for key, value in {
        "project": "example-project",
        "teams": '[{"name":"alpha","workers":1}]',
        "labels": '{"org":["acme"]}',
        "long_lived": "perhaps",
    }.items():
        monkeypatch.setitem(pulumi_config.CONFIG.get(), f"daskfleet:{key}", value)
    with pytest.raises(StackRefusedError) as refused:
        plan_draft(read_stack())
    assert ". Pulumi.yaml, daskfleet:labels.org" in str(refused.value)
    assert ". stacks/Pulumi.prod.yaml, daskfleet:long_lived" in str(refused.value)


def test_a_default_with_and_without_the_namespace_is_refused(tmp_path: Path) -> None:
    twice = PROJECT.replace(
        "  daskfleet:location:", "  location: {type: string}\n  daskfleet:location:"
    )
    found = draft(tmp_path, project=twice)
    (problem,) = found.problems
    assert (found.file, problem.key) == (str(tmp_path / "Pulumi.yaml"), "location")
