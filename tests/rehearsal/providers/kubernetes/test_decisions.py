"""Unit: what an object's life is made of, on an API server of one dictionary.

With a real one: test_objects.py and test_awaiting.py.
"""

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest

from rehearsal.providers.kubernetes import awaiting
from rehearsal.providers.kubernetes.annotations import SKIP_AWAIT, WAIT_FOR
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.manifest import Manifest
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.protocol import (
    UNKNOWN,
    Naming,
    OperationTimedOutError,
    ProviderError,
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
)
from tests.rehearsal.providers.kubernetes.played_api import PlayedApi, connected, refused

if TYPE_CHECKING:
    from rehearsal.providers.kubernetes.api import KubernetesApi

POD = Kind("", "v1", "Pod")
NAMING = Naming("settings", b"seed")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(awaiting, "_POLL_S", 0.001)
    monkeypatch.setattr(awaiting, "_SETTLE_S", 0.01)


@pytest.fixture
def api() -> PlayedApi:
    return PlayedApi()


def objects(api: PlayedApi | None, kind: Kind = CONFIG_MAP, **settings: Any) -> KubernetesObject:
    return KubernetesObject(kind, connected(api, **settings))


def stored(inputs: Manifest) -> State:
    return State(f"n/{inputs['metadata']['name']}", inputs, {})


def annotated(manifest: Manifest, key: str, value: str) -> Manifest:
    return {**manifest, "metadata": {**manifest["metadata"], "annotations": {key: value}}}


def test_a_config_map_is_created_read_changed_and_deleted(api: PlayedApi) -> None:
    resource = objects(api)
    state = resource.create(inputs=config_map("n", a="1"), call=engine_call())
    assert (state.id, state.outputs["metadata"]["uid"]) == ("n/settings", "uid-1")
    assert resource.read(stored=state, call=engine_call()) is not None
    changed = resource.update(old=state, inputs=config_map("n", a="2"), call=engine_call())
    assert changed.outputs["data"] == {"a": "2"}
    resource.delete(old=changed, call=engine_call())
    assert api.asked[-1] == "delete settings Foreground"
    assert resource.read(stored=changed, call=engine_call()) is None
    resource.delete(old=changed, call=engine_call())
    assert len([each for each in api.asked if each.startswith("delete")]) == 1


@pytest.mark.parametrize("missing", ["kind", "value", "namespace", "cluster"])
def test_a_preview_tells_inputs_where_the_server_cannot_be_asked(
    api: PlayedApi, missing: str
) -> None:
    inputs = config_map("n", a="1")
    if missing == "kind":
        api.unserved = {CONFIG_MAP}
    if missing == "value":
        inputs["data"]["a"] = UNKNOWN
    if missing == "namespace":
        api.refusals = [refused(404, "NotFound")]
    resource = objects(None if missing == "cluster" else api)
    state = resource.create(inputs=inputs, call=engine_call(preview=True))
    assert (state.id, state.outputs) == ("", inputs)
    assert (len(api.asked) == 1) is (missing == "namespace")


def test_a_preview_of_a_creation_shows_what_would_be_stored(api: PlayedApi) -> None:
    state = objects(api).create(inputs=config_map("n", a="1"), call=engine_call(preview=True))
    assert state.id == ""
    assert state.outputs["data"] == {"a": "1"}
    assert state.outputs != config_map("n", a="1")  # it carries the checkpoint
    assert api.objects == {}


@pytest.mark.parametrize("unsure", ["kind", "value", "right"])
def test_a_preview_of_a_change_tells_inputs_where_it_cannot_know(
    api: PlayedApi, unsure: str
) -> None:
    api.put(CONFIG_MAP, config_map("n", a="1"))
    inputs = config_map("n", a="2")
    if unsure == "kind":
        api.unserved = {CONFIG_MAP}
    if unsure == "value":
        inputs["data"]["a"] = UNKNOWN
    if unsure == "right":
        api.refusals = [refused(403, "Forbidden")]
    old = stored(config_map("n", a="1"))
    state = objects(api).update(old=old, inputs=inputs, call=engine_call(preview=True))
    assert (state.id, state.outputs) == ("n/settings", inputs)


def test_a_preview_of_a_change_changes_nothing(api: PlayedApi) -> None:
    api.put(CONFIG_MAP, config_map("n", a="1"))
    old = stored(config_map("n", a="1"))
    state = objects(api).update(
        old=old, inputs=config_map("n", a="2"), call=engine_call(preview=True)
    )
    assert state.outputs["data"] == {"a": "2"}
    assert api.objects[CONFIG_MAP, "n", "settings"]["data"] == {"a": "1"}


