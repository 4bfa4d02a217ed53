"""A rehearsal that tests drive: its settings, plain `pulumi` on it, and what is to be seen."""

import copy
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import yaml
from rich.console import Console

from rehearsal.control_plane import DaskMode
from rehearsal.engine.engine import Outcome
from rehearsal.errors import RehearsalError
from rehearsal.progress import Steps
from rehearsal.report.fleet_state import Pod
from rehearsal.report.observe import Observation, observe
from rehearsal.snapshots.names import existing_snapshot
from rehearsal.snapshots.pods_again import late_pods
from rehearsal.snapshots.put_back import put_back
from rehearsal.snapshots.save import save
from rehearsal.stage.stack_file import prepare_stack_file
from rehearsal.stage.stage import Stage, set_stage
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.supervisor.record import ClusterRecord
from rehearsal.workspace import Workspace
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.google_resources import google_resources
from tests.tiers.providers import chosen_providers

STACK_FILE_NAME = Path("stacks") / "Pulumi.rehearsal.yaml"
STACK_FILE = PROJECT_DIR / STACK_FILE_NAME
READY_TIMEOUT_S: dict[DaskMode, int] = {"place": 30, "run": 120}
"""Long enough for kwok on a busy machine, short enough to wait for in the tests that fail; and for
real processes, on whatever cores are free."""

OPERATOR_LINES = 60

Settings = dict[str, Any]
"""A stack file's ``config``."""

NOTHING: Settings = {}
"""Where a stage is on which no fleet is up."""


def rehearsal_settings(file: Path = STACK_FILE, *, dask: DaskMode = "place") -> Settings:
    """Return the settings of the rehearsal stack, with a short wait for readiness."""
    settings: Settings = yaml.safe_load(file.read_text(encoding="utf-8"))["config"]
    for team in settings["daskfleet:teams"]:
        team["ready_timeout_s"] = READY_TIMEOUT_S[dask]
    return settings


