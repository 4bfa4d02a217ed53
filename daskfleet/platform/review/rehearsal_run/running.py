"""A rehearsal in a private folder, on which one revision of the program works after the other."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daskfleet.access.interrupts import uninterrupted
from daskfleet.platform.review.last_words import told_in_words
from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.policy_packs import PolicyPack, flags
from daskfleet.platform.review.read import read_preview
from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from daskfleet.platform.review.rehearsal_run.seeing import see
from daskfleet.platform.review.rehearsal_run.sides import Side
from rehearsal.progress import Steps
from rehearsal.providers.install import Choice
from rehearsal.report.address_watch import AddressWatch
from rehearsal.report.model import SecondUp
from rehearsal.report.stage_parts import stage_parts
from rehearsal.stage.stage import Stage, set_stage
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.supervisor.record import ClusterRecord
from rehearsal.up import second_up
from rehearsal.workspace import Workspace


class RunningFleet:
    """One stage, the stack on it, and the revision that works on it."""

    def __init__(self, directory: Path, *, stack: str, providers: Choice, steps: Steps) -> None:
        self.directory = directory
        self._stack = stack
        self._providers = providers
        self._steps = steps
        self._stage: Stage | None = None

    def move_to(self, side: Side) -> None:
        """Let a revision work on the stage, which is set for the first one.

        Raises:
            RehearsalError, ToolchainError: the stage cannot be set; the message says what to do.
        """
        self._stage = set_stage(
            self.workspace_of(side),
            providers=self._providers,
            latency="fast",
            dask="place",  # a review asks where pods go and what they lose, not what they compute
            steps=self._steps,
        )

    def workspace_of(self, side: Side) -> Workspace:
        """Where a revision finds its files, and the stage that all of them share."""
        return Workspace(
            project_dir=side.tree,
            directory=self.directory,
            stack=self._stack,
            config_file=side.settings,
        )

    def run(self, name: str, *arguments: str) -> None:
        """Run a pulumi command as a step of that name.

        Raises:
            EngineFailedError: the engine ended with an error; ``said_by`` has its reasons.
            RehearsalError: the engine was interrupted, or the stage broke.
        """
        with self._steps.step(name) as step:
            done = self.stage.engine.run(
                *arguments, step=step, watch=lambda: what_is_dead(self.stage.workspace)
            )
            step.outcome = f"{done.changed} resources change"

    def preview(self, name: str, packs: Sequence[PolicyPack]) -> None:
        """Run a preview that policies look at; raises as ``run`` does, for a refusal too."""
        no_config = self.directory / "no-policy-config.json"
        no_config.write_text("{}", encoding="utf-8")
        self.run(name, "preview", *flags(packs, no_config=no_config))

    def up_again(self, name: str) -> SecondUp:
        """Update the unchanged stack once more."""
        with self._steps.step(name) as step:
            second = second_up(self.stage, step)
            step.outcome = f"{second.changed_resources} resources change"
        return second

    def said_by(self, command: str) -> Preview:
        """What the last such command of the engine said and did."""
        log = self.stage.workspace.logs_dir / f"pulumi-{command}"
        with log.with_suffix(".jsonl").open(encoding="utf-8") as lines:
            said = read_preview(lines)
        words = log.with_suffix(".stderr").read_text("utf-8", errors="replace").strip()
        # Words without a summary: it ended early, as it does when a pack does not start.
        if said.result == "incomplete" and words:
            return told_in_words(said, words, otherwise=f"`pulumi {command}` ended early.")
        return said

    @property
    def stage(self) -> Stage:
        """The stage, once it is set."""
        if self._stage is None:
            raise RuntimeError("no revision has been moved to this stage yet")
        return self._stage

    @property
    def clusters(self) -> tuple[ClusterRecord, ...]:
        """The control planes that there are now."""
        supervisor = live_supervisor(self.stage.workspace)
        return supervisor.clusters if supervisor else ()

    def see(self) -> Fleet:
        """Look at what there is now."""
        return see(self.clusters)

    def address_watch(self) -> AddressWatch:
        """Follow who is behind the teams' addresses."""
        return AddressWatch(self.stage.workspace)

    @property
    def stood_in(self) -> tuple[str, ...]:
        """What is not real on this stage; nothing while it is not set."""
        if self._stage is None:
            return ()
        parts = stage_parts(self.stage.binaries, providers=self.stage.providers, dask=None)
        return tuple(
            f"{part.part} ({re.split('[:;]', part.what_ran)[0]})"
            for part in parts
            if not part.is_real
        )


@contextmanager
def running_fleet(
    directory: Path, *, stack: str, providers: Choice, steps: Steps
) -> Iterator[RunningFleet]:
    """A stage for the length of the block; whatever ends the block, nothing is left of it."""
    running = RunningFleet(directory, stack=stack, providers=providers, steps=steps)
    workspace = Workspace(project_dir=directory, directory=directory, stack=stack)
    try:
        yield running
    finally:
        with steps.step("ending it") as step:
            with uninterrupted(lambda: step.say("It is already ending. Wait a few more seconds.")):
                end_rehearsal(workspace, report=step.report)
            step.outcome = "nothing runs, nothing is left"
