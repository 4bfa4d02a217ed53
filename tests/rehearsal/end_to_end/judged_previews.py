"""Previews that the policy pack judges, and what it said; nothing is brought up for them."""

import contextlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.read import read_preview
from policies.location import INSTALL, PACK
from rehearsal.engine.engine import EngineFailedError
from rehearsal.locking import exclusive
from rehearsal.stage.teardown import end_rehearsal
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.project import ChangedProject
from tests.rehearsal.end_to_end.running_rehearsal import (
    RunningRehearsal,
    Settings,
    rehearsal_settings,
)


def install_pack() -> None:
    """Make the pack's environment, unless it is there."""
    lock = PROJECT_DIR / ".rehearsal" / "policies.lock"
    with exclusive(lock, subject="the policy pack's environment", progress=print):
        subprocess.run(INSTALL.split(), cwd=PROJECT_DIR, check=True)


class JudgedStage:
    """An empty stage with a hand on the program's inputs."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._project = ChangedProject(directory / "project")
        self._rehearsal = RunningRehearsal(directory, project_dir=self._project.directory)

    @property
    def settings(self) -> Settings:
        """The rehearsal stack's settings, to change and give to ``preview``."""
        return self._rehearsal.settings()

    def settings_of(self, stack: str) -> Settings:
        """The settings of any stack of the repository."""
        return rehearsal_settings(PROJECT_DIR / "stacks" / f"Pulumi.{stack}.yaml")

    def preview(
        self,
        settings: Settings,
        *arguments: str,
        changes: Sequence[InputChange] = (),
        config: Mapping[str, Any] | None = None,
    ) -> Preview:
        """Run ``pulumi preview`` with the pack; one that fails is read, too."""
        self._project.change(changes)
        self._rehearsal.configure(settings)
        if config is not None:
            file = self._directory / "policy-config.json"
            file.write_text(json.dumps(config), encoding="utf-8")
            arguments = (*arguments, "--policy-pack-config", str(file))
        with contextlib.suppress(EngineFailedError):  # what it said is what is asked for
            self._rehearsal.run("preview", *arguments)
        with self._rehearsal.event_log("preview").open(encoding="utf-8") as events:
            return read_preview(events)

    def end(self) -> None:
        """End the stage."""
        end_rehearsal(self._rehearsal.workspace, report=print)


def named_by_policy(preview: Preview) -> dict[str, set[str]]:
    """The resources that each policy named, by their logical names."""
    named: dict[str, set[str]] = {}
    for finding in preview.policies:
        named.setdefault(finding.policy, set()).add(finding.resource.rpartition(" ")[2])
    return named


PACK_ARGUMENTS = ("--policy-pack", str(PACK))
"""Without a stack's own configuration."""
