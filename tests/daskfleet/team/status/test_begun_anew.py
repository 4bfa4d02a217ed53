"""Unit: what is told of processes that began anew."""

import io
from datetime import UTC, datetime

from rich.console import Console

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.render import rendered
from in_cluster.idle_controller.recycle_note import SchedulerNote, worker_note
from tests.daskfleet.team.status.objects import HEALTHY, group, report_of

AT = datetime(2026, 11, 22, 2, tzinfo=UTC)


def noted(**annotations: str | None) -> KubernetesObject:
    """A worker group with these notes."""
    made = group()
    made["metadata"]["annotations"] = {k: v for k, v in annotations.items() if v is not None}
    return made


def test_the_last_scheduler_and_the_last_worker_are_told_with_what_was_held() -> None:
    scheduler = SchedulerNote(started=AT, why="not recycled", held="3 tasks").annotations
    worker = worker_note(pod="w-1", at=AT, why="w-1 runs for 168.0 h")

    report = report_of(*HEALTHY, groups=(noted(**scheduler, **worker),))

    first, second = report.begun_anew
    assert "(not recycled); the one before it held 3 tasks" in first
    assert second.startswith("worker w-1 began anew at 2026-11-22 02:00 UTC")
    page = io.StringIO()
    Console(file=page, width=200).print(rendered(report))
    assert f"recycled: {second}" in page.getvalue()


def test_nothing_is_told_where_nothing_began_anew() -> None:
    first_look = SchedulerNote(started=AT).annotations

    assert report_of(*HEALTHY, groups=(noted(**first_look),)).begun_anew == ()
    assert report_of(*HEALTHY).begun_anew == ()
