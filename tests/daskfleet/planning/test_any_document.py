"""Unit test, property-based: any stack file is planned or refused, and never crashes the check."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from daskfleet.planning.fleet import plan_draft
from daskfleet.settings.loading import parse
from daskfleet.settings.problems import StackRefusedError

COMPLETE: dict[str, Any] = {
    "project": "example-project",
    "location": "us-central1",
    "node_zone": "us-central1-c",
    "cluster": {
        "name": "rapids-gpu",
        "maintenance_window": {
            "start_time": "2026-01-03T02:00:00Z",
            "end_time": "2026-01-03T10:00:00Z",
        },
        "endpoint": {"kind": "ip", "authorized_networks": [{"name": "a", "cidr": "10.0.0.0/8"}]},
    },
    "network": {"pods_cidr": "10.4.0.0/14", "max_pods_per_node": 32},
    "system_pool": {"node_count": 1},
    "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
    "worker_pools": [
        {"name": "a100", "node_count": 2, "reservation": {"name": "kept", "machines": 2}},
        {"name": "auto", "autoscaling": {"min_nodes": 0, "max_nodes": 2}},
    ],
    "driver": {"install": "gke", "channel": "LATEST"},
    "operator": {"version": "2026.3.0"},
    "image": {"ref": "x", "rapids": "26.10", "cuda": 12},
    "labels": {"env": "test"},
    "teams": [
        {"name": "alpha", "worker_pool": "a100", "worker": {"cpu": 2, "memory_gib": 20}},
        {"name": "beta", "worker_pool": "auto", "scheduler": {"fallback": "worker-pool"}},
    ],
}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


def _paths(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node)
    found = [(*path, key) for key, _ in children]
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, dict | list):
            found += _paths(value, (*path, key))
    return found


def test_the_document_that_is_broken_below_is_in_order() -> None:
    plan_draft(parse(COMPLETE, file="f"))


@settings(max_examples=300)
@given(
    changes=st.lists(st.tuples(st.sampled_from(_paths(COMPLETE)), JSON), max_size=4),
    additions=st.dictionaries(st.text(max_size=8), JSON, max_size=2),
)
def test_any_document_is_planned_or_refused(
    changes: list[tuple[tuple[Any, ...], Any]], additions: dict[str, Any]
) -> None:
    document = {**deepcopy(COMPLETE), **additions}
    for path, value in changes:
        node = document
        with suppress(KeyError, IndexError, TypeError):  # an earlier change took the place away
            for part in path[:-1]:
                node = node[part]
            node[path[-1]] = value
    with suppress(StackRefusedError):
        plan_draft(parse(document, file="f"))
