"""How long settings and planning take, without the engine."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.record import Figures
from bench.stack_of_teams import write_stack_file
from daskfleet.checkout import PROJECT_DIR

TEAM_COUNTS = (1, 10, 100)


class PlanningRun(Figures):
    """One stack file, read and planned once."""

    import_s: float
    """pydantic, PyYAML, ``settings`` and ``planning``; not part of the aim."""
    settings_s: float
    """From the file to settings."""
    planning_s: float
    """From settings to a plan: every check, placement, cost."""

    @property
    def settings_and_planning_s(self) -> float:
        """What the aim is about."""
        return self.settings_s + self.planning_s


class PlanningRow(Figures):
    """All runs for one number of teams."""

    teams: int
    runs: tuple[PlanningRun, ...]


class PlanningResult(Figures):
    """What ``python -m bench planning`` measures."""

    rows: tuple[PlanningRow, ...]


def measure_planning(*, runs: int, progress: Callable[[str], None]) -> PlanningResult:
    """Plan fleets of 1, 10 and 100 teams, each run in an interpreter of its own.

    Raises:
        subprocess.CalledProcessError: a run failed; what it said went to standard error.
    """
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for teams in TEAM_COUNTS:
            progress(f"planning {teams} teams, {runs} times")
            file = Path(scratch) / f"Pulumi.teams-{teams}.yaml"
            write_stack_file(file, teams=teams)
            _probe(file)  # A first run compiles modules and fills the page cache.
            rows.append(PlanningRow(teams=teams, runs=tuple(_probe(file) for _ in range(runs))))
    return PlanningResult(rows=tuple(rows))


def _probe(file: Path) -> PlanningRun:
    command = [sys.executable, "-m", "bench.planning_probe", str(file)]
    done = subprocess.run(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, check=True)
    return PlanningRun.model_validate_json(done.stdout)
