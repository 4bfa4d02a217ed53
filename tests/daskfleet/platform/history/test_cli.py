"""The command: a table, JSON, one team, and words where nothing can be read."""

import json
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import daskfleet.platform.history.cli as under_test
from daskfleet.platform.history.errors import HistoryError
from daskfleet.platform.history.model import History
from tests.daskfleet.platform.history.records import OTHER, history, record, team

ROLLED = history(
    record(0, team("fraud"), team("risk")), record(60, team("fraud", image=OTHER), team("risk"))
)


def run(
    monkeypatch: pytest.MonkeyPatch, *options: str, found: History | Exception = ROLLED
) -> tuple[int, str, str]:
    def read(*_: Any, **__: Any) -> History:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(under_test, "read_history", read)
    app = typer.Typer()
    app.command()(under_test.command)
    result = CliRunner().invoke(app, list(options))
    return result.exit_code, result.stdout, result.stderr


def test_the_table_says_whose_image_changed_and_for_how_long_it_was_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    status, said, _ = run(monkeypatch)
    assert status == 0
    words = " ".join(said.replace("│", " ").split())
    assert OTHER in words.replace(" ", "") or OTHER in words
    assert "without a scheduler for at most 121 s" in words
    assert "Not known: The cluster was not asked: no login." in words
    assert "prod: 2 updates since" in words


def test_json_is_the_whole_record(monkeypatch: pytest.MonkeyPatch) -> None:
    status, said, _ = run(monkeypatch, "--json")
    assert status == 0
    assert History.model_validate(json.loads(said)) == ROLLED


def test_one_team_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    _, said, _ = run(monkeypatch, "--team", "risk", "--json")
    teams = {change["team"] for each in json.loads(said)["updates"] for change in each["teams"]}
    assert teams == {"risk"}


def test_what_cannot_be_read_ends_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, said = run(monkeypatch, found=HistoryError("no stack named prod"))
    assert status == 1
    assert "no stack named prod" in said
    assert "Traceback" not in said


def test_names_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = ROLLED.model_copy(
        update={
            "updates": tuple(
                each.model_copy(update=dict.fromkeys(("kind", "result", "message"), "\x1b[2J[red]"))
                for each in ROLLED.updates
            )
        }
    )
    _, said, _ = run(monkeypatch, found=hostile)
    assert "\x1b[2J" not in said
    assert "[red]" in said
