"""``daskfleet rehearse up`` from nothing, step by step, as its own report tells it."""

import subprocess
import sys
import time
from collections.abc import Callable

import psutil

from bench.process_tree import CommandFailedError, cpu_by_process
from bench.record import Figures
from daskfleet.checkout import PROJECT_DIR
from rehearsal.report.model import TOOLCHAIN_STEP, Report, StagePart, StepResult
from rehearsal.supervisor.record import read_record
from rehearsal.workspace import Workspace

STACK = "bench"
"""A stack of its own, so that a rehearsal that runs in this checkout is left alone."""

AT_REST_S = 30

SETTINGS = "stacks/Pulumi.rehearsal.yaml"


class RehearsalRun(Figures):
    """One rehearsal."""

    steps: tuple[StepResult, ...]
    at_rest_percent: float | None = None
    """What the fleet takes of one core while nobody does anything; None if nobody looked."""

    @property
    def after_toolchain_s(self) -> float:
        """What the aim is about: all steps but the first, which only looks when all is cached."""
        return sum(step.duration_s for step in self.steps if step.name != TOOLCHAIN_STEP)


class RehearsalResult(Figures):
    """What ``python -m bench rehearsal`` measures."""

    stage: tuple[StagePart, ...]
    runs: tuple[RehearsalRun, ...]


def measure_rehearsals(
    *, runs: int, providers: str, progress: Callable[[str], None]
) -> RehearsalResult:
    """Bring the fleet of the rehearsal's stack up, and end it, several times.

    Raises:
        CommandFailedError: a rehearsal failed, or a claim of its report does not hold.
    """
    reports, measured = [], []
    for run in range(runs):
        progress(f"rehearsal {run + 1} of {runs}")
        _rehearse("down", "--stack", STACK)
        try:
            report = _up(providers)
            reports.append(report)
            measured.append(RehearsalRun(steps=report.steps, at_rest_percent=_at_rest_percent()))
        finally:
            _rehearse("down", "--stack", STACK)
    return RehearsalResult(stage=reports[0].stage, runs=tuple(measured))


def _up(providers: str) -> Report:
    arguments = ("--config-file", SETTINGS, "--providers", providers, "--json")
    return Report.model_validate_json(_rehearse("up", "--stack", STACK, *arguments))


def _at_rest_percent() -> float:
    """Look at the supervisor and all that it started, for a while in which nothing is asked."""
    record = read_record(Workspace.of_stack(PROJECT_DIR, STACK).supervisor_file)
    if record is None:
        raise CommandFailedError(f"The rehearsal of stack {STACK} is up, and has no supervisor.")
    supervisor = psutil.Process(record.process.pid)
    before = cpu_by_process(supervisor)
    time.sleep(AT_REST_S)
    after = cpu_by_process(supervisor)
    # What has ended or begun meanwhile is a probe of milliseconds.
    return sum(after[pid] - before[pid] for pid in before.keys() & after.keys()) / AT_REST_S * 100


def _rehearse(*arguments: str) -> str:
    command = [sys.executable, "-m", "daskfleet", "rehearse", *arguments]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailedError(
            f"`daskfleet rehearse {' '.join(arguments)}` failed:\n{done.stderr}{done.stdout}"
        )
    return done.stdout
