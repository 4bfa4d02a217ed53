"""Running one case, and what has to hold at its end."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil

from tests.faults.case import Interruption, LeftLock
from tests.faults.google_stage import until_held
from tests.processes_that_may_end import command_line

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

    from tests.faults.case import Case, Command
    from tests.faults.fleets import Name
    from tests.faults.google_stage import Done, GoogleStage

HEARD_S = 0.3
"""How long a request stays held after a signal, for the engine to have taken it."""
GONE_S = 20.0
"""How long a plugin may outlive its engine; the stand-in takes a second."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What a clean run leads to."""

    live: Mapping[str, Any]
    ids: list[str]


def picture(stage: GoogleStage) -> Picture:
    """Look at Google and at the state."""
    return Picture(live=stage.live(), ids=stage.state.ids)


def run_case(stage: GoogleStage, case: Case, clean: Mapping[Name, Picture]) -> None:
    """Let the trouble happen, follow the documentation, and compare with a clean run.

    Raises AssertionError with what differs.
    """
    stage.inject()
    stage.bring_to(case.begins)
    stage.touched()
    done = _troubled(stage, case)
    stage.inject()
    stage.let_gke_catch_up()
    if not isinstance(case.trouble, Interruption):
        # An interrupted `destroy` ends with 0 and says that it is done, whatever is left.
        assert (done.exit_code == 0) == (not case.commands), done.said
    for command in case.commands:
        done = _follow(stage, command, case.target)
        assert done.exit_code == 0, f"{command}: {done.said}"
    check(stage, case.target, clean[case.target])
    stage.arrived(case.target)


def _troubled(stage: GoogleStage, case: Case) -> Done:
    if isinstance(case.trouble, LeftLock):
        stage.state.leave_lock(host=case.trouble.host)
        return stage.finish(stage.begin(case.target))
    if not isinstance(case.trouble, Interruption):
        stage.inject(*case.trouble)
        return stage.finish(stage.begin(case.target))
    stage.inject(case.trouble.hold)
    process = stage.begin(case.target)
    if not until_held(stage, process):
        raise AssertionError(
            f"{case.trouble.request.name} was not sent: {stage.finish(process).said}"
        )
    _interrupt(stage, process, case.trouble)
    return stage.finish(process)


def _interrupt(
    stage: GoogleStage, process: subprocess.Popen[str], interruption: Interruption
) -> None:
    for number in interruption.signals:
        process.send_signal(number)
        if number != signal.SIGKILL:
            time.sleep(HEARD_S)
    if interruption.ends_at_once:
        # The held request ends with the plugin: before that it could still be answered.
        deadline = time.monotonic() + GONE_S
        while stage.held():
            assert time.monotonic() < deadline, "the plugin outlives its engine"
            time.sleep(0.05)
    else:
        stage.release()


def _follow(stage: GoogleStage, command: Command, target: Name) -> Done:
    if command == "recover":
        return stage.recover(target)
    if command == "recover --existing":
        return stage.recover(target, "--existing", "--yes")
    if command == "recover --break-lock":
        return stage.recover(target, "--break-lock")
    if command == "state unprotect":
        return stage.unprotect(*stage.state.half_made)
    if command == "up --replace":
        return stage.finish(stage.begin(target, "--replace", *stage.state.half_made))
    return stage.finish(stage.begin(target))


def providers_of(engine: int) -> list[psutil.Process]:
    """An engine's providers; a program that waits for pods only reads, and may live on."""
    children = psutil.Process(engine).children(recursive=True)
    return [child for child in children if "rehearsal.providers." in command_line(child)]


def check(stage: GoogleStage, target: Name, clean: Picture) -> None:
    """Nothing is missing, nothing is there twice, nothing is unknown, nothing is left to do.

    Raises AssertionError with what differs.
    """
    assert stage.live() == clean.live
    assert stage.state.ids == clean.ids
    assert stage.state.unfinished == []
    assert stage.state.locks == []
    if target != "empty":
        written = stage.writes()
        silent = stage.finish(stage.begin(target, "--expect-no-changes"))
        assert silent.exit_code == 0, silent.said
        assert stage.writes() == written
