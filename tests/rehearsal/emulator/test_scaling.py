"""The autoscaler's decisions. Unit tier."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator.pod_fit import allows, amounts, requests
from rehearsal.emulator.scaling import Decision, NodeView, PoolView, ZoneView, decide

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

GPU_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
GPU_TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
IDLE_LIMIT_S = 60.0


def machine(name: str, *, gpus: int = 2, pool: str = "a100", idle_s: float = 0.0) -> NodeView:
    return NodeView(
        name=name,
        labels={"cloud.google.com/gke-nodepool": pool},
        taints=(GPU_TAINT,),
        free=amounts({"cpu": "20", "nvidia.com/gpu": str(gpus), "pods": "32"}),
        idle_s=idle_s,
    )


def pool(*nodes: NodeView, name: str = "a100", zones: int = 1, **bounds: int) -> PoolView:
    template = machine("", pool=name)
    views = {f"z{i}": ZoneView(nodes=(), template=template) for i in range(zones)}
    views["z0"] = ZoneView(nodes=nodes, template=template)
    autoscaling = {"enabled": True, **bounds} if bounds else {}
    return PoolView(name=name, zones=views, autoscaling=autoscaling)


def gpu_pod(gpus: int = 1, pool: str | None = None) -> Document:
    limits = {"nvidia.com/gpu": str(gpus)}
    spec: Document = {
        "containers": [{"resources": {"limits": limits}}],
        "tolerations": [GPU_TOLERATION],
    }
    if pool:
        spec["nodeSelector"] = {"cloud.google.com/gke-nodepool": pool}
    return {"spec": spec}


def decided(*pools: PoolView, pending: int | list[Document] = 0) -> Decision:
    pods = [gpu_pod() for _ in range(pending)] if isinstance(pending, int) else pending
    return decide(pools, pending=pods, scale_down_after_s=IDLE_LIMIT_S)


def test_three_one_gpu_pods_need_two_machines_of_two_gpus() -> None:
    assert decided(pool(maxNodeCount=4), pending=3).targets == {"a100": {"z0": 2}}


def test_a_pool_never_grows_past_its_maximum() -> None:
    assert decided(pool(maxNodeCount=1), pending=9).targets == {"a100": {"z0": 1}}


def test_room_on_existing_machines_is_used_before_new_ones() -> None:
    assert decided(pool(machine("n1"), maxNodeCount=4), pending=2).targets == {}


def test_a_pod_that_fits_no_machine_changes_nothing() -> None:
    for pod in (gpu_pod(gpus=3), gpu_pod(pool="t4")):
        assert decided(pool(maxNodeCount=4), pending=[pod]) == Decision(unhelped=[pod])


def test_only_the_pool_that_the_pod_selects_grows() -> None:
    pools = (pool(maxNodeCount=4), pool(name="b", maxNodeCount=4))
    assert decided(*pools, pending=[gpu_pod(pool="b")]).targets == {"b": {"z0": 1}}


def test_a_fixed_pool_neither_grows_nor_shrinks() -> None:
    fixed = pool(machine("n1", gpus=0, idle_s=999))
    assert decided(fixed, pending=3) == Decision(unhelped=[gpu_pod()] * 3)


def test_per_zone_bounds_count_in_each_zone_and_total_bounds_over_all() -> None:
    assert decided(pool(zones=2, minNodeCount=1, maxNodeCount=3)).targets == {
        "a100": {"z0": 1, "z1": 1}
    }
    total = decided(pool(zones=2, totalMinNodeCount=1, totalMaxNodeCount=3)).targets
    assert sum(total["a100"].values()) == 1
    most = decided(pool(zones=2, totalMaxNodeCount=3), pending=99).targets
    assert sum(most["a100"].values()) == 3


def without_stock(view: PoolView, *zones: str) -> PoolView:
    changed = {zone: replace(view.zones[zone], is_out_of_stock=True) for zone in zones}
    return replace(view, zones={**view.zones, **changed})


def test_a_zone_that_is_out_of_stock_is_not_asked_while_others_are() -> None:
    two_zones = pool(zones=2, totalMaxNodeCount=2)
    assert decided(without_stock(two_zones, "z0"), pending=4).targets == {
        "a100": {"z0": 0, "z1": 2}
    }
    nowhere = decided(without_stock(two_zones, "z0", "z1"), pending=4)
    assert nowhere == Decision(unhelped=[gpu_pod()] * 4)


def test_a_pool_knows_which_pods_it_grows_for() -> None:
    waiting, small, large = gpu_pod(pool="b"), gpu_pod(pool="a100"), gpu_pod(gpus=2, pool="a100")
    pools = (pool(machine("n0", gpus=1), maxNodeCount=2), pool(name="b", maxNodeCount=1))
    found = decided(*pools, pending=[waiting, small, large, gpu_pod(pool="b"), waiting])
    assert found.helped == {"b": [waiting, gpu_pod(pool="b")], "a100": [large]}
    assert found.unhelped == [waiting], "the two GPUs of the new machine are taken"


def test_a_total_minimum_is_spread_over_the_zones_that_have_stock() -> None:
    three_at_least = pool(zones=2, totalMinNodeCount=3, totalMaxNodeCount=4)
    assert decided(three_at_least).targets == {"a100": {"z0": 2, "z1": 1}}
    lost = without_stock(three_at_least, "z1")
    assert decided(lost).targets == {"a100": {"z0": 3, "z1": 0}}


def test_machines_empty_for_long_enough_go_down_to_the_minimum() -> None:
    nodes = [machine(f"n{i}", idle_s=61.0) for i in range(3)]
    removals = decided(pool(*nodes, minNodeCount=1, maxNodeCount=5)).removals
    assert [removal.node for removal in removals] == ["n0", "n1"]


def test_a_machine_that_was_busy_a_moment_ago_stays() -> None:
    assert decided(pool(machine("n0", idle_s=59.0), maxNodeCount=5)).removals == []


def test_a_machine_that_a_pending_pod_will_use_stays() -> None:
    idle = pool(machine("n0", idle_s=99.0), maxNodeCount=5)
    assert decided(idle, pending=1) == Decision()


def required(operator: str, *values: str) -> Document:
    expression: Document = {"key": "dedicated", "operator": operator}
    if values:
        expression["values"] = list(values)
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}


@pytest.mark.parametrize(
    ("operator", "values", "on_scheduler", "on_other"),
    [
        ("In", ["scheduler"], True, False),
        ("NotIn", ["scheduler"], False, True),
        ("Exists", [], True, False),
        ("DoesNotExist", [], False, True),
    ],
)
def test_required_affinity_decides_where_a_pod_may_run(
    operator: str, values: list[str], *, on_scheduler: bool, on_other: bool
) -> None:
    spec = required(operator, *values)
    assert allows(spec, labels={"dedicated": "scheduler"}, taints=[]) is on_scheduler
    assert allows(spec, labels={}, taints=[]) is on_other


@pytest.mark.parametrize(
    ("toleration", "allowed"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "value": "absent"}, False),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "dedicated", "operator": "Exists"}, False),
    ],
)
def test_a_taint_needs_its_toleration(toleration: Document, *, allowed: bool) -> None:
    assert allows({"tolerations": [toleration]}, labels={}, taints=[GPU_TAINT]) is allowed
    assert not allows({}, labels={}, taints=[GPU_TAINT])


def test_a_pod_asks_for_the_larger_of_its_containers_and_its_init_container() -> None:
    spec = {
        "containers": [
            {"resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}},
            {"resources": {"requests": {"cpu": "250m"}}},
        ],
        "initContainers": [{"resources": {"requests": {"cpu": "100m", "memory": "2Gi"}}}],
    }
    wanted = requests(spec)
    assert wanted["cpu"] == Decimal("0.75")
    assert wanted["memory"] == 2 * 1024**3
    assert wanted["pods"] == 1
