"""Unit: what a process tells of its GPUs, by an NVML that this machine does not have."""

import sys
from types import ModuleType
from typing import Any

import pytest

from in_cluster.dask_probe import process_facts

MEBIBYTE = 2**20
CARD, PART = "card", "part"


class NVMLError(Exception):
    """NVML's own, as pynvml has it."""


def nvml(*, is_divided: bool | None) -> Any:
    """A card that is divided, that is not, or (None) that cannot be; one partition is ours."""
    module: Any = ModuleType("pynvml")
    module.NVMLError = NVMLError
    module.NVML_DEVICE_MIG_ENABLE = 1
    module.nvmlInit = lambda: None
    module.nvmlDeviceGetCount = lambda: 1
    module.nvmlDeviceGetHandleByIndex = lambda _: CARD
    module.nvmlSystemGetCudaDriverVersion_v2 = lambda: 13000
    module.nvmlSystemGetDriverVersion = lambda: "580.126.20"
    module.nvmlDeviceGetCudaComputeCapability = {CARD: (8, 0)}.__getitem__
    module.nvmlDeviceGetName = {CARD: "A100", PART: "A100 MIG 1g.5gb"}.__getitem__
    module.nvmlDeviceGetMaxMigDeviceCount = lambda _: 7
    memory_mib = {CARD: 40960, PART: 4864}

    def memory(handle: str) -> Any:
        return type("Memory", (), {"total": memory_mib[handle] * MEBIBYTE})

    def mode(_: str) -> tuple[int, int]:
        if is_divided is None:
            raise NVMLError
        return int(is_divided), int(is_divided)

    def part(_: str, place: int) -> str:
        if place != 3:
            raise NVMLError
        return PART

    module.nvmlDeviceGetMemoryInfo = memory
    module.nvmlDeviceGetMigMode = mode
    module.nvmlDeviceGetMigDeviceHandleByIndex = part
    return module


def gpus_of(monkeypatch: pytest.MonkeyPatch, *, is_divided: bool | None) -> list[tuple[str, int]]:
    monkeypatch.setitem(sys.modules, "pynvml", nvml(is_divided=is_divided))
    return [(gpu["name"], gpu["memory_mib"]) for gpu in process_facts.gpus()["gpus"]]


@pytest.mark.parametrize("is_divided", [False, None], ids=["not divided", "cannot be divided"])
def test_a_whole_card_is_told_as_it_is(
    is_divided: bool | None,  # noqa: FBT001 - a parameter of pytest's
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert gpus_of(monkeypatch, is_divided=is_divided) == [("A100", 40960)]


def test_of_a_divided_card_the_partition_is_told_that_the_process_may_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert gpus_of(monkeypatch, is_divided=True) == [("A100 MIG 1g.5gb", 4864)]
