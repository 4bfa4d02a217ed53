"""Rehearsal tier: objects on a real API server, through the resource type itself."""

import pytest

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.protocol import (
    UNKNOWN,
    Naming,
    ProviderError,
    State,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.objects_for_tests import (
    CONFIG_MAP,
    DEPLOYMENT,
    config_map,
    deployment,
    refreshed,
)

pytestmark = pytest.mark.rehearsal


def test_create_read_update_delete(connection: Connection, namespace: str) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=engine_call())
    assert state.id == f"{namespace}/settings"
    assert state.outputs["metadata"]["uid"]
    live = refreshed(resource, state, engine_call())
    assert not resource.diff(old=live, inputs=state.inputs).changes
    changed = resource.update(old=live, inputs=config_map(namespace, b="2"), call=engine_call())
    assert changed.outputs["data"] == {"b": "2"}
    resource.delete(old=changed, call=engine_call())
    assert resource.read(stored=changed, call=engine_call()) is None
    resource.delete(old=changed, call=engine_call())


def test_drift_shows_in_the_diff(
    connection: Connection, api: KubernetesApi, namespace: str
) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=engine_call())
    api.apply(
        CONFIG_MAP, config_map(namespace, a="2"), manager="someone", force=True, dry_run=False
    )
    live = refreshed(resource, state, engine_call())
    assert resource.diff(old=live, inputs=state.inputs).changes


def test_an_existing_object_is_not_taken_over(connection: Connection, namespace: str) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    resource.create(inputs=config_map(namespace, a="1"), call=engine_call())
    with pytest.raises(ProviderError, match="already exists"):
        resource.create(inputs=config_map(namespace, a="2"), call=engine_call())


def test_a_conflict_names_the_other_manager(
    connection: Connection, api: KubernetesApi, namespace: str
) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    state = resource.create(inputs=config_map(namespace, a="1"), call=engine_call())
    theirs = config_map(namespace, a="2")
    api.apply(CONFIG_MAP, theirs, manager="an-operator", force=True, dry_run=False)
    with pytest.raises(ProviderError, match="an-operator"):
        resource.update(old=state, inputs=config_map(namespace, a="3"), call=engine_call())


def test_a_preview_changes_nothing_and_shows_defaults(
    connection: Connection, namespace: str
) -> None:
    resource = KubernetesObject(DEPLOYMENT, connection)
    state = resource.create(inputs=deployment(namespace), call=engine_call(preview=True))
    assert state.id == ""
    assert state.outputs["spec"]["strategy"]["type"] == "RollingUpdate"
    stored = State(f"{namespace}/web", state.inputs, state.outputs)
    assert resource.read(stored=stored, call=engine_call()) is None


def test_a_preview_finds_what_the_server_would_refuse(
    connection: Connection, namespace: str
) -> None:
    broken = deployment(namespace)
    broken["spec"]["selector"]["matchLabels"] = {"app": "other"}
    with pytest.raises(ProviderError, match="selector"):
        KubernetesObject(DEPLOYMENT, connection).create(
            inputs=broken, call=engine_call(preview=True)
        )


@pytest.mark.parametrize("missing", ["namespace", "kind", "value"])
def test_a_preview_passes_what_this_run_will_make(connection: Connection, missing: str) -> None:
    kind, inputs = CONFIG_MAP, config_map("not-there-yet", a="1")
    if missing == "kind":
        kind = Kind("example.com", "v1", "Thing")
        inputs = {**inputs, "apiVersion": "example.com/v1", "kind": "Thing"}
    if missing == "value":
        inputs["data"]["a"] = UNKNOWN
    state = KubernetesObject(kind, connection).create(inputs=inputs, call=engine_call(preview=True))
    assert state.outputs == inputs


def test_an_import_brings_inputs(connection: Connection, namespace: str) -> None:
    resource = KubernetesObject(CONFIG_MAP, connection)
    resource.create(inputs=config_map(namespace, a="1"), call=engine_call())
    imported = resource.read(stored=State(f"{namespace}/settings", {}, {}), call=engine_call())
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


def test_a_secret_stays_secret(connection: Connection, namespace: str) -> None:
    inputs = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "s", "namespace": namespace},
        "stringData": {"password": "canary-1234"},
    }
    state = KubernetesObject(Kind("", "v1", "Secret"), connection).create(
        inputs=inputs, call=engine_call()
    )
    assert "canary-1234" not in repr(state.outputs)
    assert "Y2FuYXJ5" not in repr(state.outputs)
