"""Unit: the program asks GKE for the disk that a pool's machine series takes."""

from typing import Any

import pytest

from rehearsal.emulator.machines import check_boot_disk
from tests.recorded_program import record

NODE_POOL = "gcp:container/nodePool:NodePool"
BASE: dict[str, Any] = {
    "project": "example-project",
    "scheduler_pool": {"machine_type": "n1-standard-8", "schedulers_per_gpu": 2},
    "teams": [{"name": "alpha", "workers": 1, "worker_pool": "first"}],
}
A100: dict[str, Any] = {"name": "first"}
RTX: dict[str, Any] = {
    "name": "rtx",
    "machine_type": "g4-standard-48",
    "accelerator": "nvidia-rtx-pro-6000",
    "gpus_per_node": 1,
}


def test_each_pool_has_a_disk_that_its_machines_boot_from(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = record({**BASE, "worker_pools": [A100, RTX]}, monkeypatch)
    nodes = [pool.inputs["nodeConfig"] for pool in recorded.of_type(NODE_POOL)]

    assert {each["machineType"]: each["diskType"] for each in nodes} == {
        "e2-standard-4": "pd-balanced",
        "n1-standard-8": "pd-balanced",
        "a2-highgpu-2g": "pd-balanced",
        "g4-standard-48": "hyperdisk-balanced",
    }
    for each in nodes:
        check_boot_disk(each["machineType"], disk_type=each["diskType"])