@pytest.mark.parametrize(("preview", "reason"), [(False, "Forbidden"), (True, "Invalid")])
def test_a_change_that_is_refused_names_the_object(
    api: PlayedApi, reason: str, *, preview: bool
) -> None:
    api.put(CONFIG_MAP, config_map("n", a="1"))
    api.refusals = [refused(403, reason)]
    with pytest.raises(ProviderError, match=f"update of v1 ConfigMap n/settings failed.*{reason}"):
        objects(api).update(
            old=stored(config_map("n", a="1")),
            inputs=config_map("n", a="2"),
            call=engine_call(preview=preview),
        )


def test_drift_and_an_import_show_in_the_inputs(api: PlayedApi) -> None:
    api.put(CONFIG_MAP, config_map("n", a="2"))
    drifted = objects(api).read(stored=stored(config_map("n", a="1")), call=engine_call())
    imported = objects(api).read(stored=State("n/settings", {}, {}), call=engine_call())
    assert drifted is not None
    assert imported is not None
    assert drifted.inputs["data"] == {"a": "2"}
    assert imported.inputs == config_map("n", a="2")


def test_a_cluster_that_does_not_answer_is_an_error_unless_the_program_says_otherwise() -> None:
    state = stored(config_map("n", a="1"))
    with pytest.raises(ProviderError, match="unreachable: connection refused"):
        objects(None).read(stored=state, call=engine_call())
    with pytest.raises(ProviderError, match="unreachable: connection refused"):
        objects(None).delete(old=state, call=engine_call())
    assert objects(None, delete_unreachable=True).read(stored=state, call=engine_call()) is None
    objects(None, delete_unreachable=True).delete(old=state, call=engine_call())
    kept = objects(None, skip_update_unreachable=True).read(stored=state, call=engine_call())
    assert kept == state


def test_what_is_wrong_with_inputs_is_said_by_path(api: PlayedApi) -> None:
    wrong = annotated(config_map("n"), WAIT_FOR, "[no json")
    wrong["metadata"]["generateName"] = "x-"
    checked = objects(api).check(inputs=wrong, old_inputs={}, naming=NAMING)
    assert [each.path for each in checked.failures] == [
        "metadata.generateName",
        "metadata.annotations",
    ]


@pytest.mark.parametrize(
    ("kind", "namespace"),
    [(CONFIG_MAP, "team"), (Kind("", "v1", "Namespace"), None), (POD, "team")],
)
def test_the_providers_namespace_is_for_what_lives_in_one(
    api: PlayedApi, kind: Kind, namespace: str | None
) -> None:
    api.unserved = {POD}  # of a kind that nobody serves yet it is assumed
    checked = objects(api, kind, namespace="team").check(inputs={}, old_inputs={}, naming=NAMING)
    assert checked.inputs["metadata"].get("namespace") == namespace


def test_a_deployment_is_there_once_its_pods_are(api: PlayedApi) -> None:
    said: list[str] = []

    def roll_out(text: str) -> None:
        said.append(text)
        live = api.objects[DEPLOYMENT, "n", "web"]
        live["status"] = {
            "observedGeneration": 1,
            "replicas": 1,
            "updatedReplicas": 1,
            "availableReplicas": 1,
            "conditions": [{"type": "Available", "status": "True"}],
        }

    call = replace(engine_call(timeout_s=10), report=roll_out)
    state = objects(api, DEPLOYMENT).create(inputs=deployment("n"), call=call)
    assert state.outputs["status"]["availableReplicas"] == 1
    assert said == ["waiting for 1 updated replicas"]


