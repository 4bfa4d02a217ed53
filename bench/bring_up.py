"""From nothing to ready pods: this program, the same one thing at a time, and the reference guide.

With the emulator's documented durations, divided by little, so that what this machine does itself
is small beside them.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import yaml

from bench.record import Figures
from bench.reference_guide import follow_guide
from bench.stage import staged
from daskfleet.checkout import PROJECT_DIR
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.report.model import StagePart
from rehearsal.stage.stage import Stage
from rehearsal.timeline.model import NecessaryStep, Timeline
from rehearsal.up import timeline_of

SETTINGS = PROJECT_DIR / "stacks" / "Pulumi.rehearsal.yaml"
TEAM = "climate"
POOL = "a100-fixed"

Way = Literal["daskfleet", "one at a time", "reference guide"]
OPTIONS: dict[Way, tuple[str, ...]] = {"daskfleet": (), "one at a time": ("--parallel", "1")}


class BringUpPart(Figures):
    """A piece of the critical path, or a command of the guide."""

    name: str
    duration_s: float


class BringUpRun(Figures):
    """One time from nothing to ready pods."""

    whole_s: float
    parts: tuple[BringUpPart, ...]


class BringUpRow(Figures):
    """All runs of one way."""

    way: Way
    runs: tuple[BringUpRun, ...]
    necessary: tuple[NecessaryStep, ...]
    """For what this way creates; empty for the guide, which creates less."""

    @property
    def necessary_s(self) -> float:
        """How long what no order avoids takes."""
        return sum(step.duration_s for step in self.necessary)


class BringUpResult(Figures):
    """What ``python -m bench bring-up`` measures."""

    latency: str
    stage: tuple[StagePart, ...]
    rows: tuple[BringUpRow, ...]


def measure_bring_up(
    *,
    runs: int,
    latency: str,
    providers: Choice,
    steps: Steps,
    progress: Callable[[str], None],
) -> BringUpResult:
    """Go each way several times, in turns.

    Raises:
        CommandFailedError, RehearsalError, ToolchainError: one of them did not get there.

    """
    timelines: dict[Way, list[Timeline]] = {way: [] for way in OPTIONS}
    guides: list[BringUpRun] = []
    stage_parts: tuple[StagePart, ...] = ()
    for run in range(runs):
        for way, options in OPTIONS.items():
            progress(f"{way}, {run + 1} of {runs}")
            with staged(write_settings, providers=providers, steps=steps, latency=latency) as stage:
                stage_parts = stage.providers
                timelines[way].append(_up(stage, steps, *options))
        progress(f"reference guide, {run + 1} of {runs}")
        guides.append(_guide(latency))
    rows = [_row(way, of_way) for way, of_way in timelines.items()]
    guide = BringUpRow(way="reference guide", runs=tuple(guides), necessary=())
    return BringUpResult(latency=latency, stage=stage_parts, rows=(*rows, guide))


def _row(way: Way, timelines: list[Timeline]) -> BringUpRow:
    runs = tuple(
        BringUpRun(
            whole_s=timeline.up_s,
            parts=tuple(
                BringUpPart(name=stretch.group, duration_s=stretch.duration_s)
                for stretch in timeline.critical_path
            ),
        )
        for timeline in timelines
    )
    return BringUpRow(way=way, runs=runs, necessary=timelines[0].necessary)


def _guide(latency: str) -> BringUpRun:
    steps = follow_guide(latency=latency)
    return BringUpRun(
        whole_s=sum(step.duration_s for step in steps),
        parts=tuple(BringUpPart(name=step.name, duration_s=step.duration_s) for step in steps),
    )


def _up(stage: Stage, steps: Steps, *options: str) -> Timeline:
    with steps.step("pulumi up") as step:
        done = stage.engine.run("up", "--yes", "--skip-preview", *options, step=step)
    timeline = timeline_of(stage, done)
    if timeline is None:
        raise AssertionError("an `up` from nothing does something")
    return timeline


def write_settings(file: Path) -> None:
    """Write what the guide has: a T4 for the scheduler, A100s that are always there, one team."""
    document = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    config = document["config"]
    for key, name in (("daskfleet:teams", TEAM), ("daskfleet:worker_pools", POOL)):
        config[key] = [each for each in config[key] if each["name"] == name]
    file.write_text(yaml.safe_dump({"config": config}, sort_keys=False), encoding="utf-8")
