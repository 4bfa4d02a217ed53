"""Unit: following an engine, with a script in the engine's place."""

import io
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from rich.console import Console

from rehearsal.engine.engine import Engine, EngineFailedError, InterruptedByUserError
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from rehearsal.progress import Steps
from rehearsal.workspace import Workspace

EVENTS = """\
import json, os, signal, sys, time
def event(**fields): print(json.dumps(fields), flush=True)
def step(key, op, name, provider="p"):
    urn = f"urn:pulumi:s::p::gcp:container/nodePool:NodePool::{name}"
    event(**{key: {"metadata": {"op": op, "urn": urn, "provider": provider}}})
"""
SUCCESS = (
    EVENTS
    + """
event(diagnosticEvent={"severity": "warning", "message": "mind the cost", "urn": ""})
for name in ("a", "b"):
    step("resourcePreEvent", "create", name)
    step("resOutputsEvent", "create", name)
event(summaryEvent={"resourceChanges": {"create": 3, "same": 2}})
"""
)
WAITING = (
    EVENTS
    + """
signal.signal(signal.SIGINT, lambda *_: sys.exit(8))
step("resourcePreEvent", "create", "a")
time.sleep(60)
"""
)

TWICE = (
    EVENTS.replace("{", "{{").replace("}", "}}")
    + """
presses = []
def press(*_):
    presses.append(1)
    if len(presses) == 2:
        event(diagnosticEvent={told})
        sys.exit(255)
signal.signal(signal.SIGINT, press)
while True:
    time.sleep(0.1)
"""
)
"""Ends after the second Ctrl-C, and says something as it goes."""


class Stand:
    """An engine that runs a script, and what was printed about it."""

    def __init__(self, directory: Path, script: str) -> None:
        self.workspace = Workspace(project_dir=directory, directory=directory / "stage")
        self.workspace.logs_dir.mkdir(parents=True)
        executable = directory / "pulumi"
        executable.write_text(f"#!{sys.executable}\n{script}")
        executable.chmod(0o755)
        self.words = io.StringIO()
        self.steps = Steps(Console(file=self.words, width=120))
        self.engine = Engine(self.workspace, pulumi=executable, environment=dict(os.environ))


def test_changes_are_counted_and_diagnostics_shown_once(tmp_path: Path) -> None:
    stand = Stand(tmp_path, SUCCESS)
    for _ in range(2):
        with stand.steps.step("up") as step:
            outcome = stand.engine.run("up", step=step)
    assert outcome.changes == {"create": 3, "same": 2}
    assert (outcome.changed, outcome.worked_on) == (3, 2)
    assert stand.words.getvalue().count("mind the cost") == 1
    assert not stand.workspace.engine_file.exists()


def test_an_error_is_shown_and_the_log_is_named(tmp_path: Path) -> None:
    error = {"severity": "error", "message": "quota exceeded", "urn": ""}
    stand = Stand(tmp_path, EVENTS + f"event(diagnosticEvent={error}); sys.exit(1)")
    with (
        pytest.raises(EngineFailedError, match=r"exit code 1\); its log is .*pulumi-up\.jsonl"),
        stand.steps.step("up") as step,
    ):
        stand.engine.run("up", step=step)
    assert "quota exceeded" in stand.words.getvalue()


def test_an_engine_that_fails_before_its_first_event_still_says_why(tmp_path: Path) -> None:
    stand = Stand(tmp_path, "import sys; sys.exit('error: no stack named x')")
    with pytest.raises(EngineFailedError), stand.steps.step("up") as step:
        stand.engine.run("up", step=step)
    assert "no stack named x" in stand.words.getvalue()


def test_ctrl_c_reaches_the_engine_once_and_waits_for_its_end(tmp_path: Path) -> None:
    stand = Stand(tmp_path, WAITING)
    press = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    press.start()
    began = time.monotonic()
    with pytest.raises(InterruptedByUserError), stand.steps.step("up") as step:
        stand.engine.run("up", step=step)
    assert time.monotonic() - began < 30
    assert "Ctrl-C" in stand.words.getvalue()


def test_what_the_program_says_while_ctrl_c_tears_it_down_is_not_shown(tmp_path: Path) -> None:
    told = {"severity": "error", "message": "Traceback (most recent call last)", "urn": ""}
    stand = Stand(tmp_path, TWICE.format(told=told))
    for delay_s in (0.5, 0.8):
        threading.Timer(delay_s, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(InterruptedByUserError), stand.steps.step("up") as step:
        stand.engine.run("up", step=step)
    assert "Traceback" not in stand.words.getvalue()


def test_the_engine_is_stopped_for_the_reason_that_the_watch_gives(tmp_path: Path) -> None:
    stand = Stand(tmp_path, WAITING)
    with pytest.raises(RehearsalError, match="etcd is dead"), stand.steps.step("up") as step:
        stand.engine.run("up", step=step, watch=lambda: "etcd is dead")


def test_an_engine_that_waits_for_a_broken_stage_is_stopped_at_once_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rehearsal.engine.engine.PATIENCE_S", 0.2)
    told = {"severity": "info#err", "message": "Traceback (most recent call last)", "urn": ""}
    stand = Stand(tmp_path, TWICE.format(told=told))
    with pytest.raises(RehearsalError, match="etcd is dead"), stand.steps.step("up") as step:
        stand.engine.run("up", step=step, watch=lambda: "etcd is dead")
    assert "Traceback" not in stand.words.getvalue()


def test_the_engine_that_runs_is_on_record_for_down_in_another_terminal(tmp_path: Path) -> None:
    stand = Stand(tmp_path, WAITING)

    def look() -> str:
        record = ProcessRecord.model_validate_json(stand.workspace.engine_file.read_bytes())
        return "alive" if record.is_alive else "dead"

    with pytest.raises(RehearsalError, match="alive"), stand.steps.step("up") as step:
        stand.engine.run("up", step=step, watch=look)


def test_a_short_command_that_fails_is_told_in_its_own_words(tmp_path: Path) -> None:
    stand = Stand(tmp_path, "import sys; sys.exit('error: passphrase is wrong')")
    with pytest.raises(RehearsalError, match=r"`pulumi stack export` failed:\s+error: passphrase"):
        stand.engine.output("stack", "export")
