"""Unit: `daskfleet report --stack`, as it is typed."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner, Result

import daskfleet.platform.report.cli
from daskfleet.cli import app
from daskfleet.platform.report.running.every_stack import SeenStack
from daskfleet.platform.report.running.gather import GatherError, Place
from daskfleet.platform.report.running.model import FleetView
from tests.daskfleet.platform.report.running.fleets import troubled, unread, view


def typed(
    monkeypatch: pytest.MonkeyPatch, seen: FleetView | GatherError, *arguments: str
) -> Result:
    """Run the command over what is seen."""

    class Fake:
        def __init__(self, place: Place) -> None:
            assert place.stack == "prod"

        async def view(self) -> FleetView:
            if isinstance(seen, GatherError):
                raise seen
            return seen

    monkeypatch.setattr(daskfleet.platform.report.cli, "Gatherer", Fake)
    return CliRunner().invoke(app, ["report", "--stack", "prod", *arguments])


def test_the_page_is_written_here_and_the_verdict_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed(monkeypatch, troubled())
    assert done.exit_code == 0
    assert done.stdout == "Stack prod: 5 open problems.\nWritten: report-prod.html\n"
    page = tmp_path / "report-prod.html"
    assert "running fleet" in page.read_text(encoding="utf-8")
    assert page.stat().st_mode & 0o777 == 0o600


def test_what_could_not_be_read_is_told_and_a_page_is_written_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = typed(monkeypatch, view(**unread("drift")), "--html", str(tmp_path / "p.html"))
    assert done.exit_code == 0
    assert "drift is forbidden" in done.stderr
    assert (tmp_path / "p.html").exists()


def test_programs_get_the_same_as_a_document_and_unknown_is_null(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed(monkeypatch, view(**unread("nodes")), "--json")
    read = FleetView.model_validate_json(done.stdout)
    assert read == view(**unread("nodes"))
    assert read.versions is None
    assert list(tmp_path.iterdir()) == []


def test_without_a_state_there_is_no_page_and_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed(monkeypatch, GatherError("The stack has no outputs."))
    assert done.exit_code == 1
    assert "The stack has no outputs." in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", ["--rehearsal=r", "--from=run.json"])
def test_one_fleet_is_drawn_at_a_time(monkeypatch: pytest.MonkeyPatch, other: str) -> None:
    assert typed(monkeypatch, view(), other).exit_code == 2


def typed_for_all(
    monkeypatch: pytest.MonkeyPatch, stacks: Mapping[str, FleetView | Exception], *arguments: str
) -> Result:
    """Run the command over what is seen of each stack."""

    class Fake:
        def __init__(self, place: Place) -> None:
            self.stack = place.stack

        async def view(self) -> FleetView:
            seen = stacks[self.stack]
            if isinstance(seen, Exception):
                raise seen
            return seen

    async def names(*_: object) -> tuple[str, ...]:
        if not stacks:
            raise GatherError("The project has no stack.")
        return tuple(stacks)

    monkeypatch.setattr(daskfleet.platform.report.cli, "Gatherer", Fake)
    monkeypatch.setattr(daskfleet.platform.report.cli, "stack_names", names)
    return CliRunner().invoke(app, ["report", "--all", *arguments])


def test_every_stack_gets_a_page_for_its_user_alone_and_a_list_leads_to_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed_for_all(monkeypatch, {"dev": view(), "prod": troubled()})
    assert done.exit_code == 0
    assert done.stdout == (
        "Stack dev: No open problem. (report-dev.html)\n"
        "Stack prod: 5 open problems. (report-prod.html)\n"
        "Written: report-all.html\n"
    )
    assert "stack prod, 2 of 2: reading" in done.stderr
    written = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert written == dict.fromkeys(
        ("report-all.html", "report-dev.html", "report-prod.html"), 0o600
    )


@pytest.mark.parametrize("error", [GatherError("No outputs."), KeyError("surprise")])
def test_a_stack_that_cannot_be_read_is_told_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    stacks: dict[str, FleetView | Exception] = {"../../old": error, "prod": view()}
    done = typed_for_all(monkeypatch, stacks, "--html", str(folder / "fleets.html"))
    assert done.exit_code == 3
    assert "Stack ../../old: It could not be read: " in done.stdout
    assert {file.name for file in folder.iterdir()} == {"fleets.html", "report-prod.html"}
    assert "report-prod.html" in (folder / "fleets.html").read_text(encoding="utf-8")


def test_programs_get_a_list_in_which_an_unread_stack_is_null(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    stacks: dict[str, FleetView | Exception] = {"old": GatherError("No outputs."), "prod": view()}
    done = typed_for_all(monkeypatch, stacks, "--json")
    assert done.exit_code == 3
    old, prod = TypeAdapter(tuple[SeenStack, ...]).validate_json(done.stdout)
    assert (old.stack, old.why_not, old.view) == ("old", "No outputs.", None)
    assert (prod.stack, prod.why_not, prod.view) == ("prod", "", view())
    assert list(tmp_path.iterdir()) == []


def test_without_any_stack_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = typed_for_all(monkeypatch, {})
    assert done.exit_code == 1
    assert "The project has no stack." in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", ["--stack=prod", "--rehearsal=r", "--from=run.json"])
def test_all_and_one_are_refused_together_with_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    done = typed_for_all(monkeypatch, {"prod": view()}, other)
    assert done.exit_code == 2
    assert "--all" in done.stderr
    assert "Give one of them" in " ".join(done.stderr.replace("│", " ").split())
