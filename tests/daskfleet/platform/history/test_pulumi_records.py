"""Unit: reading `pulumi stack history --json`, page by page."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from daskfleet.access.pulumi_cli import Pulumi
from daskfleet.platform.history.errors import HistoryError
from daskfleet.platform.history.pulumi_records import PAGE_SIZE, read_records
from tests.daskfleet.platform.history.records import SINCE, at


def document(minutes: float, **fields: Any) -> dict[str, Any]:
    """As 3.256.0 prints a record."""
    return {
        "version": 0,
        "kind": "update",
        "startTime": at(minutes).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "message": "",
        "environment": {"exec.kind": "cli", "updatePlan": "false"},
        "config": {
            "daskfleet:project": {"value": "example-project", "secret": False},
            "daskfleet:secret": {"secret": True},
        },
        "result": "succeeded",
        "endTime": at(minutes + 1).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "resourceChanges": {"create": 3},
        **fields,
    }


class Engine:
    """A `pulumi` that has these records, the newest first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, records: list[dict[str, Any]]) -> None:
        self.pages: list[int] = []
        self._records = records
        monkeypatch.setattr(Pulumi, "run", lambda _, *arguments: self._run(*arguments))

    def _run(self, *arguments: str) -> str:
        size, page = (
            int(arguments[arguments.index(option) + 1]) for option in ("--page-size", "--page")
        )
        self.pages.append(page)
        return json.dumps(self._records[(page - 1) * size : page * size])


PULUMI = Pulumi(project_dir=Path(), stack="prod")


def test_a_record_has_times_settings_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    Engine(monkeypatch, [document(0)])
    (record,), is_all = read_records(PULUMI, since=SINCE)
    assert is_all
    assert record.began_at == at(0)
    assert record.ended_at == at(1)
    assert record.config["daskfleet:project"].value == "example-project"
    assert record.config["daskfleet:secret"].value is None
    assert record.resources == {"create": 3}


def test_a_stack_without_an_update_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    Engine(monkeypatch, [])
    assert read_records(PULUMI, since=SINCE) == ((), True)


def test_no_page_is_read_beyond_the_last_update_before_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    days = timedelta(days=1) / timedelta(minutes=1)
    engine = Engine(monkeypatch, [document(-days * number) for number in range(3 * PAGE_SIZE)])
    records, is_all = read_records(PULUMI, since=SINCE)
    assert (engine.pages, len(records), is_all) == ([1], PAGE_SIZE, False)


def test_refreshes_before_the_time_are_no_update_to_compare_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    days = timedelta(days=1) / timedelta(minutes=1)
    old = [document(-days * number, kind="refresh") for number in range(PAGE_SIZE)]
    engine = Engine(monkeypatch, [*old, document(-days * 99)])
    _, is_all = read_records(PULUMI, since=SINCE)
    assert (engine.pages, is_all) == ([1, 2], True)


@pytest.mark.parametrize(
    "said",
    [
        *("no JSON", '[{"kind": "update"}]', "[" * 200_000),
        '[{"kind": "update", "result": "succeeded", "startTime": "2026-11-16T09:00:00"}]',
    ],
)
def test_what_is_not_understood_is_an_error_with_words(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(Pulumi, "run", lambda *_: said)
    with pytest.raises(HistoryError, match="does not read"):
        read_records(PULUMI, since=SINCE)
