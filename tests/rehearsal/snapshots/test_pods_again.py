"""Unit: which pods have come back after their stage was at rest."""

from datetime import UTC, datetime
from typing import Any

import pytest

from rehearsal.snapshots.pods_again import has_come_back

SINCE = datetime(2026, 11, 22, 12, 0, 0, 700_000, tzinfo=UTC)


def pod(state: dict[str, Any], *, ready: bool = True) -> dict[str, Any]:
    return {"status": {"containerStatuses": [{"name": "worker", "ready": ready, "state": state}]}}


def running(at: str) -> dict[str, Any]:
    return {"running": {"startedAt": at}}


def test_a_process_that_was_started_since_and_is_ready_has_come_back() -> None:
    assert has_come_back(pod(running("2026-11-22T12:00:00Z")), since=SINCE)
    assert has_come_back(pod(running("2026-11-22T12:00:05Z")), since=SINCE)


@pytest.mark.parametrize(
    "late",
    [
        pod(running("2026-11-22T11:59:59Z")),
        pod(running("2026-11-22T12:00:05Z"), ready=False),
        pod({"waiting": {"reason": "ContainerCreating"}}, ready=False),
        {"status": {}},
        {},
    ],
    ids=["of the process before", "not ready", "not started", "no status", "new"],
)
def test_any_other_pod_has_not(late: dict[str, Any]) -> None:
    assert not has_come_back(late, since=SINCE)


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_one_that_has_ended_is_waited_for_by_nobody(phase: str) -> None:
    ended = pod({"terminated": {"exitCode": 0}}, ready=False)
    assert has_come_back({"status": {**ended["status"], "phase": phase}}, since=SINCE)
