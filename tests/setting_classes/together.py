"""Changes of settings that are refused alone: with what has to change with them."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

Settings = dict[str, Any]

_LEAST: Settings = {
    "project": "example-project",
    "worker_pools": [{"name": "a100"}],
    "teams": [{"name": "alpha", "workers": 1}],
}
_IMAGE = {"ref": "registry.example/rapids:1", "rapids": "26.08", "cuda": 12}
_CPU_POOL = {"name": "cpu", "machine_type": "e2-standard-8", "accelerator": "none"}
_SMALL = {"cpu": 2, "memory_gib": 4, "shm_gib": 1}
_ON_CPUS = {"worker_pool": "cpu", "worker": _SMALL}
_STREAMED = "us-central1-docker.pkg.dev/example-project/dask/rapids:26.10-cuda12-py3.13"
_NEWER_DRIVER = {"install": "daemonset", "version": "580.126.20"}
_IP = {"kind": "ip", "authorized_networks": [{"name": "office", "cidr": "192.0.2.0/24"}]}


def _pool(**settings: Any) -> Settings:
    return {"worker_pools": [{"name": "a100", **settings}]}


def _team(**settings: Any) -> Settings:
    return {"teams": [{"name": "alpha", "workers": 1, **settings}]}


_LARGER = _pool(machine_type="a2-highgpu-4g", gpus_per_node=4)
_TWO_POOLS = {"worker_pools": [{"name": "a100"}, {"name": "other"}]}

_PAIRS: Mapping[str, tuple[Settings, Settings]] = {
    "cluster.endpoint.kind": ({"cluster": {"endpoint": _IP}}, {}),
    "system_pool.machine_type": ({}, {"system_pool": {"machine_type": "e2-standard-8"}}),
    "scheduler_pool.accelerator": (
        {},
        {"scheduler_pool": {"machine_type": "g2-standard-4", "accelerator": "nvidia-l4"}},
    ),
    "worker_pools.name": ({}, {"worker_pools": [{"name": "renamed"}]}),
    "worker_pools.machine_type": ({}, _LARGER),
    "worker_pools.gpus_per_node": ({}, _LARGER),
    "worker_pools.accelerator": (
        {},
        _pool(machine_type="a2-ultragpu-2g", accelerator="nvidia-a100-80gb", gpus_per_node=2),
    ),
    "worker_pools.image_streaming": (
        {"image": _STREAMED, **_pool(image_streaming=False)},
        {"image": _STREAMED, **_pool(image_streaming=True)},
    ),
    "driver.install": ({}, {"driver": {"install": "gke", "channel": "LATEST"}}),
    "operator.image_digest": (
        {},
        {"operator": {"version": "2026.3.0", "image_digest": "sha256:" + "1" * 64}},
    ),
    "image.rapids": ({"image": _IMAGE}, {"image": {**_IMAGE, "rapids": "26.10"}}),
    "image.cuda": (
        {"image": _IMAGE, "driver": _NEWER_DRIVER},
        {"image": {**_IMAGE, "cuda": 13}, "driver": _NEWER_DRIVER},
    ),
    "teams.image.rapids": (_team(image=_IMAGE), _team(image={**_IMAGE, "rapids": "26.10"})),
    "teams.image.cuda": (
        {**_team(image=_IMAGE), "driver": _NEWER_DRIVER},
        {**_team(image={**_IMAGE, "cuda": 13}), "driver": _NEWER_DRIVER},
    ),
    "teams.worker_pool": (
        {**_TWO_POOLS, **_team(worker_pool="a100")},
        {**_TWO_POOLS, **_team(worker_pool="other")},
    ),
    "teams.worker.protocol": ({}, _team(worker={"protocol": "ucx"})),
    "teams.worker.threads": (
        {"worker_pools": [_CPU_POOL], **_team(**_ON_CPUS)},
        {"worker_pools": [_CPU_POOL], **_team(worker_pool="cpu", worker={**_SMALL, "threads": 2})},
    ),
}
TOGETHER = {
    path: (deepcopy(_LEAST) | before, deepcopy(_LEAST) | after)
    for path, (before, after) in _PAIRS.items()
}
"""A stack before and after each of them."""
