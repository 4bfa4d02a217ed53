"""Unit: what a node says of its GPUs."""

from typing import Any

import pytest

from in_cluster.gpu_health.signs import is_whole, missing_gpus, reported
from tests.in_cluster.gpu_health.nodes import node, sick


def test_the_plugins_condition_names_its_xid() -> None:
    assert reported(sick()) == "XID 79"
    assert not is_whole(sick())


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ('{"119":true,"48":true}', "XID 48, 119"),
        ('{"63":true}', ""),
        ('{"63":true,"64":true}', "XID 64"),
        # Nobody knows which, and the plugin says that it is critical.
        ("HardwareFault", "a critical error of a GPU"),
        ('["79"]', "a critical error of a GPU"),
        ('{"seventy-nine":true}', "a critical error of a GPU"),
        ("[" * 100_000, "a critical error of a GPU"),
    ],
)
def test_a_worn_row_of_memory_is_no_sickness_and_what_cannot_be_read_is(
    reason: str, told: str
) -> None:
    assert reported(sick(reason=reason)) == told


def test_a_list_without_end_is_cut() -> None:
    told = reported(sick(reason="{" + ",".join(f'"{n}":true' for n in range(100, 999)) + "}"))

    assert told.count(",") == 7


def test_a_condition_that_does_not_hold_says_nothing() -> None:
    healthy = sick()
    healthy["status"]["conditions"][-1] |= {"status": "False"}

    assert reported(healthy) == ""
    assert is_whole(healthy)


@pytest.mark.parametrize(
    ("gpus", "usable", "missing"), [(2, 2, 0), (2, 1, 1), (2, 0, 2), (0, 0, 0)]
)
def test_gpus_that_no_pod_can_get_are_missing(gpus: int, usable: int, missing: int) -> None:
    assert missing_gpus(node(gpus=gpus, usable=usable)) == missing


@pytest.mark.parametrize(("usable", "missing"), [(8, 0), (7, 1), (4, 1), (3, 2), (0, 2)])
def test_shares_of_one_gpu_are_one_gpu(usable: int, missing: int) -> None:
    """Two GPUs, each shared by four: a plugin that marks one takes all of its shares."""
    shared = node(gpus=8, usable=usable)
    shared["metadata"]["labels"] = {"cloud.google.com/gke-max-shared-clients-per-gpu": "4"}

    assert missing_gpus(shared) == missing
    assert is_whole(shared) == (not missing)


@pytest.mark.parametrize("times", ["", "0", "many"])
def test_a_label_that_nobody_can_read_divides_nothing(times: str) -> None:
    odd = node(gpus=2, usable=1)
    odd["metadata"]["labels"] = {"cloud.google.com/gke-max-shared-clients-per-gpu": times}

    assert missing_gpus(odd) == 1


@pytest.mark.parametrize("broken", [{}, {"capacity": {"nvidia.com/gpu": "many"}}])
def test_a_node_that_has_no_gpus_yet_is_neither_sick_nor_whole(broken: dict[str, Any]) -> None:
    booting = {"metadata": {"name": "new"}, "spec": {}, "status": broken}

    assert reported(booting) == ""
    assert missing_gpus(booting) == 0
    assert not is_whole(booting)
