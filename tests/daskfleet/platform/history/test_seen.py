"""Unit: what objects of Kubernetes tell of the past."""

from typing import Any

from daskfleet.platform.history.seen import came, made_clusters, went

MADE, READY = "2026-11-16T10:00:41Z", "2026-11-16T10:01:20Z"


def scheduler(status: str) -> dict[str, Any]:
    return {
        "metadata": {
            "name": "fraud-scheduler-1",
            "namespace": "fraud",
            "labels": {"dask.org/cluster-name": "fraud", "dask.org/component": "scheduler"},
        },
        "status": {
            "conditions": [{"type": "Ready", "status": status, "lastTransitionTime": READY}]
        },
    }


CLUSTER = {"metadata": {"name": "fraud", "namespace": "fraud", "creationTimestamp": MADE}}


def test_a_cluster_was_made_then_and_its_scheduler_was_ready_then() -> None:
    ((team, cluster),) = made_clusters([CLUSTER], schedulers=[scheduler("True")])
    assert team == "fraud"
    assert cluster.ready_at is not None
    assert (cluster.ready_at - cluster.made_at).total_seconds() == 39


def test_a_scheduler_that_is_not_ready_or_not_there_tells_no_time() -> None:
    for pods in ([], [scheduler("False")]):
        ((_, cluster),) = made_clusters([CLUSTER], schedulers=pods)
        assert cluster.ready_at is None


def test_nodes_come_with_their_pools_and_go_by_their_events() -> None:
    node = {
        "metadata": {
            "name": "n1",
            "creationTimestamp": MADE,
            "labels": {"cloud.google.com/gke-nodepool": "a100"},
        }
    }
    (move,) = came([node])
    assert (move.node, move.pool, move.what) == ("n1", "a100", "came")
    event = {"reason": "RemovingNode", "involvedObject": {"kind": "Node", "name": "n0"}}
    times = ({"lastTimestamp": READY}, {"lastTimestamp": None, "eventTime": READY})
    assert {each.node for time in times for each in went([{**event, **time}])} == {"n0"}
    assert list(went([{**event, "reason": "NodeReady", "lastTimestamp": READY}])) == []