class RunningRehearsal:
    """One stage in a directory of its own, and the stack on it."""

    def __init__(
        self,
        directory: Path,
        *,
        project_dir: Path = PROJECT_DIR,
        dask: DaskMode = "place",
        stack_file: Path = STACK_FILE_NAME,
        begins_with: Path | None = None,
    ) -> None:
        """Set a stage; with a snapshot of another one, which has ended, its fleet is up."""
        self._dask: DaskMode = dask
        self.base = rehearsal_settings(project_dir / stack_file, dask=dask)
        self._at: Settings | None = NOTHING if begins_with is None else None
        self._config_file = directory / "settings.yaml"
        self.workspace = Workspace(
            project_dir=project_dir, directory=directory / "stage", config_file=self._config_file
        )
        self._write(self.base)
        self._words = io.StringIO()
        self._steps = Steps(Console(file=self._words, width=200))
        if begins_with is not None:
            put_back(self.workspace, begins_with, report=print)
        began = datetime.now(tz=UTC)
        self.stage: Stage = self.set_stage()
        self._wait_for_pods(since=began)
        self.resources_before = self.google_resources()

    def set_stage(self) -> Stage:
        """Set the stage as `rehearse up` does."""
        self.stage = set_stage(
            self.workspace,
            providers=chosen_providers(),
            latency="fast",
            dask=self._dask,
            steps=self._steps,
        )
        return self.stage

    def save(self, name: str) -> Path:
        """Save the stage, and return where."""
        began = datetime.now(tz=UTC)
        snapshot = save(self.workspace, name, report=print)
        self._wait_for_pods(since=began)
        return snapshot

    def restore(self, name: str) -> None:
        """Bring the stage back as it was saved, whether it runs or not."""
        put_back(
            self.workspace,
            existing_snapshot(self.workspace, name),
            report=print,
        )
        began = datetime.now(tz=UTC)
        self.set_stage()
        self._wait_for_pods(since=began)
        self.touched()

    def _wait_for_pods(self, *, since: datetime) -> None:
        record = live_supervisor(self.workspace)
        assert record is not None
        assert late_pods(record, since=since) == ()

    def move_to(self, project_dir: Path) -> None:
        """Let another checkout of the program work on the same stage, with the same settings."""
        self.workspace = replace(self.workspace, project_dir=project_dir)
        self.touched()
        self.set_stage()

    def event_log(self, command: str) -> Path:
        """Where the engine's events of the last such command are."""
        return self.workspace.logs_dir / f"pulumi-{command}.jsonl"

    def settings(self) -> Settings:
        """Return a copy of the settings, to change and give to `up`."""
        return copy.deepcopy(self.base)

    def is_at(self, settings: Settings | None = None) -> bool:
        """Whether the fleet is known to be as these settings declare it, or the unchanged ones."""
        return self._at == (settings or self.base)

    def ensure_as_declared(self, settings: Settings | None = None) -> None:
        """Bring the fleet to these settings, or the unchanged ones, unless it is there."""
        if not self.is_at(settings):
            self.up(settings)
        elif self._written != (settings or self.base):
            self.configure(settings or self.base)

    def bring_down(self) -> None:
        """Destroy the fleet, unless none is up."""
        if self._at != NOTHING:
            self.ensure_as_declared()  # it may be protected now
            self.run("destroy", "--yes", "--skip-preview")

    def up(
        self,
        settings: Settings | None = None,
        *options: str,
        watch: Callable[[], str | None] | None = None,
    ) -> Outcome:
        """Run `pulumi up` with these settings, or the unchanged ones."""
        self.configure(settings or self.base)
        return self.run("up", "--yes", "--skip-preview", *options, watch=watch)

    def configure(self, settings: Settings) -> None:
        """Let the next command work with these settings."""
        self._write(settings)
        prepare_stack_file(self.workspace)

    @contextmanager
    def considering(self, settings: Settings) -> Iterator[None]:
        """Let commands that change nothing work with these settings."""
        self.configure(settings)
        try:
            yield
        finally:
            self.configure(self.base)

    def run(self, *arguments: str, watch: Callable[[], str | None] | None = None) -> Outcome:
        """Run any pulumi command that works on resources."""
        self._words.seek(0)
        self._words.truncate()
        leads_to = {"up": self._written, "destroy": NOTHING}
        if arguments[0] in leads_to:
            self.touched()
        try:
            with self._steps.step(arguments[0]) as step:
                outcome = self.stage.engine.run(
                    *arguments, step=step, watch=watch or (lambda: what_is_dead(self.workspace))
                )
        except RehearsalError:
            print(self.said, *self._operator_log(), sep="\n")  # noqa: T201 - for a failing test
            raise
        self._at = leads_to.get(arguments[0], self._at)
        return outcome

    def _operator_log(self) -> list[str]:
        """What the operator said, less its HTTP client's words."""
        logs = self.workspace.logs_dir.glob("operator-*.log")
        lines = (line for log in logs for line in log.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if "HTTP Request" not in line][-OPERATOR_LINES:]

    @property
    def said(self) -> str:
        """What the last command printed."""
        return self._words.getvalue()

    def touched(self) -> None:
        """Say that the fleet may differ from the settings now."""
        self._at = None

    def seen_as_declared(self) -> None:
        """Say that a look has shown the fleet to be as the settings of the last command declare."""
        self._at = self._written

    @property
    def base_url(self) -> str:
        """Where the emulated Google APIs answer."""
        return self.stage.supervisor.base_url

    @property
    def cluster(self) -> ClusterRecord:
        """The control plane, as the supervisor knows it now."""
        record = live_supervisor(self.workspace)
        assert record is not None
        (cluster,) = record.clusters
        return cluster

    def see(self) -> Observation:
        """Look at the cluster."""
        return observe(self.cluster)

    def dask_pods(self, team: str) -> dict[str, Pod]:
        """Return a team's Dask pods by UID."""
        return {pod.uid: pod for pod in self.see().pods if pod.team == team}

    def google_resources(self) -> dict[str, Any]:
        """Return all that the emulated Google Cloud project holds, by collection."""
        return google_resources(self.base_url, self.base["daskfleet:project"])

    def inject(self, *faults: dict[str, Any]) -> None:
        """Let the emulated Google APIs fail from now on; none clears them."""
        httpx.post(f"{self.base_url}/rehearsal/faults", json=list(faults)).raise_for_status()

    def happen(self, **incident: str) -> None:
        """Let an incident happen to the cluster."""
        self.touched()
        httpx.post(
            f"{self.base_url}/rehearsal/incidents", json=incident, timeout=120
        ).raise_for_status()

    def _write(self, settings: Settings) -> None:
        self._written = copy.deepcopy(settings)
        text = yaml.safe_dump({"config": settings}, sort_keys=False)
        self._config_file.write_text(text, encoding="utf-8")


def team(settings: Settings, name: str) -> dict[str, Any]:
    """Return a team's part of the settings."""
    teams: Sequence[dict[str, Any]] = settings["daskfleet:teams"]
    (found,) = (entry for entry in teams if entry["name"] == name)
    return found


def work(outcome: Outcome) -> dict[str, int]:
    """The operations that changed something."""
    return {op: count for op, count in outcome.changes.items() if op != "same" and count}
