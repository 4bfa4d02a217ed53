"""A fleet on which single inputs are changed, and what was foretold is compared with what is."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequences import consequences
from daskfleet.planning.changes.resource_change import ResourceChange
from daskfleet.planning.changes.rules import class_of
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.rehearsal_run import disruption
from daskfleet.platform.review.rehearsal_run.disruption import Disruption
from daskfleet.platform.review.rehearsal_run.seeing import see
from rehearsal.engine.engine import EngineFailedError
from rehearsal.stage.teardown import end_rehearsal
from tests.daskfleet.planning.documents import planned
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.observed import resource_changes
from tests.rehearsal.end_to_end.input_changes.own_key import make_own_key
from tests.rehearsal.end_to_end.input_changes.project import ChangedProject, with_more_inputs
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team

UP = ("up", "--yes", "--skip-preview")

READY_TIMEOUT_S = 120
"""Where two pools of a team go at once, its quota may count a pod that is about to go, and refuse
the new one: its ReplicaSet tries again after at most twice the time that has passed."""

Told = dict[tuple[str, str], str]
"""Operation by type and name."""


class InputStage:
    """A running rehearsal of the real program, with a hand on its inputs."""

    def __init__(self, directory: Path) -> None:
        self._project = ChangedProject(directory / "project")
        self.rehearsal = RunningRehearsal(directory, project_dir=self._project.directory)
        self.rehearsal.base = with_more_inputs(self.rehearsal.base)
        for each in self.rehearsal.base["daskfleet:teams"]:
            each["ready_timeout_s"] = READY_TIMEOUT_S
        make_own_key(self.rehearsal.base_url, project=self.rehearsal.base["daskfleet:project"])
        self._replaces_cluster = False

    @property
    def plan(self) -> FleetPlan:
        """The fleet that the settings describe."""
        settings = self.rehearsal.base
        return planned({key.removeprefix("daskfleet:"): value for key, value in settings.items()})

    def preview(self, changes: Sequence[InputChange]) -> list[ResourceChange]:
        """What the engine would do."""
        self._change(changes)
        try:
            self.rehearsal.run("preview")
        finally:
            self._project.change()
        return self._told("preview")

    def up(self, changes: Sequence[InputChange]) -> tuple[list[ResourceChange], Disruption]:
        """Carry changes out; return what the engine did, and what went with it."""
        before = see([self.rehearsal.cluster])
        self._change(changes)
        self._replaces_cluster = any(
            change.row.change_class is ChangeClass.REPLACES_CLUSTER for change in changes
        )
        try:
            told = self._up()
        finally:
            self.rehearsal.touched()  # by another program: the settings are the same
        return told, disruption.seen(before, see([self.rehearsal.cluster]))

    def undo(self) -> None:
        """Bring the fleet back to what the program declares."""
        self._project.change()
        self.rehearsal.configure(self.rehearsal.base)
        self._up()

    def _up(self) -> list[ResourceChange]:
        """Run `up`; return what the engine did."""
        if self._replaces_cluster:
            return self._up_to_another_cluster()
        self.rehearsal.run(*UP)
        return self._told("up")

    def _up_to_another_cluster(self) -> list[ResourceChange]:
        """Replace the GKE cluster as the runbook says; return what the first of two runs did.

        The state still has what was in the old cluster, and the program's error says what to do.
        """
        with pytest.raises(EngineFailedError):
            self.rehearsal.run(*UP)
        assert "`pulumi up --refresh` creates it again" in self.rehearsal.said
        told = self._told("up")
        self.rehearsal.run(*UP, "--refresh")
        return told

    def foretold(self, changes: Sequence[InputChange]) -> Disruption:
        """What the table and the plan say will go."""
        expected = consequences([each.foretold for each in all_of(changes)], self.plan)
        return disruption.foretold(expected, see([self.rehearsal.cluster]), self.plan)

    def _change(self, changes: Sequence[InputChange]) -> None:
        self._project.change(all_of(changes))
        settings = self.rehearsal.settings()
        for change in changes:
            if change.is_workers:
                _, name = change.parent
                team(settings, name)["workers"] = change.value
        if settings != self.rehearsal.base:
            self.rehearsal.configure(settings)

    def _told(self, command: str) -> list[ResourceChange]:
        log = self.rehearsal.workspace.logs_dir / f"pulumi-{command}.jsonl"
        return list(resource_changes(log).values())


class Stages:
    """One stage at a time; whoever spoils it ends it, and the next one gets another."""

    def __init__(self, new_directory: Callable[[], Path]) -> None:
        self._new_directory = new_directory
        self._current: InputStage | None = None

    @property
    def current(self) -> InputStage:
        """The stage, with the fleet up as declared."""
        if self._current is None:
            self._current = InputStage(self._new_directory())
        self._current.rehearsal.ensure_as_declared()
        return self._current

    def end(self) -> None:
        """End the stage, if there is one."""
        if self._current is not None:
            end_rehearsal(self._current.rehearsal.workspace, report=print)
        self._current = None


def all_of(changes: Sequence[InputChange]) -> list[InputChange]:
    """Changes, each after those that it needs."""
    return [part for change in changes for part in (*change.along, change)]


def foretold_operations(changes: Sequence[InputChange]) -> Told:
    """What the table says that the engine does, what stays the same left out."""
    every = all_of(changes)
    told: Told = {
        (each.type, each.name): each.row.operation for each in every if each.row.operation != "same"
    }
    return told | {other: "replace" for each in every for other in each.replaced_with_it}


def operations(told: Sequence[ResourceChange]) -> Told:
    """What the engine said."""
    return {(each.type, each.name): each.operation for each in told}


def worst(told: Sequence[ResourceChange]) -> ChangeClass:
    """The class of everything that the engine said."""
    return max(
        class_of(each.type, name=each.name, operation=each.operation)
        for each in told
        if each.operation != "update"
    )
