"""Unit: what going back would do, by a preview of BASE on the changed fleet."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from daskfleet.platform.review.model import Preview
from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run import way_back as going_back
from daskfleet.platform.review.rehearsal_run.revisions import Revision
from daskfleet.platform.review.rehearsal_run.sides import Side
from daskfleet.platform.review.rehearsal_run.way_back import UNNOTICED, way_back
from rehearsal.engine.engine import EngineFailedError
from tests.daskfleet.platform.review.recordings import recorded
from tests.daskfleet.platform.review.sample_fleet import prod

BASE = Side(
    revision=Revision(commit="base", is_working_tree=False),
    tree=Path(),
    stack_file=Path("base.yaml"),
    settings=Path("base.yaml"),
    other_pins=(),
)


class PlayedFleet:
    """A fleet whose preview says what was recorded."""

    def __init__(self, says: str, *, fails: bool = False) -> None:
        self.moved_to: list[Side] = []
        self._says = says
        self._fails = fails

    def move_to(self, side: Side) -> None:
        """Keep which revision works on it."""
        self.moved_to.append(side)

    def preview(self, _name: str, packs: Sequence[PolicyPack]) -> None:
        """Find what was recorded; policies are asked about what is to come, not about this."""
        assert packs == ()
        if self._fails:
            raise EngineFailedError("`pulumi preview` failed (exit code 255)")

    def said_by(self, command: str) -> Preview:
        """Return what was recorded."""
        assert command == "preview"
        return recorded(self._says)


def told(monkeypatch: pytest.MonkeyPatch, fleet: PlayedFleet) -> tuple[str, ...]:
    monkeypatch.setattr(going_back, "planned", lambda _: prod())
    lines = way_back(BASE, fleet)  # type: ignore[arg-type]
    assert fleet.moved_to == [BASE]
    return lines


def test_who_feels_it_and_what_they_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    (line, *_) = told(monkeypatch, PlayedFleet("image_change"))
    assert line.startswith("team ")
    assert "Dask cluster is replaced" in line


def test_a_pool_that_would_go_is_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    (line, *_) = told(monkeypatch, PlayedFleet("pool_replaced"))
    assert line.startswith("pool ")


def test_nothing_is_said_to_be_that(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, PlayedFleet("no_change")) == (UNNOTICED,)


def test_what_protection_refuses_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = told(monkeypatch, PlayedFleet("protected", fails=True))
    assert line.startswith("a preview of it fails: ")
    assert "protect" in line


def test_a_base_that_this_checkout_refuses_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(going_back, "planned", lambda _: None)
    fleet = PlayedFleet("no_change")
    (line,) = way_back(BASE, fleet)  # type: ignore[arg-type]
    assert line.startswith("not known")
    assert fleet.moved_to == []
