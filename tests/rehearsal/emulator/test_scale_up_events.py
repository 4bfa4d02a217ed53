"""What the autoscaler says of a pod, word for word. Unit tier."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator.scale_up_events import event, failed, not_triggered
from tests.rehearsal.emulator.test_scaling import gpu_pod, machine, pool, without_stock

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.scaling import PoolView

NAMED = {"metadata": {"name": "worker", "namespace": "fraud", "uid": "1"}}


def refusal(pod: Document, *pools: PoolView) -> str:
    (remark,) = not_triggered([pod], pools)
    return remark.message.removeprefix("pod didn't trigger scale-up: ")


def without_toleration(pod: Document) -> Document:
    return {"spec": {**pod["spec"], "tolerations": []}}


@pytest.mark.parametrize(
    ("pod", "reason"),
    [
        (gpu_pod(pool="another"), "node(s) didn't match Pod's node affinity/selector"),
        (gpu_pod(gpus=3), "Insufficient nvidia.com/gpu"),
        (
            without_toleration(gpu_pod(pool="another")),
            "node(s) had untolerated taint {nvidia.com/gpu: present}",
        ),
    ],
    ids=["selector", "room", "taint"],
)
def test_a_machine_that_would_not_do_is_told_with_the_schedulers_first_objection(
    pod: Document, reason: str
) -> None:
    assert refusal(pod, pool(maxNodeCount=4)) == f"1 {reason}"


def test_a_group_at_its_limit_or_in_backoff_is_not_looked_into() -> None:
    full = pool(machine("n0"), maxNodeCount=1)
    stranger = gpu_pod(pool="another")
    assert refusal(stranger, full) == "1 max node group size reached"
    assert refusal(stranger, without_stock(full, "z0")) == "1 in backoff after failed scale-up"


def test_zones_are_groups_and_fixed_pools_are_none() -> None:
    zones = without_stock(pool(zones=3, maxNodeCount=4), "z1", "z2")
    fixed = replace(pool(), name="fixed")
    assert refusal(gpu_pod(gpus=3), zones, fixed) == (
        "1 Insufficient nvidia.com/gpu, 2 in backoff after failed scale-up"
    )


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("GCE_STOCKOUT", "GCE out of resources"),
        ("GCE_QUOTA_EXCEEDED", "GCE quota exceeded"),
        ("UNKNOWN", "Internal error"),
    ],
)
def test_a_failure_names_zones_and_the_kind(code: str, why: str) -> None:
    (remark,) = failed([NAMED], ["us-central1-a", "us-central1-c"], code=code)
    assert remark.message == (
        "Node scale up in zones us-central1-a, us-central1-c associated with this pod failed: "
        f"{why}. Pod is at risk of not being scheduled."
    )


def test_an_event_is_the_pods_and_a_warning_only_where_something_failed() -> None:
    (warning,) = map(event, failed([NAMED], ["z"], code="GCE_STOCKOUT"))
    assert warning["involvedObject"] == {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": "worker",
        "namespace": "fraud",
        "uid": "1",
    }
    assert (warning["type"], warning["source"]) == ("Warning", {"component": "cluster-autoscaler"})
    (normal,) = map(event, not_triggered([{**NAMED, **gpu_pod()}], []))
    assert normal["type"] == "Normal"
