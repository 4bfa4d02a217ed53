"""Unit: Kubernetes objects, read as the scheduler would count them."""

from decimal import Decimal
from typing import Any

from rehearsal.report.fleet_state import node_of, pod_of


def container(cpu: str, **more: Any) -> dict[str, Any]:
    return {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}, **more}


def pod(**spec: Any) -> dict[str, Any]:
    metadata = {"name": "p", "namespace": "n", "uid": "u"}
    return {"metadata": metadata, "spec": {"containers": [container("100m")], **spec}}


def test_requests_are_summed_over_containers_and_overhead_and_count_one_pod() -> None:
    read = pod_of(pod(containers=[container("100m"), container("2")], overhead={"cpu": "50m"}))
    assert read.requests == {"cpu": Decimal("2.15"), "pods": 1}


def test_the_largest_init_container_counts_if_it_is_more_than_all_others() -> None:
    read = pod_of(pod(initContainers=[container("3"), container("1")]))
    assert read.requests["cpu"] == 3


def test_a_sidecar_runs_beside_the_containers() -> None:
    read = pod_of(pod(initContainers=[container("1", restartPolicy="Always")]))
    assert read.requests["cpu"] == Decimal("1.1")


def test_a_pod_without_status_is_neither_placed_nor_ready() -> None:
    read = pod_of(pod())
    assert (read.node, read.phase, read.is_ready, read.takes_room) == ("", "Unknown", False, False)


def test_the_schedulers_reason_is_kept() -> None:
    document = pod()
    condition = {"type": "PodScheduled", "status": "False", "message": "0/5 nodes are available"}
    document["status"] = {"phase": "Pending", "conditions": [condition]}
    assert pod_of(document).reason == "0/5 nodes are available"


def test_a_node_offers_its_allocatable_in_base_units() -> None:
    labels = {"cloud.google.com/gke-nodepool": "a100", "cloud.google.com/gke-accelerator": "x"}
    document = {
        "metadata": {"name": "n", "labels": labels},
        "status": {"allocatable": {"cpu": "11900m", "memory": "1Ki"}},
    }
    read = node_of(document)
    assert (read.pool, read.has_gpu) == ("a100", True)
    assert read.allocatable == {"cpu": Decimal("11.9"), "memory": 1024}


def test_a_node_tells_its_hardware_and_whether_it_is_ready() -> None:
    labels = {
        "cloud.google.com/gke-accelerator-count": "1",
        "node.kubernetes.io/instance-type": "n1-standard-4",
    }
    status = {"conditions": [{"type": "Ready", "status": "True"}]}
    read = node_of({"metadata": {"name": "n", "labels": labels}, "status": status})
    assert (read.gpus, read.machine_type, read.is_ready) == (1, "n1-standard-4", True)
    assert not node_of({"metadata": {"name": "n"}, "status": {}}).is_ready
