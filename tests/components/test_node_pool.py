"""Unit: a pool and its generations, as the program registers them."""

from copy import deepcopy
from typing import Any

import pytest

from rehearsal.providers.gcp.field_rules import needs_replacement
from rehearsal.providers.gcp.provider_fields import provider_fields
from rehearsal.providers.protocol.diff import changed_paths, covered_by
from tests.recorded_program import Registration, record

NODE_POOL = "gcp:container/nodePool:NodePool"
OF_THE_CLUSTER = {"name", "cluster", "location"}
"""Replaces the cluster as well, or is the generation's name itself."""

BASE: dict[str, Any] = {
    "project": "example-project",
    "scheduler_pool": {"machine_type": "n1-standard-8", "schedulers_per_gpu": 2},
    "worker_pools": [{"name": "a100", "autoscaling": {"min_nodes": 1, "max_nodes": 3}}],
    "teams": [{"name": "alpha", "workers": 1}],
}
L4 = {"machine_type": "g2-standard-8", "accelerator": "nvidia-l4", "gpus_per_node": 1}
CHANGES: dict[str, dict[str, Any]] = {
    "the schedulers' GPU": {"scheduler_pool": L4},
    "the schedulers' share of it": {"scheduler_pool": {"schedulers_per_gpu": 3}},
    "the schedulers' machine": {"scheduler_pool": {"machine_type": "n1-standard-16"}},
    "the workers' GPU": {"worker_pools": L4},
    "GPUs of each node": {"worker_pools": {"machine_type": "a2-highgpu-4g", "gpus_per_node": 4}},
    "workers that share a GPU": {"worker_pools": {"workers_per_gpu": 2}},
    "divided GPUs": {
        "driver": {"install": "gke", "channel": "LATEST"},
        "worker_pools": {"gpu_partition_size": "3g.20gb"},
    },
    "no GPU any more": {
        "worker_pools": {"accelerator": "none", "machine_type": "e2-standard-8"},
    },
    "spot capacity": {"worker_pools": {"spot": True}},
    "the disk": {"worker_pools": {"disk_size_gb": 300}},
    "the largest size": {"worker_pools": {"autoscaling": {"min_nodes": 1, "max_nodes": 4}}},
    "the smallest size": {"worker_pools": {"autoscaling": {"min_nodes": 2, "max_nodes": 3}}},
    "a zone more": {"worker_pools": {"zones": ["us-central1-a", "us-central1-c"]}},
    "the pool's name": {"worker_pools": {"name": "other"}},
    "pods of each node": {"network": {"max_pods_per_node": 64}},
    "the driver's version": {"driver": {"version": "580.95.05"}},
    "who installs the driver": {"driver": {"install": "gke", "channel": "LATEST"}},
    "labels": {"labels": {"environment": "test"}},
}


def settings(change: dict[str, Any], *, replacement: str) -> dict[str, Any]:
    """The stack with one change, all pools of Dask replaced in this way."""
    document = deepcopy(BASE)
    for room, values in change.items():
        if room == "worker_pools":
            document[room][0].update(values)
        else:
            document.setdefault(room, {}).update(values)
    for pool in (document["scheduler_pool"], *document["worker_pools"]):
        pool["replacement"] = replacement
    return document


def pools_of_dask(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch, *, replacement: str
) -> list[Registration]:
    """The scheduler pool and the worker pool, with GPUs or without, in this order."""
    pools = record(settings(change, replacement=replacement), monkeypatch).of_type(NODE_POOL)
    tainted = [pool for pool in pools if pool.inputs["nodeConfig"]["taints"]]
    return sorted(tainted, key=lambda pool: -len(pool.inputs["nodeConfig"]["taints"]))


def replaces(old: Registration, new: Registration) -> bool:
    """Whether the provider would replace one by the other."""
    is_of_no_account = covered_by(OF_THE_CLUSTER | set(new.ignore_changes))
    fields = provider_fields(NODE_POOL)
    return old.inputs["name"] != new.inputs["name"] or any(
        needs_replacement(path, old=old.inputs, new=new.inputs, fields=fields)
        for path in changed_paths(old.inputs, new.inputs)
        if not is_of_no_account(path)
    )


@pytest.fixture(scope="module")
def unchanged() -> dict[str, list[Registration]]:
    """The pools before every change, by the way in which they are replaced."""
    with pytest.MonkeyPatch.context() as patch:
        return {way: pools_of_dask({}, patch, replacement=way) for way in ("in-place", "surge")}


@pytest.mark.parametrize("change", CHANGES)
def test_a_surge_pool_is_a_new_generation_exactly_when_the_provider_would_replace_it(
    change: str, unchanged: dict[str, list[Registration]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pools(replacement: str) -> list[tuple[Registration, Registration]]:
        after = pools_of_dask(CHANGES[change], monkeypatch, replacement=replacement)
        return list(zip(unchanged[replacement], after, strict=True))

    would_be_replaced = [replaces(old, new) for old, new in pools("in-place")]
    surging = pools("surge")
    is_renamed = [old.inputs["name"] != new.inputs["name"] for old, new in surging]

    assert is_renamed == would_be_replaced
    assert not any(
        replaces(old, new)
        for (old, new), renamed in zip(surging, is_renamed, strict=True)
        if not renamed
    )


def test_the_resource_of_a_generation_has_its_name_and_so_never_meets_its_predecessor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (_, old) = pools_of_dask({}, monkeypatch, replacement="surge")
    (_, new) = pools_of_dask(CHANGES["the workers' GPU"], monkeypatch, replacement="surge")

    assert old.name == f"{old.inputs['name']}-nodes"
    assert new.name == f"{new.inputs['name']}-nodes"
    assert old.name != new.name
    assert old.parent == new.parent


def test_protection_is_for_pools_that_are_not_to_be_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_place = pools_of_dask({}, monkeypatch, replacement="in-place")
    surging = pools_of_dask({}, monkeypatch, replacement="surge")

    assert all(pool.is_protected for pool in in_place)
    assert not any(pool.is_protected for pool in surging)


def test_google_gets_the_zones_and_bounds_over_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    change = CHANGES["a zone more"]
    (_, old) = pools_of_dask({}, monkeypatch, replacement="in-place")
    (_, new) = pools_of_dask(change, monkeypatch, replacement="in-place")

    assert old.inputs["nodeLocations"] == ["us-central1-c"]
    assert old.inputs["autoscaling"] == {"minNodeCount": 1, "maxNodeCount": 3}
    assert new.inputs["nodeLocations"] == ["us-central1-a", "us-central1-c"]
    assert new.inputs["autoscaling"] == {
        "totalMinNodeCount": 1,
        "totalMaxNodeCount": 3,
        "locationPolicy": "BALANCED",
    }
    assert not replaces(old, new)
