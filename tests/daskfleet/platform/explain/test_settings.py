"""The verb on stack files in a directory of their own; unit tier."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from daskfleet.cli import app
from daskfleet.platform.explain import cli

PROJECT = """\
name: daskfleet
runtime: python
stackConfigDir: stacks
config:
  labels:
    default:
      organisation: acme
  long_lived: {default: false}
"""
STACK = """\
config:
  daskfleet:project: acme-prod
  daskfleet:image: nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13
  daskfleet:scheduler_pool: {node_count: 2}
  daskfleet:teams:
    - &usual
      name: fraud
      workers: 1
      members: ["user:ann@example.com", "user:bob@example.com"]
    - <<: *usual
      name: climate
      jupyter: {cpu: 2}
      worker: {}
  daskfleet:long_lived: true
"""


@pytest.fixture
def stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One stack, and the defaults of its project."""
    folder = tmp_path / "stacks"
    folder.mkdir()
    (tmp_path / "Pulumi.yaml").write_text(PROJECT)
    (folder / "Pulumi.prod.yaml").write_text(STACK)
    monkeypatch.setattr(cli, "STACKS_DIR", folder)
    monkeypatch.chdir(tmp_path)
    return folder


def settings(*words: str) -> Result:
    return CliRunner().invoke(app, ["settings", "--stack", "prod", *words])


def told(*words: str) -> dict[str, str]:
    done = settings(*words)
    assert done.exit_code == 0, done.stderr
    return dict(line.split(": ", maxsplit=1) for line in done.stdout.splitlines())


@pytest.mark.usefixtures("stacks")
def test_each_value_comes_with_the_file_and_line_that_say_it() -> None:
    found = told()
    assert found["project"] == '"acme-prod"  # stacks/Pulumi.prod.yaml:2'
    assert found["scheduler_pool.node_count"] == "2  # stacks/Pulumi.prod.yaml:4"
    assert found["teams[0].members"].endswith("]  # stacks/Pulumi.prod.yaml:9")
    assert found["labels.organisation"] == '"acme"  # Pulumi.yaml:7'


@pytest.mark.usefixtures("stacks")
def test_a_stack_file_replaces_what_the_project_says() -> None:
    assert told()["long_lived"] == "true  # stacks/Pulumi.prod.yaml:14"


@pytest.mark.usefixtures("stacks")
def test_what_nobody_wrote_is_a_default_and_can_be_left_out() -> None:
    assert told()["cluster.release_channel"] == '"STABLE"  # default'
    assert told()["scheduler_pool.schedulers_per_gpu"].endswith("# default")
    written = told("--written")
    assert "cluster.release_channel" not in written
    assert "teams[1].jupyter.cpu" in written
    assert "teams[1].jupyter.memory_gib" not in written
    assert written["teams[1].worker"] == "{}  # stacks/Pulumi.prod.yaml:13"
    assert "teams[1].worker.cpu" not in written


@pytest.mark.usefixtures("stacks")
def test_what_comes_by_a_merge_key_is_no_default() -> None:
    name, line = told("--written")["teams[1].workers"].split("  # stacks/Pulumi.prod.yaml:")
    assert (name, int(line)) == ("1", 10)


def test_programs_get_the_same_as_json(stacks: Path) -> None:
    found = {each["key"]: each for each in json.loads(settings("--json").stdout)}
    assert found.keys() == told().keys()
    assert found["long_lived"] == {
        "key": "long_lived",
        "value": True,
        "file": str(stacks / "Pulumi.prod.yaml"),
        "line": 14,
    }
    assert found["project_number"] == {
        "key": "project_number",
        "value": None,
        "file": None,
        "line": None,
    }


def test_a_refused_file_is_refused_with_all_that_is_wrong(stacks: Path) -> None:
    (stacks / "Pulumi.prod.yaml").write_text("config: {daskfleet:project: X, daskfleet:teams: 3}")
    done = settings()
    assert done.exit_code == 1
    assert "2 problems" in done.stderr


@pytest.mark.usefixtures("stacks")
def test_an_unknown_stack_is_answered_with_those_that_there_are() -> None:
    done = CliRunner().invoke(app, ["settings", "--stack", "dev"])
    assert done.exit_code == 1
    assert "prod" in done.stderr


def test_what_is_written_shortly_stays_as_it_is(stacks: Path) -> None:
    file = stacks / "Pulumi.prod.yaml"
    file.write_text(STACK.replace("worker: {}", "tls: true"))
    written = told("--written")
    assert written["teams[1].tls"] == "true  # stacks/Pulumi.prod.yaml:13"
    assert [key for key in written if key.startswith("teams[1].tls.")] == []


def test_a_key_of_an_earlier_release_is_told_by_its_own_line(stacks: Path) -> None:
    project = stacks.parent / "Pulumi.yaml"
    old = "cluster:\n    default:\n      deletion_protection: false"
    project.write_text(PROJECT.replace("long_lived: {default: false}", old))
    file = stacks / "Pulumi.prod.yaml"
    file.write_text(STACK.replace("  daskfleet:long_lived: true\n", ""))
    done = settings()
    assert "long_lived: false  # Pulumi.yaml:10" in done.stdout
    assert "is called long_lived since" in done.stderr


def test_where_no_line_can_be_told_the_file_is(stacks: Path) -> None:
    file = stacks / "Pulumi.prod.yaml"
    merged = STACK.replace("config:\n", "base: &base\n  daskfleet:long_lived: true\nconfig:\n", 1)
    merged = merged.replace("  daskfleet:long_lived: true\n", "  <<: *base\n").replace(
        "base: &base\n  <<: *base", "base: &base\n  daskfleet:long_lived: true"
    )
    file.write_text(merged)
    assert told()["long_lived"].startswith("true  # stacks/Pulumi.prod.yaml")
    assert "None" not in told()["long_lived"]
