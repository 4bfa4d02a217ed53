"""Unit: which claims get a disk, of which zone and size, and which disks go."""

from pathlib import Path
from typing import Any

import pytest

from rehearsal.disks.disk import (
    ASKED_OF,
    DRIVER,
    SELECTED_NODE,
    asks_for_more,
    is_to_be_deleted,
    volume_of,
    waits_for_a_disk,
)

NODE = {"metadata": {"labels": {"topology.kubernetes.io/zone": "europe-west4-b"}}}
CLASS = {"metadata": {"name": "standard-rwo"}, "reclaimPolicy": "Delete"}


def claim(*, size: str = "50Gi", phase: str = "Pending", **annotations: str) -> dict[str, Any]:
    return {
        "metadata": {"name": "home", "namespace": "alpha", "uid": "u1", "annotations": annotations},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}},
        "status": {"phase": phase, "capacity": {"storage": "50Gi"}},
    }


WANTED = {ASKED_OF: DRIVER, SELECTED_NODE: "n1"}


def test_a_claim_waits_for_its_first_pod_and_for_nobody_elses_driver() -> None:
    assert waits_for_a_disk(claim(**WANTED))
    assert not waits_for_a_disk(claim(**{ASKED_OF: DRIVER}))
    assert not waits_for_a_disk(claim(**{**WANTED, ASKED_OF: "filestore.csi.storage.gke.io"}))
    assert not waits_for_a_disk(claim(phase="Bound", **WANTED))


def test_a_disk_is_of_the_pods_zone_and_of_one_claim_alone() -> None:
    spec = volume_of(claim(), storage_class=CLASS, node=NODE, directory=Path("/disks"))["spec"]
    assert spec["hostPath"]["path"] == "/disks/pvc-u1"
    assert spec["claimRef"]["uid"] == "u1"
    (term,) = spec["nodeAffinity"]["required"]["nodeSelectorTerms"]
    assert term["matchExpressions"][0]["values"] == ["europe-west4-b"]


@pytest.mark.parametrize(
    ("size", "phase", "more"),
    [("50Gi", "Bound", None), ("51200Mi", "Bound", None), ("80Gi", "Bound", "80Gi"),
     ("80Gi", "Pending", None)],
)  # fmt: skip
def test_a_bound_claim_that_asks_for_more_gets_it(size: str, phase: str, more: str | None) -> None:
    assert asks_for_more(claim(size=size, phase=phase)) == more


def test_a_released_disk_goes_unless_its_class_keeps_it() -> None:
    volume = volume_of(claim(), storage_class=CLASS, node=NODE, directory=Path("/disks"))
    assert not is_to_be_deleted(volume)
    released = {**volume, "status": {"phase": "Released"}}
    assert is_to_be_deleted(released)
    keeps = {**CLASS, "reclaimPolicy": "Retain"}
    kept = volume_of(claim(), storage_class=keeps, node=NODE, directory=Path("/disks"))
    assert not is_to_be_deleted({**kept, "status": {"phase": "Released"}})
