"""Unit tests: when objects count as ready."""

from typing import Any

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.readiness import (
    is_awaited,
    unready,
    unready_endpoints,
    waits_for_endpoints,
)

DAEMON_SET = Kind("apps", "v1", "DaemonSet")
DEPLOYMENT = Kind("apps", "v1", "Deployment")


def workload(status: dict[str, Any], *, replicas: int = 1) -> dict[str, Any]:
    return {
        "metadata": {"generation": 2},
        "spec": {"replicas": replicas},
        "status": {"observedGeneration": 2, **status},
    }


def test_a_daemon_set_without_matching_nodes_is_ready_once_its_controller_saw_it() -> None:
    assert unready(DAEMON_SET, workload({"desiredNumberScheduled": 0})) is None
    unseen = {"metadata": {"generation": 1}, "status": {}}
    assert unready(DAEMON_SET, unseen) == "its controller to notice the change"


def test_a_daemon_set_waits_for_every_updated_pod() -> None:
    status = {"desiredNumberScheduled": 2, "updatedNumberScheduled": 2, "numberAvailable": 1}
    assert unready(DAEMON_SET, workload(status)) == "2 pods to be ready, 1 are"
    assert unready(DAEMON_SET, workload({**status, "numberAvailable": 2})) is None


def test_a_deployment_is_not_ready_while_an_old_replica_lives() -> None:
    status = {"replicas": 2, "updatedReplicas": 1, "availableReplicas": 2}
    assert unready(DEPLOYMENT, workload(status)) == "old replicas to go"
    done = {"replicas": 1, "updatedReplicas": 1, "availableReplicas": 1}
    assert unready(DEPLOYMENT, workload(done)) is None


def test_a_deployment_of_nothing_is_ready() -> None:
    assert unready(DEPLOYMENT, workload({}, replicas=0)) is None


def test_a_quota_waits_until_its_status_repeats_its_limits() -> None:
    quota = Kind("", "v1", "ResourceQuota")
    live = {"spec": {"hard": {"cpu": "1000m"}}, "status": {}}
    assert unready(quota, live) is not None
    assert unready(quota, {**live, "status": {"hard": {"cpu": "1"}}}) is None


def test_a_custom_resource_is_not_awaited() -> None:
    assert not is_awaited(Kind("kubernetes.dask.org", "v1", "DaskCluster"))


def test_a_service_waits_for_selected_pods_only_while_they_are_not_ready() -> None:
    waiting = {"endpoints": [{"conditions": {"ready": False}}, {"conditions": {"ready": True}}]}
    assert unready_endpoints([waiting]) == "1 selected pods that are not ready"
    assert unready_endpoints([{"endpoints": [{"conditions": {"ready": True}}]}]) is None


def test_a_service_that_selects_nothing_is_complete() -> None:
    assert unready_endpoints([{"endpoints": None}]) is None


def test_headless_and_selectorless_services_have_no_pods_to_wait_for() -> None:
    assert not waits_for_endpoints({"spec": {"clusterIP": "None", "selector": {"a": "b"}}})
    assert not waits_for_endpoints({"spec": {"clusterIP": "10.0.0.1"}})
    assert waits_for_endpoints({"spec": {"clusterIP": "10.0.0.1", "selector": {"a": "b"}}})


def test_a_load_balancer_needs_an_address() -> None:
    live: dict[str, Any] = {"spec": {"type": "LoadBalancer"}, "status": {}}
    service = Kind("", "v1", "Service")
    assert unready(service, live) == "a load balancer address"
    live["status"] = {"loadBalancer": {"ingress": [{"ip": "10.0.0.1"}]}}
    assert unready(service, live) is None
