"""Unit: of the pods behind a Service, the one that is asked."""

from typing import Any

from daskfleet.access.service_target import target_of


def pod(name: str, *, created: str, ready: str = "True", **metadata: str) -> dict[str, Any]:
    return {
        "metadata": {"name": name, "creationTimestamp": created, **metadata},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": ready}]},
    }


OLD = pod("old", created="2026-11-23T08:00:00Z")
NEW = pod("new", created="2026-11-23T09:00:00Z")


def test_it_is_the_newest_that_is_ready_and_stays() -> None:
    starting = pod("starting", created="2026-11-23T10:00:00Z", ready="False")
    going = pod("going", created="2026-11-23T10:00:00Z", deletionTimestamp="2026-11-23T10:01:00Z")

    assert target_of([NEW, OLD]).pod == "new"
    assert target_of([OLD, starting, NEW, going]).pod == "new"


def test_where_none_is_ready_it_says_what_is_waited_for() -> None:
    starting = pod("starting", created="2026-11-23T10:00:00Z", ready="False")

    assert target_of([starting]).pod is None
    assert target_of([starting]).waits_for == "pod starting to be ready (Running)"
    assert target_of([]).waits_for == "a scheduler pod"
