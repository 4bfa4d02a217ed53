"""``daskfleet rehearse up`` from nothing, step by step, as its own report tells it."""

import subprocess
import sys
from collections.abc import Callable

from bench.process_tree import CommandFailedError
from bench.record import Figures
from daskfleet.checkout import PROJECT_DIR
from rehearsal.report.model import Report, StagePart, StepResult

STACK = "bench"
"""A stack of its own, so that a rehearsal that runs in this checkout is left alone."""

SETTINGS = "stacks/Pulumi.rehearsal.yaml"


class RehearsalRun(Figures):
    """One rehearsal."""

    steps: tuple[StepResult, ...]

    @property
    def after_toolchain_s(self) -> float:
        """What the aim is about: all steps but the first, which only looks when all is cached."""
        return sum(step.duration_s for step in self.steps if step.name != "toolchain")


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
    reports = []
    for run in range(runs):
        progress(f"rehearsal {run + 1} of {runs}")
        _rehearse("down", "--stack", STACK)
        try:
            reports.append(_up(providers))
        finally:
            _rehearse("down", "--stack", STACK)
    return RehearsalResult(
        stage=reports[0].stage, runs=tuple(RehearsalRun(steps=report.steps) for report in reports)
    )


def _up(providers: str) -> Report:
    arguments = ("--config-file", SETTINGS, "--providers", providers, "--json")
    return Report.model_validate_json(_rehearse("up", "--stack", STACK, *arguments))


def _rehearse(*arguments: str) -> str:
    command = [sys.executable, "-m", "daskfleet", "rehearse", *arguments]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailedError(
            f"`daskfleet rehearse {' '.join(arguments)}` failed:\n{done.stderr}{done.stdout}"
        )
    return done.stdout
