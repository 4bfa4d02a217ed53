"""Unit: whose log is meant, and lines out of pieces."""

from typing import Any

import pytest

from daskfleet.team.logs.choose import LogsError, chosen, with_an_earlier_run
from daskfleet.team.logs.lines import LONGEST_LINE_BYTES, Lines


def pod(
    name: str, role: str = "", *, cluster: str = "fraud", phase: str = "Running", restarts: int = 0
) -> dict[str, Any]:
    labels = {"dask.org/cluster-name": cluster, "dask.org/component": role} if role else {}
    return {
        "metadata": {"name": name, "labels": labels},
        "status": {"phase": phase, "containerStatuses": [{"restartCount": restarts}]},
    }


PODS = [
    pod("fraud-default-worker-2b-77-yy", "worker"),
    pod("fraud-default-worker-1a-55-xx", "worker"),
    pod("fraud-scheduler-6f-ll", "scheduler"),
    pod("fraud-default-worker-0c-11-zz", "worker", phase="Failed"),
    pod("fraud-grace-scheduler-0f-mm", "scheduler", cluster="fraud-grace"),
    pod("jupyter-0"),
]


def names(wanted: str | None) -> list[str]:
    return [
        each["metadata"]["name"] for each in chosen(PODS, wanted, team="fraud", cluster="fraud")
    ]


def test_without_a_name_it_is_all_of_the_fixed_cluster_that_runs() -> None:
    assert names(None) == [
        "fraud-scheduler-6f-ll",
        "fraud-default-worker-1a-55-xx",
        "fraud-default-worker-2b-77-yy",
    ]


def test_the_scheduler_is_the_fixed_clusters() -> None:
    assert names("scheduler") == ["fraud-scheduler-6f-ll"]


@pytest.mark.parametrize(
    "wanted",
    [
        "fraud-default-worker-1a-55-xx",
        "fraud-default-worker-1a",  # so Dask calls it
    ],
)
def test_a_worker_is_found_by_its_name_in_dask_and_by_its_pods(wanted: str) -> None:
    assert names(wanted) == ["fraud-default-worker-1a-55-xx"]


@pytest.mark.parametrize(
    "wanted", ["jupyter-0", "fraud-grace-scheduler", "fraud-default-worker-0c"]
)
def test_any_pod_of_the_namespace_may_be_named(wanted: str) -> None:
    (found,) = names(wanted)
    assert found.startswith(wanted)


def test_a_name_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(LogsError, match=r"called fraud-default-worker-9.*jupyter-0"):
        names("fraud-default-worker-9")


def test_a_cluster_without_pods_is_told_as_such() -> None:
    with pytest.raises(LogsError, match=r"Dask cluster fraud has no pod of its scheduler\."):
        chosen([], "scheduler", team="fraud", cluster="fraud")


def test_only_what_was_restarted_has_an_earlier_run() -> None:
    restarted = pod("w", "worker", restarts=2)

    assert with_an_earlier_run([*PODS, restarted], team="fraud") == [restarted]
    with pytest.raises(LogsError, match="has restarted its process"):
        with_an_earlier_run(PODS, team="fraud")


def test_lines_are_whole_however_they_come() -> None:
    lines = Lines()
    found = [*lines.take(b"on"), *lines.take(b"e\ntwo\n\nthr"), *lines.take(b"ee"), *lines.end()]

    assert found == ["one", "two", "", "three"]
    assert list(lines.end()) == []


def test_a_line_without_end_is_told_in_pieces() -> None:
    lines = Lines()
    pieces = [*lines.take(b"x" * (2 * LONGEST_LINE_BYTES + 5))]

    assert [len(each) for each in pieces] == [LONGEST_LINE_BYTES] * 2
    assert list(lines.end()) == ["xxxxx"]


def test_what_is_no_utf_8_is_no_end() -> None:
    assert list(Lines().take(b"\xff\xfe\n")) == ["��"]
