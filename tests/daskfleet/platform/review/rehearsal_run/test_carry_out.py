"""Unit: what is applied of a change that policies look at; the rehearsal is played."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from daskfleet.platform.review.assess import assess
from daskfleet.platform.review.model import Preview, Verdict
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run import carry_out as carrying_out
from daskfleet.platform.review.rehearsal_run.carry_out import carry_out
from daskfleet.platform.review.rehearsal_run.fleet import Fleet
from daskfleet.platform.review.rehearsal_run.revisions import Revision
from daskfleet.platform.review.rehearsal_run.sides import Side, Sides
from rehearsal.engine.engine import EngineFailedError
from tests.components.fleets import fleet as planned_fleet
from tests.daskfleet.platform.review.recordings import recorded

PACKS = (PolicyPack(path=Path("/own")),)


class PlayedFleet:
    """A fleet on which a preview fails, as the engine ends when a mandatory policy refuses."""

    stood_in = ("nodes and GPUs",)

    def __init__(self) -> None:
        self.looked_at_by: Sequence[PolicyPack] = ()
        self.ran: list[str] = []

    def move_to(self, side: Side) -> None:
        """Nothing to move."""

    def preview(self, name: str, packs: Sequence[PolicyPack]) -> None:
        """Find what was recorded."""
        self.ran.append(name)
        self.looked_at_by = packs
        raise EngineFailedError("`pulumi preview` failed (exit code 255)")

    def run(self, name: str, *_: str) -> None:
        """Keep that something ran."""
        self.ran.append(name)

    def said_by(self, command: str) -> Preview:
        """Return what was recorded."""
        assert command == "preview"
        return recorded("policies")


def side(name: str, directory: Path) -> Side:
    stack_file = directory / "Pulumi.prod.yaml"
    stack_file.touch()
    return Side(
        revision=Revision(commit=name, is_working_tree=False),
        tree=directory,
        stack_file=stack_file,
        settings=stack_file,
        other_pins=(),
    )


def test_what_a_mandatory_policy_refuses_is_not_applied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned_fleet()
    monkeypatch.setattr(carrying_out, "refusal", lambda *_, **__: "")
    monkeypatch.setattr(carrying_out, "bring_up", lambda *_, **__: Fleet())
    monkeypatch.setattr(carrying_out, "planned", lambda _: plan)
    running = PlayedFleet()

    told, found, rehearsed = carry_out(
        Sides(base=side("base", tmp_path), head=side("head", tmp_path)),
        running,  # type: ignore[arg-type]
        stack="prod",
        packs=PACKS,
    )

    assert running.looked_at_by == PACKS
    assert running.ran == ["HEAD: preview"]
    assert rehearsed.lines == ("nothing was applied",)
    assert "Mandatory policies refuse this" in rehearsed.error
    assert found is plan
    review = assess(
        told,
        found,
        commit="head",
        made_at=datetime(2026, 11, 21, tzinfo=UTC),
        allowed=frozenset(),
        rehearsed=rehearsed,
    )
    assert review.policies == recorded("policies").policies
    assert review.verdict is Verdict.FAILED
    assert review.gate.why.startswith("A policy refuses it: ")
