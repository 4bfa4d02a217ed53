"""Unit: what the program tells the controller, and what this one notes."""

from datetime import UTC, datetime
from typing import Any

import pytest

from in_cluster.idle_controller.note import NO_NOTE, Note, asleep
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Recycling, Rule, read, written

SINCE = datetime(2026, 11, 23, 12, tzinfo=UTC)
RULES = (
    Rule(namespace="fraud", sleep_after_s=90.0, hours=None),
    Rule(
        namespace="genomics",
        sleep_after_s=None,
        hours=OpeningHours(windows=(Window(0, 420, 1200),), zone="Europe/Amsterdam"),
    ),
    Rule(
        namespace="climate",
        sleep_after_s=None,
        hours=None,
        recycling=Recycling(
            after_s=60.0,
            above_memory_percent=None,
            hours=OpeningHours(windows=(Window(6, 120, 360),), zone="UTC"),
        ),
    ),
)


def group(replicas: int, annotations: dict[str, Any]) -> dict[str, Any]:
    return {
        "metadata": {"annotations": {k: v for k, v in annotations.items() if v is not None}},
        "spec": {"worker": {"replicas": replicas}},
    }


def test_rules_are_read_as_they_were_written() -> None:
    assert read(written(RULES)) == RULES


@pytest.mark.parametrize("opens_at", [None, datetime(2026, 11, 24, 7, tzinfo=UTC)])
def test_a_note_is_read_as_it_was_written(opens_at: datetime | None) -> None:
    note = Note(since=SINCE, declared=2, opens_at=opens_at)

    assert Note.of(group(0, note.annotations)) == note
    assert note.annotations.keys() == NO_NOTE.keys()


def test_a_group_that_has_workers_does_not_sleep_whatever_is_noted() -> None:
    note = Note(since=SINCE, declared=2)

    assert asleep(group(0, note.annotations)) == note
    assert asleep(group(2, note.annotations)) is None
    assert asleep(group(0, {})) is None


def test_half_a_note_is_none() -> None:
    assert Note.of(group(0, {"idle.daskfleet/asleep-since": "yesterday"})) is None


def test_a_note_says_what_brings_the_workers_back() -> None:
    note = Note(since=SINCE, declared=2, opens_at=datetime(2026, 11, 24, 7, tzinfo=UTC))

    assert note.text == (
        "asleep since 2026-11-23 12:00 UTC, 2 declared; they come back with the first task, or at "
        "2026-11-24 07:00 UTC"
    )
