"""Unit: what the engine is told of policies, and what is heard of it; the engine is played."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from daskfleet.platform.review.policy_packs import PolicyPack
from daskfleet.platform.review.rehearsal_run import running
from daskfleet.platform.review.rehearsal_run.revisions import Revision
from daskfleet.platform.review.rehearsal_run.running import RunningFleet
from daskfleet.platform.review.rehearsal_run.sides import Side
from rehearsal.progress import Steps
from tests.daskfleet.platform.review.recordings import RECORDED, recorded


class PlayedEngine:
    """Keeps its arguments, and writes what it was given to say."""

    def __init__(self, logs_dir: Path) -> None:
        self.logs_dir = logs_dir
        self.told: list[tuple[str, ...]] = []

    def run(self, *arguments: str, **_: object) -> SimpleNamespace:
        """Keep what it was told."""
        self.told.append(arguments)
        return SimpleNamespace(changed=0)

    def said(self, events: str, words: str) -> None:
        """Leave the files that a preview leaves."""
        (self.logs_dir / "pulumi-preview.jsonl").write_text(events)
        (self.logs_dir / "pulumi-preview.stderr").write_text(words)


@pytest.fixture
def engine(tmp_path: Path) -> PlayedEngine:
    return PlayedEngine(tmp_path)


@pytest.fixture
def fleet(tmp_path: Path, engine: PlayedEngine, monkeypatch: pytest.MonkeyPatch) -> RunningFleet:
    stage = SimpleNamespace(engine=engine, workspace=SimpleNamespace(logs_dir=tmp_path))
    monkeypatch.setattr(running, "set_stage", lambda *_, **__: stage)
    made = RunningFleet(
        tmp_path, stack="prod", providers="stand-in", steps=Steps(Console(quiet=True))
    )
    made.move_to(
        Side(
            revision=Revision(commit="c0ffee", is_working_tree=False),
            tree=tmp_path,
            stack_file=tmp_path / "stack.yaml",
            settings=tmp_path / "settings.yaml",
            other_pins=(),
        )
    )
    return made


def test_a_preview_runs_with_the_policies_each_with_its_configuration(
    fleet: RunningFleet, engine: PlayedEngine, tmp_path: Path
) -> None:
    own = PolicyPack(path=Path("/own"), config=Path("/own/prod.json"))
    fleet.preview("HEAD: preview", (own, PolicyPack(path=Path("/other"))))
    fleet.preview("HEAD: preview", ())

    nothing = tmp_path / "no-policy-config.json"
    assert engine.told == [
        (
            "preview",
            "--policy-pack=/own",
            "--policy-pack-config=/own/prod.json",
            "--policy-pack=/other",
            f"--policy-pack-config={nothing}",
        ),
        ("preview",),
    ]
    assert nothing.read_text() == "{}"


def test_what_the_policies_found_is_in_what_the_preview_said(
    fleet: RunningFleet, engine: PlayedEngine
) -> None:
    engine.said((RECORDED / "policies.jsonl").read_text("utf-8"), "")

    assert fleet.said_by("preview") == recorded("policies")
    assert fleet.said_by("preview").policies


def test_an_engine_that_ends_before_its_summary_is_told_by_what_it_prints(
    fleet: RunningFleet, engine: PlayedEngine
) -> None:
    engine.said("", "Loading policy packs...\nerror: no policy pack at /other\n")
    said = fleet.said_by("preview")

    assert said.result == "failed"
    assert said.errors == ("no policy pack at /other", "Loading policy packs...")


def test_words_beside_a_whole_stream_are_no_failure(
    fleet: RunningFleet, engine: PlayedEngine
) -> None:
    engine.said((RECORDED / "no_change.jsonl").read_text("utf-8"), "a warning of the CLI\n")

    assert fleet.said_by("preview") == recorded("no_change")
