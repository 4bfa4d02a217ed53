"""Unit: what is made of a scheduler's pages, and of pods as the API server has them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from in_cluster.idle_controller.apis import UNANSWERED
from in_cluster.idle_controller.pods import Pod, pods_of
from in_cluster.idle_controller.scheduler_pages import processes_of

METRICS = b"# HELP process_resident_memory_bytes x\nprocess_resident_memory_bytes 1.03e+08\n"


def worker(**changes: Any) -> dict[str, Any]:
    """A worker as distributed 2026.8 writes it, without what nobody reads."""
    metrics = {
        "task_counts": {"memory": 3},
        "managed_bytes": 300,
        "spilled_bytes": {"memory": 100, "disk": 90},
        "memory": 1000,
    }
    return {"name": "fraud-default-worker-1", "status": "running", "metrics": metrics | changes}


def test_what_a_worker_holds_for_others_is_no_memory_of_its_own() -> None:
    pages = {"workers": {"tcp://10.0.0.1:1": worker()}}

    processes = processes_of(pages, metrics=METRICS)

    (found,) = processes.workers
    assert (found.address, found.name) == ("tcp://10.0.0.1:1", "fraud-default-worker-1")
    assert (found.own_bytes, found.is_busy, found.is_leaving) == (800, False, False)
    assert processes.scheduler_bytes == 1.03e08


@pytest.mark.parametrize("state", ["executing", "ready", "waiting", "flight", "long-running"])
def test_a_worker_with_a_task_to_do_is_busy(state: str) -> None:
    pages = {"workers": {"a": worker(task_counts={"memory": 1, state: 1})}}

    (found,) = processes_of(pages, metrics=b"").workers

    assert found.is_busy


def test_a_gpus_data_makes_no_memory_less_than_none() -> None:
    pages = {"workers": {"a": worker(managed_bytes=10**12)}}

    processes = processes_of(pages, metrics=b"")

    assert processes.workers[0].own_bytes == 0
    assert processes.scheduler_bytes is None


@pytest.mark.parametrize(
    "pages",
    [
        *({}, {"workers": {"a": {}}}, {"workers": {"a": worker(memory="much")}}),
        *({"workers": lie} for lie in (None, [], ["a"], "a", 1)),
    ],
    ids=str,
)
def test_a_page_that_is_none_is_refused(pages: dict[str, Any]) -> None:
    with pytest.raises(UNANSWERED):
        processes_of(pages, metrics=b"")


def pod(component: str, **changes: Any) -> dict[str, Any]:
    environment = [{"name": "DASK_WORKER_NAME", "value": "fraud-default-worker-1"}]
    return {
        "metadata": {"name": "p", "uid": "u", "labels": {"dask.org/component": component}},
        "spec": {
            "containers": [
                {"name": "c", "env": environment, "resources": {"limits": {"memory": "70Gi"}}}
            ]
        },
        "status": {
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": "True"}],
            "containerStatuses": [{"state": {"running": {"startedAt": "2026-11-16T12:00:00Z"}}}],
        },
    } | changes


def test_a_pod_says_its_age_and_its_limit() -> None:
    assert Pod.of(pod("worker")) == Pod(
        name="p",
        uid="u",
        worker="fraud-default-worker-1",
        started=datetime(2026, 11, 16, 12, tzinfo=UTC),
        is_ready=True,
        limit_bytes=70 * 2**30,
    )


def test_a_pod_that_waits_has_no_age_and_is_not_ready() -> None:
    waits = Pod.of(pod("scheduler", status={"phase": "Pending"}))

    assert (waits.started, waits.is_ready, waits.worker) == (None, False, None)


def test_what_has_finished_or_is_no_part_of_dask_is_left_out() -> None:
    finished = pod("worker", status={"phase": "Failed"})

    assert len(pods_of({"items": [pod("scheduler"), finished, pod("job-runner")]})) == 1
