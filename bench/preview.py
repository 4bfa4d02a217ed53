"""``pulumi preview`` of the fleet next to bare programs with as many resources."""

import functools
import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from bench.process_tree import Usage, measure
from bench.record import Figures
from bench.stack_of_teams import write_stack_file
from bench.stage import staged
from rehearsal.engine.engine import Engine
from rehearsal.engine.stack_init import ensure_stack
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.report.model import StagePart
from rehearsal.stage.stage import Stage
from rehearsal.workspace import Workspace, pulumi_environment

FLOOR_DIR = Path(__file__).parent / "floor"
TEAM_COUNTS = (1, 10, 50)

Progress = Callable[[str], None]


class Resources(Figures):
    """How many resources a preview has."""

    google: int
    kubernetes: int
    components: int
    """Groups of resources, which no provider hears of; the floors have none."""


class PreviewRow(Figures):
    """All runs for one number of teams. The three programs took turns."""

    teams: int
    resources: Resources
    fleet: tuple[Usage, ...]
    floor: tuple[Usage, ...]
    """The plainest resources there are: service accounts and ConfigMaps."""
    gke_floor: tuple[Usage, ...]
    """A bare GKE cluster with its network and pools, and ConfigMaps."""


class PreviewResult(Figures):
    """What ``python -m bench preview`` measures."""

    engine: str
    providers: tuple[StagePart, ...]
    rows: tuple[PreviewRow, ...]


def measure_previews(
    *, runs: int, providers: Choice, steps: Steps, progress: Progress
) -> PreviewResult:
    """Preview new fleets of 1, 10 and 50 teams, and their floors.

    Raises:
        CommandFailedError: a preview failed; the message has its diagnostics.
        RehearsalError, ToolchainError: the stage cannot be set.
    """
    rows, engine = [], ""
    parts: tuple[StagePart, ...] = ()
    for teams in TEAM_COUNTS:
        # Without an ``up`` it has no cluster.
        with staged(
            functools.partial(write_stack_file, teams=teams), providers=providers, steps=steps
        ) as stage:
            rows.append(_row(stage, teams=teams, runs=runs, progress=progress))
            engine, parts = stage.engine.output("version").strip(), stage.providers
    return PreviewResult(engine=engine, providers=parts, rows=tuple(rows))


def _row(stage: Stage, *, teams: int, runs: int, progress: Progress) -> PreviewRow:
    resources = _count(stage.engine)
    floor = replace(stage.workspace, project_dir=FLOOR_DIR, stack="floor")
    environment = _environment(stage, floor)
    ensure_stack(floor, Engine(floor, pulumi=stage.binaries.pulumi, environment=environment))
    config_maps = {"FLOOR_KUBERNETES": str(resources.kubernetes)}
    programs: dict[str, tuple[Workspace, Mapping[str, str]]] = {
        "fleet": (stage.workspace, {}),
        "floor": (floor, {**config_maps, "FLOOR_GOOGLE": str(resources.google)}),
        "gke_floor": (floor, {**config_maps, "FLOOR_GOOGLE": "gke"}),
    }
    usages: dict[str, list[Usage]] = {name: [] for name in programs}
    # Run 0 compiles modules and fills the page cache, and is not kept.
    for run in range(runs + 1):
        progress(f"preview of {teams} teams and of bare programs: run {run} of {runs}")
        for name, (workspace, variables) in programs.items():
            usage = measure(
                [str(stage.binaries.pulumi), "preview", "--non-interactive", "--color=never"],
                cwd=workspace.project_dir,
                environment={**_environment(stage, workspace), **variables},
            )
            if run > 0:
                usages[name].append(usage)
    return PreviewRow(
        teams=teams,
        resources=resources,
        fleet=tuple(usages["fleet"]),
        floor=tuple(usages["floor"]),
        gke_floor=tuple(usages["gke_floor"]),
    )


def _count(engine: Engine) -> Resources:
    steps = json.loads(engine.output("preview", "--json"))["steps"]
    packages = Counter(step["newState"]["type"].partition(":")[0] for step in steps)
    return Resources(
        google=packages["gcp"], kubernetes=packages["kubernetes"], components=packages["daskfleet"]
    )


def _environment(stage: Stage, workspace: Workspace) -> dict[str, str]:
    return pulumi_environment(
        workspace, base_url=stage.supervisor.base_url, binaries=stage.binaries
    )
