"""What a fleet of many teams takes: the first ``up``, what follows, and the stage under it."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import psutil

from bench.process_tree import MIB, Usage, cpu_by_process, measure
from bench.record import Figures
from bench.stack_of_teams import write_stack_file
from bench.stage import staged
from daskfleet.platform.review.cli import STOPS
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.report.model import StagePart
from rehearsal.stage.stack_file import prepare_stack_file
from rehearsal.stage.stage import Stage
from rehearsal.workspace import pulumi_environment

IMAGES = tuple(f"nvcr.io/nvidia/rapidsai/base:{tag}-cuda12-py3.13" for tag in ("26.10", "26.08"))
UP = ("up", "--yes", "--skip-preview", "--non-interactive", "--color=never")


class ScalePhase(Figures):
    """One command on a fleet."""

    name: str
    usage: Usage
    stage_cpu_s: float
    """Of the control plane, the operator and the emulated cloud meanwhile."""


class ScaleRow(Figures):
    """All commands on a fleet of one size, in the order in which they ran."""

    teams: int
    phases: tuple[ScalePhase, ...]
    stage_mib: dict[str, float]
    """Resident memory of the stage's programs when all pods are placed."""


class ScaleResult(Figures):
    """What ``python -m bench scale`` measures."""

    stage: tuple[StagePart, ...]
    rows: tuple[ScaleRow, ...]


def measure_scale(
    *, teams: Sequence[int], providers: Choice, steps: Steps, progress: Callable[[str], None]
) -> Iterator[ScaleResult]:
    """Bring fleets of these sizes up, and do with each what is done with a fleet.

    Gives what is known after each size: one that fails, or is given up, loses no other.

    Raises:
        CommandFailedError: a command failed; the message has its last words.
        RehearsalError, ToolchainError: the stage cannot be set.

    """
    rows: list[ScaleRow] = []
    for count in teams:
        write = partial(write_stack_file, teams=count, image=IMAGES[0])
        with staged(write, providers=providers, steps=steps) as stage:
            rows.append(_row(stage, teams=count, progress=progress))
        yield ScaleResult(stage=stage.providers, rows=tuple(rows))


def _row(stage: Stage, *, teams: int, progress: Callable[[str], None]) -> ScaleRow:
    pulumi, daskfleet = str(stage.binaries.pulumi), (sys.executable, "-m", "daskfleet")
    phases: list[ScalePhase] = []

    def run(name: str, *command: str, may_end_with: Sequence[int] = (0,)) -> None:
        progress(f"{teams} teams: {name}")
        with _stage_cpu(stage) as spent:
            usage = measure(
                command,
                cwd=stage.workspace.project_dir,
                environment=_environment(stage),
                may_end_with=may_end_with,
            )
        phases.append(ScalePhase(name=name, usage=usage, stage_cpu_s=sum(spent)))

    run("up", pulumi, *UP)
    run("up again", pulumi, *UP)
    stage_mib = _memory_mib(stage)
    write_stack_file(stage.workspace.stack_file, teams=teams, image=IMAGES[1])
    prepare_stack_file(stage.workspace)
    judged = ("review", "--no-policies", "--format", "json")
    run("review of an image for all", *daskfleet, *judged, may_end_with=(0, STOPS))
    run("up with that image", pulumi, *UP)
    run("drift", *daskfleet, "drift", "--json")
    return ScaleRow(teams=teams, phases=tuple(phases), stage_mib=stage_mib)


def _environment(stage: Stage) -> dict[str, str]:
    return pulumi_environment(
        stage.workspace, base_url=stage.supervisor.base_url, binaries=stage.binaries
    )


def _supervisor(stage: Stage) -> psutil.Process:
    return psutil.Process(stage.supervisor.process.pid)


@contextmanager
def _stage_cpu(stage: Stage) -> Iterator[list[float]]:
    """Give what each process of the stage has spent, once the block has ended."""
    before, spent = cpu_by_process(_supervisor(stage)), list[float]()
    yield spent
    after = cpu_by_process(_supervisor(stage))
    spent += [seconds - before.get(pid, 0) for pid, seconds in after.items()]


def _memory_mib(stage: Stage) -> dict[str, float]:
    supervisor = _supervisor(stage)
    found: Counter[str] = Counter()
    for process in (supervisor, *supervisor.children(recursive=True)):
        program = "operator" if "kopf" in process.cmdline() else process.name()
        name = "supervisor, emulated Google" if process == supervisor else program
        found[name] += process.memory_info().rss
    return {name: taken / MIB for name, taken in found.most_common()}
