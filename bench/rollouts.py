"""Seconds without a ready scheduler behind a team's address while its image changes."""

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Literal

import yaml

from bench.record import Figures
from bench.stage import staged
from daskfleet.checkout import PROJECT_DIR
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.report.address_watch import AddressWatch, unserved_s
from rehearsal.report.model import StagePart
from rehearsal.stage.stack_file import prepare_stack_file
from rehearsal.stage.stage import Stage

SETTINGS = PROJECT_DIR / "stacks" / "Pulumi.rehearsal.yaml"
TEAM = "climate"
IMAGES = tuple(f"nvcr.io/nvidia/rapidsai/base:{tag}-cuda12-py3.13" for tag in ("26.10", "26.08"))

Kind = Literal["recreate", "blue-green"]
KINDS: tuple[Kind, ...] = ("recreate", "blue-green")


class RolloutRun(Figures):
    """One change of the team's image."""

    up_s: float
    """The whole `pulumi up`."""
    unserved_s: float
    """No ready scheduler was behind the address."""


class RolloutRow(Figures):
    """All runs of one kind of rollout."""

    kind: Kind
    runs: tuple[RolloutRun, ...]


class RolloutResult(Figures):
    """What ``python -m bench rollouts`` measures."""

    stage: tuple[StagePart, ...]
    rows: tuple[RolloutRow, ...]


@dataclass(frozen=True)
class _Fleet:
    """A fleet on a stage, and the file that its settings come from."""

    stage: Stage
    settings_file: Path
    steps: Steps

    def up(self, *, kind: Kind, image: str) -> None:
        """Bring the fleet to these settings of its team."""
        write_settings(self.settings_file, kind=kind, image=image)
        prepare_stack_file(self.stage.workspace)
        with self.steps.step("pulumi up") as step:
            self.stage.engine.run("up", "--yes", "--skip-preview", step=step)

    def measured_up(self, *, kind: Kind, image: str) -> RolloutRun:
        """The same, with an eye on the address."""
        began = time.monotonic()
        with AddressWatch(self.stage.workspace) as addresses:
            self.up(kind=kind, image=image)
        return RolloutRun(
            up_s=time.monotonic() - began, unserved_s=unserved_s(addresses.moments[TEAM])
        )


def measure_rollouts(
    *, runs: int, providers: Choice, steps: Steps, progress: Callable[[str], None]
) -> RolloutResult:
    """Change a team's image back and forth, with both kinds of rollout.

    Raises:
        RehearsalError, ToolchainError: the stage cannot be set, or an `up` fails.
    """
    rows = []
    write_first = functools.partial(write_settings, kind=KINDS[0], image=IMAGES[0])
    with staged(write_first, providers=providers, steps=steps) as stage:
        fleet = _Fleet(stage, stage.workspace.stack_file, steps)
        for kind in KINDS:
            images = cycle(IMAGES)
            fleet.up(kind=kind, image=next(images))
            measured = []
            for run in range(runs):
                progress(f"{kind}, image {run + 1} of {runs}")
                measured.append(fleet.measured_up(kind=kind, image=next(images)))
            rows.append(RolloutRow(kind=kind, runs=tuple(measured)))
        return RolloutResult(stage=fleet.stage.providers, rows=tuple(rows))


def write_settings(file: Path, *, kind: Kind, image: str) -> None:
    """Write the rehearsal's fleet, with room for two clusters of one team."""
    document: dict[str, Any] = yaml.safe_load(SETTINGS.read_text(encoding="utf-8"))
    config = document["config"]
    config["daskfleet:scheduler_pool"]["node_count"] = 2
    (team,) = (each for each in config["daskfleet:teams"] if each["name"] == TEAM)
    team.update({"rollout": kind, "image": image})
    file.write_text(yaml.safe_dump({"config": config}, sort_keys=False), encoding="utf-8")
