"""Rehearsal tier: what the stand-in waits for on a real API server, and what it says in vain."""

import threading

import pytest

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.protocol import (
    OperationTimedOutError,
    ResourceIncompleteError,
    State,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.objects_for_tests import (
    CONFIG_MAP,
    DEPLOYMENT,
    SERVICE,
    config_map,
    deployment,
    refreshed,
)

pytestmark = pytest.mark.rehearsal


def test_a_deployment_that_fits_nowhere_says_why(connection: Connection, namespace: str) -> None:
    resource = KubernetesObject(DEPLOYMENT, connection)
    with pytest.raises(ResourceIncompleteError) as caught:
        resource.create(inputs=deployment(namespace), call=engine_call(timeout_s=3))
    assert caught.value.resource_id == f"{namespace}/web"
    assert any("no nodes available" in reason for reason in caught.value.reasons)
    state = State(caught.value.resource_id, caught.value.inputs, caught.value.outputs)
    with pytest.raises(ResourceIncompleteError):
        resource.read(stored=state, call=engine_call())


def test_a_quota_that_admits_no_pod_is_named_from_events(
    connection: Connection, namespace: str
) -> None:
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "small", "namespace": namespace},
        "spec": {"hard": {"requests.cpu": "500m"}},
    }
    KubernetesObject(Kind("", "v1", "ResourceQuota"), connection).create(
        inputs=quota, call=engine_call()
    )
    with pytest.raises(ResourceIncompleteError) as caught:
        KubernetesObject(DEPLOYMENT, connection).create(
            inputs=deployment(namespace), call=engine_call(timeout_s=3)
        )
    assert any("exceeded quota: small" in reason for reason in caught.value.reasons)


def test_a_cancelled_wait_keeps_the_object_in_the_state(
    connection: Connection, namespace: str
) -> None:
    circumstances = engine_call()
    threading.Timer(0.5, circumstances.cancelled.set).start()
    with pytest.raises(ResourceIncompleteError) as caught:
        KubernetesObject(DEPLOYMENT, connection).create(
            inputs=deployment(namespace), call=circumstances
        )
    assert caught.value.resource_id == f"{namespace}/web"
    assert "cancelled" in str(caught.value)


def test_skip_await_returns_at_once(connection: Connection, namespace: str) -> None:
    inputs = deployment(namespace)
    inputs["metadata"]["annotations"] = {"pulumi.com/skipAwait": "true"}
    resource = KubernetesObject(DEPLOYMENT, connection)
    state = resource.create(inputs=inputs, call=engine_call(timeout_s=1))
    live = refreshed(resource, state, engine_call())
    assert not resource.diff(old=live, inputs=inputs).changes


def test_a_service_without_pods_is_complete(connection: Connection, namespace: str) -> None:
    inputs = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"selector": {"app": "nothing"}, "ports": [{"port": 80}]},
    }
    state = KubernetesObject(SERVICE, connection).create(
        inputs=inputs, call=engine_call(timeout_s=20)
    )
    assert state.outputs["spec"]["clusterIP"]


def test_a_deletion_that_hangs_names_the_finalizer(
    connection: Connection, api: KubernetesApi, namespace: str
) -> None:
    inputs = config_map(namespace, a="1")
    inputs["metadata"]["finalizers"] = ["example.com/held"]
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=inputs, call=engine_call())
    with pytest.raises(OperationTimedOutError, match=r"example\.com/held"):
        resource.delete(old=state, call=engine_call(timeout_s=1))
    release = [{"op": "remove", "path": "/metadata/finalizers"}]
    api.patch_json(CONFIG_MAP, inputs, release)
