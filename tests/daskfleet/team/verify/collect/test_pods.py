"""Unit: what is read of the Kubernetes API's documents."""

from typing import Any

from daskfleet.team.verify.collect.pods import cluster_facts

NODES = [
    {"metadata": {"name": "n1", "labels": {"cloud.google.com/gke-nodepool": "scheduler-pool"}}},
    {"metadata": {"name": "n2", "labels": {}}},
]


def pod_document(name: str, role: str, cluster: str = "fraud", **changes: Any) -> dict[str, Any]:
    labels = {"dask.org/cluster-name": cluster, "dask.org/component": role}
    ready = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return {
        "metadata": {"name": name, "labels": labels, **changes.pop("metadata", {})},
        "spec": {
            "nodeName": "n1",
            "containers": [{"image": "rapids:1"}],
            **changes.pop("spec", {}),
        },
        "status": changes.pop("status", ready),
    }


def test_a_pod_is_told_with_its_pool_image_and_readiness() -> None:
    found = cluster_facts(
        [pod_document("s", "scheduler")], NODES, leads_to="fraud", dask_cluster="fraud"
    )
    (pod,) = found.pods

    assert (pod.role, pod.pool, pod.image, pod.is_ready) == (
        *("scheduler", "scheduler-pool", "rapids:1"),
        True,
    )
    assert found.scheduler_pod


def test_pods_that_go_and_pods_of_other_clusters_are_left_out() -> None:
    going = pod_document("old", "worker", metadata={"deletionTimestamp": "2026-11-21T00:00:00Z"})
    going["metadata"]["labels"] = pod_document("x", "worker")["metadata"]["labels"]
    theirs = pod_document("mine", "worker", cluster="somebodys-own")
    found = cluster_facts([going, theirs], NODES, leads_to="fraud", dask_cluster="fraud")

    assert found.pods == ()
    assert not found.scheduler_pod


def test_the_way_leads_to_the_ready_scheduler_that_the_service_selects() -> None:
    starting = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}
    documents = [
        pod_document("old", "scheduler", cluster="fraud-1"),
        pod_document("new", "scheduler", cluster="fraud-2", status=starting),
    ]
    found = cluster_facts(documents, NODES, leads_to="fraud-1", dask_cluster="fraud-2")

    assert found.scheduler_pod == "old"
    assert [pod.is_ready for pod in found.pods] == [False]


def test_why_a_pod_waits_is_told_in_kubernetes_words() -> None:
    pulling = {
        "phase": "Pending",
        "containerStatuses": [
            {"state": {"waiting": {"reason": "ImagePullBackOff", "message": "not found"}}}
        ],
    }
    unplaced = {
        "phase": "Pending",
        "conditions": [
            {"type": "PodScheduled", "status": "False", "message": "0/4 nodes are available"}
        ],
    }
    documents = [
        pod_document("a", "worker", status=pulling),
        pod_document("b", "worker", status=unplaced, spec={"nodeName": ""}),
        pod_document("c", "worker", spec={"nodeName": "n2"}),
    ]
    found = cluster_facts(documents, NODES, leads_to="", dask_cluster="fraud")

    assert [(pod.state, pod.pool) for pod in found.pods] == [
        ("Pending, ImagePullBackOff: not found", "scheduler-pool"),
        ("Pending, 0/4 nodes are available", ""),
        ("Running", ""),
    ]


def test_pools_are_not_known_to_those_who_may_not_read_nodes() -> None:
    found = cluster_facts(
        [pod_document("s", "scheduler")], None, leads_to="fraud", dask_cluster="fraud"
    )

    assert [pod.pool for pod in found.pods] == [None]
