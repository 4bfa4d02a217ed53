"""Unit: what is told of a scheduler that began anew, and of what the one before it held."""

from datetime import UTC, datetime

from in_cluster.idle_controller.recycle_note import (
    NOT_RECYCLED,
    SchedulerNote,
    succeeded,
    worker_note,
    worker_text,
)

FIRST, SECOND = (datetime(2026, 11, day, 12, tzinfo=UTC) for day in (16, 23))
ENDS = SchedulerNote(started=FIRST, why="age", held="nothing", ends=True)


def group(annotations: dict[str, str | None]) -> dict[str, object]:
    return {"metadata": {"annotations": {k: v for k, v in annotations.items() if v is not None}}}


def test_a_note_is_read_as_it_was_written() -> None:
    for note in (ENDS, SchedulerNote(started=FIRST)):
        assert SchedulerNote.of(group(note.annotations)) == note
    assert SchedulerNote.of(group({})) is None


def test_the_first_look_says_nothing_of_what_was_before() -> None:
    note = succeeded(None, started=FIRST, last_held=None)

    assert note == SchedulerNote(started=FIRST)
    assert note.text is None
    assert succeeded(note, started=FIRST, last_held="3 tasks") is None


def test_one_that_was_recycled_says_why_and_what_it_held() -> None:
    note = succeeded(ENDS, started=SECOND, last_held=None)

    assert ENDS.text is None
    assert note is not None
    assert note.text == (
        "scheduler began anew at 2026-11-23 12:00 UTC (age); the one before it held nothing"
    )


def test_one_that_ended_otherwise_says_what_was_seen_last_or_that_nobody_knows() -> None:
    before = SchedulerNote(started=FIRST, why="age", held="nothing")

    seen = succeeded(before, started=SECOND, last_held="3 tasks, 2 results in memory, 1 client")
    unseen = succeeded(before, started=SECOND, last_held=None)

    assert seen is not None
    assert unseen is not None
    assert (seen.why, seen.held) == (NOT_RECYCLED, "3 tasks, 2 results in memory, 1 client")
    assert unseen.held == "unknown"


def test_a_worker_that_began_anew_is_told() -> None:
    note = worker_note(pod="a-1", at=SECOND, why="a-1 runs for 168.0 h")

    assert worker_text(group(note)) == (
        "worker a-1 began anew at 2026-11-23 12:00 UTC (a-1 runs for 168.0 h); its results were "
        "moved first"
    )
    assert worker_text(group({})) is None
