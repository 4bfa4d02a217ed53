"""Versions that differ between GPU pools."""

from daskfleet.contract.nodes import POOL_LABEL
from daskfleet.platform.drift.model import Owner, Severity
from daskfleet.platform.drift.skew import EXACT_DRIVER
from daskfleet.platform.drift.snapshot import NODE, Snapshot
from daskfleet.pod_status import KubernetesObject, label
from tests.daskfleet.platform.drift.recordings import (
    as_declared,
    edited,
    in_recorded_cluster,
    with_objects,
)


def nodes_of(pool: str) -> list[KubernetesObject]:
    return [each for each in as_declared().of(NODE) if label(each, POOL_LABEL) == pool]


def upgraded(pool: str) -> Snapshot:
    (node, *_) = nodes_of(pool)
    newer = {"nodeInfo": {"kubeletVersion": "v1.37.1-gke.5"}}
    return with_objects(edited(node, lambda live: live.update(status=newer)))


def test_a_worker_pool_ahead_of_the_scheduler_pool_is_information_of_gkes() -> None:
    (skew,) = in_recorded_cluster(upgraded("a100-auto"))
    assert skew.severity is Severity.INFORMATION
    assert not skew.is_drift
    assert skew.owner is Owner.GKE
    assert skew.field == "node version"
    assert isinstance(skew.found, dict)
    assert skew.found["a100-auto"] == ["v1.37.1-gke.5"]
    assert skew.found["scheduler-pool"] == ["v1.36.3-gke.1000000"]


def test_a_pool_that_is_half_upgraded_shows_both_versions() -> None:
    (skew,) = in_recorded_cluster(upgraded("a100-fixed"))
    assert isinstance(skew.found, dict)
    assert skew.found["a100-fixed"] == ["v1.36.3-gke.1000000", "v1.37.1-gke.5"]


def test_the_system_pool_may_be_of_any_version() -> None:
    assert in_recorded_cluster(upgraded("system")) == []


def test_drivers_that_differ_are_told_by_pool() -> None:
    def with_driver(version: str) -> object:
        def change(live: KubernetesObject) -> None:
            live["metadata"].setdefault("annotations", {})[EXACT_DRIVER] = version

        return change

    (scheduler,), (worker,) = nodes_of("scheduler-pool"), nodes_of("a100-auto")
    (skew,) = in_recorded_cluster(
        with_objects(
            edited(scheduler, with_driver("580.1")),  # type: ignore[arg-type]
            edited(worker, with_driver("535.2")),  # type: ignore[arg-type]
        )
    )
    assert skew.field == "NVIDIA driver"
    assert skew.found == {"a100-auto": ["535.2"], "scheduler-pool": ["580.1"]}