def test_what_is_ready_at_the_first_look_waits_for_no_second_one(
    api: PlayedApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    seen = api.get

    def look(kind: Kind, namespace: str | None, name: str) -> Manifest | None:
        looks.append(name)
        return seen(kind, namespace, name)

    inputs = config_map("n", a="1")
    objects(api).create(inputs=inputs, call=engine_call())
    monkeypatch.setattr(api, "get", look)
    stated = annotated(inputs, WAIT_FOR, "jsonpath={.data.a}=1")
    live = api.objects[CONFIG_MAP, "n", "settings"]
    awaiting.await_ready(
        cast("KubernetesApi", api), CONFIG_MAP, inputs=stated, live=live, call=engine_call()
    )
    assert looks == ["settings"]


def test_what_does_not_become_ready_stays_in_the_state_with_the_reasons(api: PlayedApi) -> None:
    pod = {
        "kind": "Pod",
        "metadata": {"name": "web-1", "uid": "p"},
        "status": {
            "containerStatuses": [
                {"name": "c", "state": {"waiting": {"reason": "ErrImagePull", "message": "no"}}}
            ]
        },
    }
    api.selected = (pod,)
    with pytest.raises(ResourceIncompleteError) as caught:
        objects(api, DEPLOYMENT).create(inputs=deployment("n"), call=engine_call(timeout_s=0.05))
    assert caught.value.resource_id == "n/web"
    assert caught.value.reasons[0] == "Deployment n/web exists but is not ready"
    assert "waiting for 1 updated replicas" in caught.value.reasons[1]
    assert caught.value.reasons[2] == "pod web-1, container c: ErrImagePull: no"
    with pytest.raises(ResourceIncompleteError, match="waiting for 1 updated replicas"):
        objects(api, DEPLOYMENT).read(
            stored=State("n/web", deployment("n"), {}), call=engine_call()
        )


def test_who_skips_waiting_has_it_at_once(api: PlayedApi) -> None:
    inputs = annotated(deployment("n"), SKIP_AWAIT, "true")
    state = objects(api, DEPLOYMENT).create(inputs=inputs, call=engine_call(timeout_s=0.0))
    assert state.id == "n/web"
    read = objects(api, DEPLOYMENT).read(stored=state, call=engine_call())
    assert read is not None


def test_conditions_of_the_program_are_waited_for_once(api: PlayedApi) -> None:
    inputs = annotated(config_map("n", a="1"), WAIT_FOR, "jsonpath={.data.done}=yes")
    with pytest.raises(ResourceIncompleteError, match="done"):
        objects(api).create(inputs=inputs, call=engine_call(timeout_s=0.05))
    api.objects.clear()
    done = {**inputs, "data": {"done": "yes"}}
    state = objects(api).create(inputs=done, call=engine_call(timeout_s=5))
    api.objects[CONFIG_MAP, "n", "settings"]["data"]["done"] = "no"
    assert objects(api).read(stored=state, call=engine_call()) is not None


def test_what_is_deleted_while_it_is_waited_for_is_said(api: PlayedApi) -> None:
    call = replace(engine_call(timeout_s=5), report=lambda _: api.objects.clear())
    with pytest.raises(ResourceIncompleteError, match="Deployment n/web was deleted meanwhile"):
        objects(api, DEPLOYMENT).create(inputs=deployment("n"), call=call)


def test_a_service_is_ready_when_its_endpoints_have_settled(api: PlayedApi) -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "n"},
        "spec": {"selector": {"app": "web"}, "type": "ClusterIP"},
    }
    said: list[str] = []

    def publish(text: str) -> None:
        said.append(text)
        api.selected = ({"kind": "EndpointSlice", "endpoints": []},)

    call = replace(engine_call(timeout_s=10), report=publish)
    assert objects(api, SERVICE).create(inputs=service, call=call).id == "n/web"
    assert said == ["waiting for its endpoints to be published"]


def test_a_deletion_waits_until_the_object_is_gone_or_another(api: PlayedApi) -> None:
    api.finalized = True
    live = config_map("n", a="1")
    live["metadata"]["finalizers"] = ["example.com/hold"]
    api.put(CONFIG_MAP, live)
    with pytest.raises(OperationTimedOutError, match=r"\['example.com/hold'\] still hold it"):
        objects(api).delete(old=stored(config_map("n")), call=engine_call(timeout_s=0.02))
    del api.objects[CONFIG_MAP, "n", "settings"]["metadata"]["finalizers"]
    with pytest.raises(OperationTimedOutError, match="no finalizer holds it"):
        objects(api).delete(old=stored(config_map("n")), call=engine_call(timeout_s=0.02))

    def another(_: str) -> None:
        api.put(CONFIG_MAP, config_map("n", a="new"))

    call = replace(engine_call(timeout_s=10), report=another)
    objects(api).delete(old=stored(config_map("n")), call=call)


@pytest.mark.parametrize(("kind", "is_awaited"), [(DEPLOYMENT, False), (CONFIG_MAP, True)])
def test_who_skips_waiting_waits_for_no_deletion_of_old_kinds(
    api: PlayedApi, kind: Kind, *, is_awaited: bool
) -> None:
    api.finalized = True
    inputs = annotated(config_map("n"), SKIP_AWAIT, "true")
    api.put(kind, inputs)
    call = engine_call(timeout_s=0.02)
    if is_awaited:
        with pytest.raises(OperationTimedOutError):
            objects(api, kind).delete(old=stored(inputs), call=call)
    else:
        objects(api, kind).delete(old=stored(inputs), call=call)


@pytest.mark.parametrize(("status", "is_fine"), [(404, True), (403, False)])
def test_a_deletion_of_what_has_just_gone_is_done(
    api: PlayedApi, status: int, *, is_fine: bool
) -> None:
    api.put(CONFIG_MAP, config_map("n"))
    api.refusals = [refused(status, "Whatever")]
    if is_fine:
        objects(api).delete(old=stored(config_map("n")), call=engine_call())
    else:
        with pytest.raises(ProviderError, match="Whatever"):
            objects(api).delete(old=stored(config_map("n")), call=engine_call())


def test_a_wait_that_is_cancelled_keeps_the_object(api: PlayedApi) -> None:
    cancelled = threading.Event()
    call = replace(engine_call(), cancelled=cancelled, report=lambda _: cancelled.set())
    with pytest.raises(ResourceIncompleteError, match="cancelled"):
        objects(api, DEPLOYMENT).create(inputs=deployment("n"), call=call)
    assert (DEPLOYMENT, "n", "web") in api.objects
