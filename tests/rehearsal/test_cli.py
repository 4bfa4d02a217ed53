"""Unit: the commands' exit codes and words, with no stage behind them."""

import errno
import os
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

import daskfleet.cli
import rehearsal.cli
from rehearsal.engine.engine import InterruptedByUserError
from rehearsal.locking import exclusive
from rehearsal.workspace import Workspace

RUN = CliRunner()


@pytest.fixture(autouse=True)
def empty_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which nothing runs."""
    monkeypatch.setattr(rehearsal.cli, "PROJECT_DIR", tmp_path)
    return tmp_path


@pytest.mark.parametrize("verb", ["status", "shell"])
def test_without_a_running_rehearsal_the_command_that_starts_one_is_named(verb: str) -> None:
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", verb, "--stack", "prod"])
    assert result.exit_code == 1
    assert "daskfleet rehearse up --stack prod" in " ".join(result.output.split())


def test_ending_what_does_not_run_is_no_error() -> None:
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "down"])
    assert result.exit_code == 0
    assert "nothing to end" in result.output


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (["save", "fresh"], "No rehearsal of stack prod runs that could be saved"),
        (["save", "../fresh"], "is no name for what is saved"),
        (["forget", "fresh"], "Saved: nothing"),
        (["up", "--from", "fresh"], "Saved: nothing"),
    ],
)
def test_what_cannot_be_saved_or_used_is_told_before_anything_is_done(
    empty_project: Path, command: list[str], word: str
) -> None:
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", *command, "--stack", "prod"])
    assert result.exit_code == 1
    assert word in " ".join(result.output.split())
    assert not (empty_project / ".rehearsal" / "prod").exists()


def test_what_was_saved_outlives_down_and_goes_when_it_is_forgotten(empty_project: Path) -> None:
    workspace = Workspace.of_stack(empty_project, "rehearsal")
    workspace.directory.mkdir(parents=True)
    (workspace.saved_dir / "fresh").mkdir(parents=True)
    assert RUN.invoke(daskfleet.cli.app, ["rehearse", "down"]).exit_code == 0
    assert (workspace.saved_dir / "fresh").exists()
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "forget", "fresh"])
    assert (result.exit_code, "fresh is deleted" in result.output) == (0, True)
    assert not (workspace.saved_dir / "fresh").exists()


def test_ctrl_c_exits_like_a_shell_says_and_names_the_way_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise InterruptedByUserError("Interrupted.")

    monkeypatch.setattr(rehearsal.cli, "set_stage", interrupted)
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "up"])
    assert result.exit_code == 130
    assert "rehearse up" in result.output
    assert "rehearse down" in result.output


def test_an_unwritable_directory_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "/read-only/.rehearsal")

    monkeypatch.setattr(rehearsal.cli, "set_stage", refused)
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "up"])
    assert result.exit_code == 1
    assert "/read-only/.rehearsal" in result.output


def test_a_stage_that_another_command_builds_or_ends_is_waited_for(empty_project: Path) -> None:
    workspace = Workspace.of_stack(empty_project, "rehearsal")
    workspace.directory.mkdir(parents=True)
    said: list[str] = []
    ended = threading.Thread(
        target=lambda: said.append(RUN.invoke(daskfleet.cli.app, ["rehearse", "down"]).output)
    )
    with exclusive(workspace.lock_file, subject="another", progress=said.append):
        ended.start()
        ended.join(timeout=0.3)
        assert workspace.directory.exists()
    ended.join()
    assert not workspace.directory.exists()
    assert f"waiting for process {os.getpid()}" in " ".join(said[0].split())


@pytest.mark.parametrize("name", ["..", "../..", ".", "", "a/b", "a b", "-x", "x" * 101])
def test_a_stack_name_cannot_lead_out_of_the_project(empty_project: Path, name: str) -> None:
    (empty_project / ".rehearsal").mkdir()
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "down", f"--stack={name}"])
    assert result.exit_code == 2
    assert "no stack's name" in " ".join(result.output.split())
    assert (empty_project / ".rehearsal").exists()


@pytest.mark.parametrize(
    ("options", "word"),
    [(["--stack", "prdo"], "Pulumi.prdo.yaml does not exist"), (["--latency", "x"], "scaled:N")],
)
def test_a_wrong_request_is_refused_before_anything_is_built(
    empty_project: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], word: str
) -> None:
    def built(**_: object) -> None:
        raise AssertionError("the toolchain was built first")

    monkeypatch.setattr("rehearsal.stage.stage.ensure_toolchain", built)
    (empty_project / "stacks").mkdir()
    (empty_project / "stacks" / "Pulumi.rehearsal.yaml").write_text("config: {}")
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "up", *options])
    assert result.exit_code == 1
    assert word in " ".join(result.output.split())
    assert not (empty_project / ".rehearsal" / "rehearsal").exists()


def test_a_full_disk_is_told_with_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rehearsal.cli, "set_stage", full)
    result = RUN.invoke(daskfleet.cli.app, ["rehearse", "up"])
    assert result.exit_code == 1
    assert "The disk is full" in " ".join(result.output.split())
