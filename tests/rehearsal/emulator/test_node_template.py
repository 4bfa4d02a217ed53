"""Node objects: labels, taints and sizes as GKE makes them. Unit tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator.errors import InvalidArgumentError, UnimplementedError
from rehearsal.emulator.kubernetes_api import NodeMismatchError, check_size
from rehearsal.emulator.machines import check_accelerators, machine_type
from rehearsal.emulator.node_pool_spec import settle_config
from rehearsal.emulator.node_sizing import node_size
from rehearsal.emulator.node_template import node_document

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

ZONE = "us-central1-c"


def node(config: Document) -> Document:
    pool = {
        "name": "scheduler-pool",
        "version": "1.36.3-gke.1",
        "config": settle_config(config, gpu_taint=True),
        "maxPodsConstraint": {"maxPodsPerNode": "32"},
    }
    return node_document(project="acme", pool=pool, zone=ZONE, name="gke-n")


def t4(**accelerator: object) -> Document:
    return {
        "machineType": "n1-standard-4",
        "accelerators": [
            {"acceleratorType": "nvidia-tesla-t4", "acceleratorCount": "1", **accelerator}
        ],
    }


def a100(**accelerator: object) -> Document:
    gpus = {"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "2", **accelerator}
    return {"machineType": "a2-highgpu-2g", "accelerators": [gpus]}


# Figures: node sizing pages quoted by several calculators; GKE documents 0.94 vCPU for e2-medium.
@pytest.mark.parametrize(
    ("machine", "cpus", "memory_gib"),
    [
        ("n1-standard-1", 0.94, 2.71),
        ("n1-standard-2", 1.93, 5.70),
        ("n1-standard-4", 3.92, 12.40),
        ("a2-highgpu-1g", 11.90, 78.16),
        ("a2-highgpu-2g", 23.87, 159.74),
        ("g2-standard-4", 3.92, 13.30),
        ("e2-medium", 0.94, 2.90),
    ],
)
def test_allocatable_is_what_gke_leaves_of_a_machine(
    machine: str, cpus: float, memory_gib: float
) -> None:
    config = {"machineType": machine, "diskSizeGb": 100}
    capacity, allocatable = node_size(config, zone=ZONE, max_pods=110)
    assert allocatable.millicpu == cpus * 1000
    assert allocatable.memory_mib / 1024 == pytest.approx(memory_gib, abs=0.01)
    assert allocatable.ephemeral_storage_mib == 49 * 1024
    assert capacity.millicpu > allocatable.millicpu


def test_a_gpu_node_carries_the_labels_and_the_taint_that_gke_adds() -> None:
    document = node(t4())
    labels = document["metadata"]["labels"]
    assert labels["cloud.google.com/gke-accelerator"] == "nvidia-tesla-t4"
    assert labels["cloud.google.com/gke-accelerator-count"] == "1"
    assert labels["cloud.google.com/gke-gpu"] == "true"
    assert labels["cloud.google.com/gke-nodepool"] == "scheduler-pool"
    assert labels["topology.kubernetes.io/zone"] == ZONE
    assert labels["topology.kubernetes.io/region"] == "us-central1"
    assert document["spec"]["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    ]
    assert document["spec"]["providerID"] == f"gce://acme/{ZONE}/gke-n"
    assert document["status"]["allocatable"]["pods"] == "32"


def test_a_shared_gpu_counts_clients() -> None:
    sharing = {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": "4"}
    document = node(t4(gpuSharingConfig=sharing))
    assert document["status"]["allocatable"]["nvidia.com/gpu"] == "4"
    labels = document["metadata"]["labels"]
    assert labels["cloud.google.com/gke-gpu-sharing-strategy"] == "time-sharing"
    assert labels["cloud.google.com/gke-max-shared-clients-per-gpu"] == "4"


@pytest.mark.parametrize(
    ("installation", "label"),
    [
        ({}, "default"),
        ({"gpuDriverVersion": "LATEST"}, "latest"),
        ({"gpuDriverVersion": "INSTALLATION_DISABLED"}, None),
    ],
)
def test_the_driver_label_says_who_installs_the_driver(
    installation: dict[str, str], label: str | None
) -> None:
    accelerator = {"gpuDriverInstallationConfig": installation} if installation else {}
    labels = node(t4(**accelerator))["metadata"]["labels"]
    assert labels.get("cloud.google.com/gke-gpu-driver-version") == label


def test_the_taint_is_not_doubled_when_the_pool_names_it() -> None:
    own = {"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}
    assert len(node({**t4(), "taints": [own]})["spec"]["taints"]) == 1


def test_a_cpu_node_has_no_gpu_and_no_taint() -> None:
    document = node({"machineType": "e2-standard-4", "labels": {"pool": "system"}})
    assert "nvidia.com/gpu" not in document["status"]["capacity"]
    assert document["spec"]["taints"] == []
    assert document["metadata"]["labels"]["pool"] == "system"


def test_a_divided_gpu_counts_its_partitions_and_each_ones_clients() -> None:
    sharing = {"gpuSharingStrategy": "TIME_SHARING", "maxSharedClientsPerGpu": "2"}
    whole = node(a100(gpuPartitionSize="1g.5gb"))
    shared = node(a100(gpuPartitionSize="3g.20gb", gpuSharingConfig=sharing))
    assert whole["status"]["allocatable"]["nvidia.com/gpu"] == "14"
    assert shared["status"]["allocatable"]["nvidia.com/gpu"] == "8"
    labels = whole["metadata"]["labels"]
    assert labels["cloud.google.com/gke-gpu-partition-size"] == "1g.5gb"
    assert labels["cloud.google.com/gke-accelerator-count"] == "2"


@pytest.mark.parametrize(
    ("accelerator", "size", "supported"),
    [
        ("nvidia-tesla-t4", "1g.5gb", "none"),
        ("nvidia-tesla-a100", "1g.10gb", "1g.5gb, 2g.10gb"),
        ("nvidia-a100-80gb", "1g.5gb", "1g.10gb, 2g.20gb"),
    ],
)
def test_a_partition_that_the_card_does_not_have_is_refused(
    accelerator: str, size: str, supported: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=f'"{size}" is not .*supported: {supported}'):
        node(a100(acceleratorType=accelerator, gpuPartitionSize=size))


def test_an_l4_node_is_what_gke_makes_of_a_g2_machine() -> None:
    gpu = {"acceleratorType": "nvidia-l4", "acceleratorCount": "1"}
    document = node({"machineType": "g2-standard-4", "accelerators": [gpu]})
    labels = document["metadata"]["labels"]
    assert labels["cloud.google.com/gke-accelerator"] == "nvidia-l4"
    assert labels["cloud.google.com/machine-family"] == "g2"
    assert document["status"]["allocatable"]["nvidia.com/gpu"] == "1"


@pytest.mark.parametrize(
    ("machine", "accelerator", "count", "zone", "message"),
    [
        ("a2-highgpu-9g", "", 0, ZONE, "does not exist in zone"),
        ("a2-ultragpu-1g", "nvidia-a100-80gb", 1, "us-west1-b", "does not exist in zone"),
        ("n1-standard-2", "nvidia-tesla-t4", 1, "asia-east2-b", "does not exist in zone asia-e"),
        ("n1-standard-2", "", 0, "us-east5-a", "does not exist in zone 'us-east5-a'"),
        ("n2-standard-5", "", 0, ZONE, "does not exist in zone"),
        ("nonsense-99", "", 0, ZONE, "does not exist in zone"),
        ("a2-highgpu-2g", "nvidia-tesla-a100", 1, ZONE, "exactly 2 x nvidia-tesla-a100"),
        ("a2-highgpu-2g", "", 0, ZONE, "exactly 2 x nvidia-tesla-a100"),
        ("e2-standard-4", "nvidia-tesla-t4", 1, ZONE, "cannot have accelerators"),
        ("n1-standard-4", "nvidia-tesla-t4", 3, ZONE, "allowed counts: 1, 2, 4"),
    ],
)
def test_machines_that_do_not_exist_are_refused(
    machine: str, accelerator: str, count: int, zone: str, message: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        check_accelerators(machine, accelerator=accelerator, count=count, zone=zone)


@pytest.mark.parametrize(
    "machine",
    [
        "a3-edgegpu-8g",
        "c4a-standard-8",
        "ct5lp-hightpu-4t",
        "f1-micro",
        "t2a-standard-1",
        "c3-standard-8-lssd",
        "n2-custom-4-8192",
        "custom-4-15360",
    ],
)
def test_machines_that_are_not_emulated_are_not_said_not_to_exist(machine: str) -> None:
    with pytest.raises(UnimplementedError, match=f"emulator does not know machine type '{machine}"):
        check_accelerators(machine, accelerator="", count=0, zone=ZONE)


@pytest.mark.parametrize(
    ("machine", "vcpus", "memory_gb"),
    [
        ("n2d-standard-8", 8, 32),
        ("c2-standard-16", 16, 64),
        ("t2d-standard-4", 4, 16),
        ("n1-standard-32", 32, 120),
        ("c3d-highmem-30", 30, 240),
        ("c4-standard-288", 288, 1080),
        ("n4-highcpu-80", 80, 160),
        ("g4-standard-384", 384, 1440),
        ("e2-small", 2, 2),
    ],
)
def test_a_series_is_there_whole(machine: str, vcpus: int, memory_gb: int) -> None:
    found = machine_type(machine, zone=ZONE)
    assert (found.vcpus, found.memory_gb) == (vcpus, memory_gb)


def test_a_node_must_offer_what_was_posted_however_it_is_written() -> None:
    posted = node(t4())
    sizes = {**posted["status"]["capacity"], "cpu": "4", "memory": "15Gi"}
    check_size(posted, {"status": posted["status"] | {"capacity": sizes}})
    with pytest.raises(NodeMismatchError, match="gke-n: capacity is"):
        check_size(posted, {"status": posted["status"] | {"capacity": {"cpu": "1k"}}})
