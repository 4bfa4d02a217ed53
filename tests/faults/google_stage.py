"""The engine, its state and an emulated Google without Kubernetes: where the fast cases run."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from rehearsal.emulator import Emulator, Fault, Latency
from rehearsal.emulator.held_requests import HELD_PATH
from rehearsal.providers.install import install_plugins
from rehearsal.toolchain import Binaries
from tests.faults import fleets
from tests.faults.engine_state import EngineState
from tests.faults.google_program import FLEET_FILE
from tests.faults.live_project import is_short, live_project
from tests.project import PROJECT_DIR
from tests.rehearsal.emulator.running import emulated_in_thread
from tests.rehearsal.providers.engine_runs import engine_environment, search_path
from tests.rehearsal.providers.gcp.conftest import endpoints
from tests.state_bucket import StateBucket

STACK = "faults"
_RECOVER = "import typer, daskfleet.platform.recovery.cli as r; typer.run(r.command)"
_PROGRAM = "from tests.faults.google_program import declare_fleet\n\ndeclare_fleet()\n"
LIMIT_S = 180
"""A command that takes longer hangs: every one of them ends within seconds."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a command ended."""

    exit_code: int
    said: str


class GoogleStage:
    """One stack on one emulator."""

    def __init__(
        self,
        *,
        directory: Path,
        state: EngineState,
        emulator: Emulator,
        pulumi: Path,
        environment: Mapping[str, str],
    ) -> None:
        self.emulator = emulator
        self.state = state
        self._directory = directory
        self._pulumi = pulumi
        self._environment = dict(environment)
        self._fleet: fleets.Name | None = None
        self.begin_anew()

    @property
    def fleet(self) -> fleets.Name | None:
        """What is up and as declared; None when nobody knows."""
        return self._fleet

    def bring_to(self, name: fleets.Name) -> None:
        """Bring the stack to a fleet, unless it is there. Raises AssertionError."""
        if self._fleet == name:
            return
        if self._fleet == "protected" and name != "grown":
            self.bring_to("grown")  # which has the same, without its protection
        self.touched()
        done = self.finish(self.begin(name))
        assert done.exit_code == 0, done.said
        self._fleet = name

    def begin_anew(self) -> None:
        """Forget everything that a failed case left, in Google and in the state."""
        self.inject()
        project = self.emulator.world.project(fleets.FLEET["project"])
        for held in (project.clusters, project.compute, project.service_accounts, project.policy):
            held.clear()
        self.state.clear()
        self.run(str(self._pulumi), "stack", "init", STACK)
        self._fleet = "empty"

    def touched(self) -> None:
        """Say that the stack is on its way somewhere."""
        self._fleet = None

    def arrived(self, name: fleets.Name) -> None:
        """Say that the stack is at a fleet, and was checked."""
        self._fleet = name

    def begin(self, target: fleets.Name, *options: str) -> "subprocess.Popen[str]":
        """Start the command that leads to a fleet: `up`, or `destroy` for none."""
        document = fleets.document(target)
        verb = "destroy" if document is None else "up"
        if document is not None:
            self._declare(document)
        return self._start([str(self._pulumi), verb, "--yes", "--skip-preview", *options])

    def finish(self, process: "subprocess.Popen[str]") -> Done:
        """Wait for a command's end."""
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            said, _ = process.communicate()
            said += f"\nhung for {LIMIT_S} s"
        return Done(exit_code=process.returncode, said=said)

    def recover(self, target: fleets.Name, *options: str) -> Done:
        """Run `daskfleet recover`; its preview finds the program of ``target``."""
        document = fleets.document(target)
        if document is not None:
            self._declare(document)
        # Without the other verbs of daskfleet, whose imports take longer than this one's work.
        return self.finish(self._start([sys.executable, "-c", _RECOVER, *options]))

    def exported(self) -> Mapping[str, Any]:
        """Return the state as the engine reads it. Raises AssertionError when it cannot."""
        file = self._directory / "exported.json"
        self.run(str(self._pulumi), "stack", "export", "--file", str(file))
        deployment: Mapping[str, Any] = json.loads(file.read_text("utf-8"))["deployment"]
        return deployment

    def unprotect(self, *urns: str) -> Done:
        """Run `pulumi state unprotect`."""
        command = [str(self._pulumi), "state", "unprotect", "--yes", *urns]
        return self.finish(self._start(command))

    def run(self, *command: str) -> Done:
        """Run any command in the stack's environment. Raises AssertionError when it fails."""
        done = self.finish(self._start(command))
        assert done.exit_code == 0, done.said
        return done

    def inject(self, *faults: Fault) -> None:
        """Let these faults strike from now on, and no others."""
        self.emulator.faults.replace(*faults)

    def held(self) -> list[Mapping[str, str]]:
        """Return the requests that are held."""
        held: list[Mapping[str, str]] = httpx.get(self.emulator.base_url + HELD_PATH).json()
        return held

    def release(self) -> None:
        """Let held requests go on."""
        httpx.delete(self.emulator.base_url + HELD_PATH)

    def let_gke_catch_up(self) -> None:
        """Wait until every pool that GKE keeps trying for has its machines."""
        project = self.emulator.world.project(fleets.FLEET["project"])
        deadline = time.monotonic() + LIMIT_S
        while any(is_short(pool) for c in project.clusters.values() for pool in c.pools.values()):
            assert time.monotonic() < deadline, "a pool does not get its machines"
            time.sleep(0.05)

    def live(self) -> Mapping[str, Any]:
        """Return what exists in Google Cloud."""
        return live_project(self.emulator.world.project(fleets.FLEET["project"]))

    def writes(self) -> Sequence[str]:
        """Return the changes that Google was asked for so far."""
        return [f"{r.method} {r.path}" for r in self.emulator.log.read() if r.mutating]

    def _declare(self, document: Mapping[str, Any]) -> None:
        (self._directory / "project" / FLEET_FILE).write_text(json.dumps(document))

    def _start(self, command: Sequence[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            cwd=self._directory / "project",
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Signals go to the engine alone: its plugins and program hear of them from it.
            process_group=0,
        )


@contextlib.contextmanager
def google_stage(
    directory: Path,
    *,
    binaries: Binaries,
    latency: Latency,
    bucket: StateBucket | None = None,
    engine_settings: Mapping[str, str] | None = None,
) -> Iterator[GoogleStage]:
    """Set up a stage in ``directory``; nothing of it survives. Its state is in files, or a bucket.

    That is one folder of files either way: what is in the bucket lies in one. ``engine_settings``
    are variables that the engine reads.
    """
    home, project = directory / "home", directory / "project"
    project.mkdir()
    (project / "Pulumi.yaml").write_text(yaml.safe_dump({"name": "daskfleet", "runtime": "python"}))
    (project / "__main__.py").write_text(_PROGRAM)
    install_plugins(
        pulumi_home=home,
        choice="stand-in",
        user_pulumi_home=directory / "nobody",
        pulumi=binaries.pulumi,
        progress=lambda _: None,
    )
    path = search_path(Path(sys.executable).parent, binaries.pulumi.parent)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GOOGLE_", "PULUMI_"))}
    with emulated_in_thread(directory, latency=latency) as emulator:
        yield GoogleStage(
            directory=directory,
            state=(
                EngineState(bucket.directory, stack=STACK, put=bucket.put)
                if bucket
                else EngineState(directory / "state", stack=STACK)
            ),
            emulator=emulator,
            pulumi=binaries.pulumi,
            environment={
                **kept,
                **engine_environment(directory, path=path),
                **(bucket.environment if bucket else {}),
                **(engine_settings or {}),
                **endpoints(emulator.base_url),
                "PULUMI_HOME": str(home),
                "PULUMI_STACK": STACK,
                "PYTHONPATH": str(PROJECT_DIR),
            },
        )


def until_held(stage: GoogleStage, process: "subprocess.Popen[str]") -> bool:
    """Wait until a request is held; False when the command ended without one."""
    while process.poll() is None:
        if stage.held():
            return True
        time.sleep(0.02)
    return False
