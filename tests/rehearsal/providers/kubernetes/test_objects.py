"""Rehearsal tier: objects on a real API server, through the resource type itself."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Naming,
    OperationTimedOutError,
    ProviderError,
    ResourceIncompleteError,
    State,
)

pytestmark = pytest.mark.rehearsal

CONFIG_MAP = Kind("", "v1", "ConfigMap")
DEPLOYMENT = Kind("apps", "v1", "Deployment")
SERVICE = Kind("", "v1", "Service")
MakeCall = Callable[..., Call]


def config_map(namespace: str, name: str = "settings", **data: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace},
        "data": data,
    }


def deployment(namespace: str, *, cpu: str = "1") -> dict[str, Any]:
    """A Deployment that fits on no node: the control plane has none."""
    container = {
        "name": "c",
        "image": "does.not/exist:none",
        "resources": {"requests": {"cpu": cpu}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [container]},
            },
        },
    }


def refreshed(resource: KubernetesObject, state: State, call: Call) -> State:
    live = resource.read(stored=state, call=call)
    assert live is not None
    return live


def test_create_read_update_delete(connection: Connection, namespace: str, call: MakeCall) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=call())
    assert state.id == f"{namespace}/settings"
    assert state.outputs["metadata"]["uid"]
    live = refreshed(resource, state, call())
    assert not resource.diff(old=live, inputs=state.inputs).changes
    changed = resource.update(old=live, inputs=config_map(namespace, b="2"), call=call())
    assert changed.outputs["data"] == {"b": "2"}
    resource.delete(old=changed, call=call())
    assert resource.read(stored=changed, call=call()) is None
    resource.delete(old=changed, call=call())


def test_drift_shows_in_the_diff(
    connection: Connection, api: KubernetesApi, namespace: str, call: MakeCall
) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=call())
    api.apply(
        CONFIG_MAP, config_map(namespace, a="2"), manager="someone", force=True, dry_run=False
    )
    live = refreshed(resource, state, call())
    assert resource.diff(old=live, inputs=state.inputs).changes


def test_an_existing_object_is_not_taken_over(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    resource.create(inputs=config_map(namespace, a="1"), call=call())
    with pytest.raises(ProviderError, match="already exists"):
        resource.create(inputs=config_map(namespace, a="2"), call=call())


def test_a_conflict_names_the_other_manager(
    connection: Connection, api: KubernetesApi, namespace: str, call: MakeCall
) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=call())
    theirs = config_map(namespace, a="2")
    api.apply(CONFIG_MAP, theirs, manager="an-operator", force=True, dry_run=False)
    with pytest.raises(ProviderError, match="an-operator"):
        resource.update(old=state, inputs=config_map(namespace, a="3"), call=call())


def test_a_preview_changes_nothing_and_shows_defaults(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    resource = KubernetesObject(DEPLOYMENT, connection)
    state = resource.create(inputs=deployment(namespace), call=call(preview=True))
    assert state.id == ""
    assert state.outputs["spec"]["strategy"]["type"] == "RollingUpdate"
    stored = State(f"{namespace}/web", state.inputs, state.outputs)
    assert resource.read(stored=stored, call=call()) is None


def test_a_preview_finds_what_the_server_would_refuse(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    broken = deployment(namespace)
    broken["spec"]["selector"]["matchLabels"] = {"app": "other"}
    with pytest.raises(ProviderError, match="selector"):
        KubernetesObject(DEPLOYMENT, connection).create(inputs=broken, call=call(preview=True))


@pytest.mark.parametrize("missing", ["namespace", "kind", "value"])
def test_a_preview_passes_what_this_run_will_make(
    connection: Connection, call: MakeCall, missing: str
) -> None:
    kind, inputs = CONFIG_MAP, config_map("not-there-yet", a="1")
    if missing == "kind":
        kind = Kind("example.com", "v1", "Thing")
        inputs = {**inputs, "apiVersion": "example.com/v1", "kind": "Thing"}
    if missing == "value":
        inputs["data"]["a"] = UNKNOWN
    state = KubernetesObject(kind, connection).create(inputs=inputs, call=call(preview=True))
    assert state.outputs == inputs


def test_a_deployment_that_fits_nowhere_says_why(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    resource = KubernetesObject(DEPLOYMENT, connection)
    with pytest.raises(ResourceIncompleteError) as caught:
        resource.create(inputs=deployment(namespace), call=call(timeout_s=3))
    assert caught.value.resource_id == f"{namespace}/web"
    assert any("no nodes available" in reason for reason in caught.value.reasons)
    state = State(caught.value.resource_id, caught.value.inputs, caught.value.outputs)
    with pytest.raises(ResourceIncompleteError):
        resource.read(stored=state, call=call())


def test_a_quota_that_admits_no_pod_is_named_from_events(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "small", "namespace": namespace},
        "spec": {"hard": {"requests.cpu": "500m"}},
    }
    KubernetesObject(Kind("", "v1", "ResourceQuota"), connection).create(inputs=quota, call=call())
    with pytest.raises(ResourceIncompleteError) as caught:
        KubernetesObject(DEPLOYMENT, connection).create(
            inputs=deployment(namespace), call=call(timeout_s=3)
        )
    assert any("exceeded quota: small" in reason for reason in caught.value.reasons)


def test_a_cancelled_wait_keeps_the_object_in_the_state(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    circumstances = call()
    threading.Timer(0.5, circumstances.cancelled.set).start()
    with pytest.raises(ResourceIncompleteError) as caught:
        KubernetesObject(DEPLOYMENT, connection).create(
            inputs=deployment(namespace), call=circumstances
        )
    assert caught.value.resource_id == f"{namespace}/web"
    assert "cancelled" in str(caught.value)


def test_skip_await_returns_at_once(connection: Connection, namespace: str, call: MakeCall) -> None:
    inputs = deployment(namespace)
    inputs["metadata"]["annotations"] = {"pulumi.com/skipAwait": "true"}
    resource = KubernetesObject(DEPLOYMENT, connection)
    state = resource.create(inputs=inputs, call=call(timeout_s=1))
    live = refreshed(resource, state, call())
    assert not resource.diff(old=live, inputs=inputs).changes


def test_a_service_without_pods_is_complete(
    connection: Connection, namespace: str, call: MakeCall
) -> None:
    inputs = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {"selector": {"app": "nothing"}, "ports": [{"port": 80}]},
    }
    state = KubernetesObject(SERVICE, connection).create(inputs=inputs, call=call(timeout_s=20))
    assert state.outputs["spec"]["clusterIP"]


def test_a_deletion_that_hangs_names_the_finalizer(
    connection: Connection, api: KubernetesApi, namespace: str, call: MakeCall
) -> None:
    inputs = config_map(namespace, a="1")
    inputs["metadata"]["finalizers"] = ["example.com/held"]
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=inputs, call=call())
    with pytest.raises(OperationTimedOutError, match=r"example\.com/held"):
        resource.delete(old=state, call=call(timeout_s=1))
    release = [{"op": "remove", "path": "/metadata/finalizers"}]
    api.patch_json(CONFIG_MAP, inputs, release)


def test_an_import_brings_inputs(connection: Connection, namespace: str, call: MakeCall) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    resource.create(inputs=config_map(namespace, a="1"), call=call())
    imported = resource.read(stored=State(f"{namespace}/settings", {}, {}), call=call())
    assert imported is not None
    assert imported.inputs == config_map(namespace, a="1")


def test_an_unnamed_object_gets_a_name_and_keeps_it(connection: Connection) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    naming = Naming("settings", b"seed")
    first = resource.check(inputs={"metadata": {}}, old_inputs={}, naming=naming).inputs
    name = first["metadata"]["name"]
    assert name.startswith("settings-")
    assert len(name) == len("settings-") + 8
    again = resource.check(inputs={}, old_inputs=first, naming=Naming("settings", b"other"))
    assert again.inputs["metadata"]["name"] == name


def test_a_secret_stays_secret(connection: Connection, namespace: str, call: MakeCall) -> None:
    inputs = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s", "namespace": namespace},
        "stringData": {"password": "canary-1234"},
    }
    state = KubernetesObject(Kind("", "v1", "Secret"), connection).create(
        inputs=inputs, call=call()
    )
    assert "canary-1234" not in repr(state.outputs)
    assert "Y2FuYXJ5" not in repr(state.outputs)
