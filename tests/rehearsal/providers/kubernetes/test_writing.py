"""Unit: which request creates or changes an object, and what is done about a refusal."""

from dataclasses import replace
from typing import Any

import pytest

from rehearsal.providers.kubernetes import writing
from rehearsal.providers.kubernetes.annotations import PATCH_FORCE
from rehearsal.providers.kubernetes.api import ApiError, UnknownKindError
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.settings import ProviderSettings
from rehearsal.providers.kubernetes.writing import create, preview_of_create, update
from rehearsal.providers.protocol import OperationCancelledError, ProviderError
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.objects_for_tests import CONFIG_MAP, config_map
from tests.rehearsal.providers.kubernetes.played_api import PlayedApi, refused

CRD = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition")
MINE = "pulumi-kubernetes-0a1b2c3d"
CREATED_BY_US = {
    "manager": "pulumi-kubernetes",
    "operation": "Update",
    "fieldsV1": {"f:data": {"f:a": {}}},
}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_RETRY_DELAYS_S", (0.001, 0.002))


def created(api: Any, *, upsert: bool = False, call: Any = None) -> dict[str, Any]:
    settings = ProviderSettings(kubeconfig="", upsert_existing=upsert)
    return create(
        api,
        CONFIG_MAP,
        config_map("n", a="1"),
        manager=MINE,
        settings=settings,
        call=call or engine_call(),
    )


def updated(
    api: Any, *, force: bool = False, dry_run: bool = False, **metadata: Any
) -> dict[str, Any]:
    desired = config_map("n", a="2")
    desired["metadata"] |= metadata
    return update(api, CONFIG_MAP, desired, manager=MINE, force=force, dry_run=dry_run)


@pytest.fixture
def api() -> PlayedApi:
    return PlayedApi()


def there(api: PlayedApi, *entries: dict[str, Any]) -> None:
    """Have the object there, with these entries of who wrote it."""
    live = config_map("n", a="1")
    live["metadata"]["managedFields"] = list(entries)
    api.put(CONFIG_MAP, live)


def test_an_object_is_created_under_the_managers_name_that_all_share(api: PlayedApi) -> None:
    assert created(api)["metadata"]["uid"] == "uid-1"
    assert api.asked == ["create settings pulumi-kubernetes"]


def test_who_may_take_over_what_exists_applies_under_a_name_of_its_own(api: PlayedApi) -> None:
    there(api)
    created(api, upsert=True)
    assert api.asked == [f"apply settings {MINE} forced"]


def test_what_is_on_its_way_is_waited_for(api: PlayedApi) -> None:
    api.refusals = [UnknownKindError("not served"), refused(404, "NotFound")]
    said: list[str] = []
    created(api, call=replace(engine_call(), report=said.append))
    assert len(api.asked) == 3
    assert said == [
        "waiting 0.001 s: not served",
        "waiting 0.002 s: the server says NotFound",
    ]


@pytest.mark.parametrize(
    ("refusals", "tries", "advice"),
    [
        ([refused(404, "NotFound")] * 3, 3, False),
        ([refused(403, "Forbidden")], 1, False),
        ([refused(409, "AlreadyExists")], 1, True),
    ],
    ids=["never comes", "forbidden", "exists"],
)
def test_a_refusal_says_what_was_not_created_and_what_to_do(
    api: PlayedApi, refusals: list[ApiError | UnknownKindError], tries: int, *, advice: bool
) -> None:
    api.refusals = refusals
    with pytest.raises(ProviderError, match="v1 ConfigMap settings was not created") as caught:
        created(api)
    assert len(api.asked) == tries
    assert ("take it over with `pulumi import`" in str(caught.value)) is advice


def test_who_is_cancelled_waits_no_longer(api: PlayedApi) -> None:
    api.refusals = [refused(404, "NotFound")] * 3
    call = engine_call()
    call.cancelled.set()
    with pytest.raises(OperationCancelledError):
        created(api, call=call)
    assert len(api.asked) == 1


def test_a_preview_is_a_dry_run_and_tells_no_status(api: PlayedApi) -> None:
    any_api: Any = api
    assert preview_of_create(any_api, CONFIG_MAP, config_map("n")) == config_map("n")
    assert api.asked == ["create settings pulumi-kubernetes dry run"]
    assert api.objects == {}


@pytest.mark.parametrize("reason", ["AlreadyExists", "Forbidden", "NotFound"])
def test_a_preview_passes_what_this_run_may_lift(api: PlayedApi, reason: str) -> None:
    any_api: Any = api
    api.refusals = [refused(400, reason)]
    assert preview_of_create(any_api, CONFIG_MAP, config_map("n")) is None


def test_a_preview_refuses_what_no_run_lifts(api: PlayedApi) -> None:
    any_api: Any = api
    api.refusals = [refused(422, "Invalid")]
    with pytest.raises(ProviderError, match="was not created"):
        preview_of_create(any_api, CONFIG_MAP, config_map("n"))


def test_the_first_change_takes_over_what_the_creation_wrote(api: PlayedApi) -> None:
    there(api, CREATED_BY_US)
    assert updated(api)["data"] == {"a": "2"}
    assert api.asked == [
        "patch settings /metadata/managedFields /metadata/resourceVersion",
        f"apply settings {MINE}",
    ]


def test_a_dry_run_of_it_takes_over_nothing_and_meets_no_conflict_for_it(api: PlayedApi) -> None:
    there(api, CREATED_BY_US)
    updated(api, dry_run=True)
    assert api.asked == [f"apply settings {MINE} forced dry run"]


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({}, f"apply settings {MINE}"),
        ({"dry_run": True}, f"apply settings {MINE} dry run"),
        ({"force": True}, f"apply settings {MINE} forced"),
        ({"annotations": {PATCH_FORCE: "true"}}, f"apply settings {MINE} forced"),
        ({"annotations": {PATCH_FORCE: "false"}}, f"apply settings {MINE}"),
    ],
)
def test_other_managers_fields_are_taken_over_only_by_who_says_so(
    api: PlayedApi, options: dict[str, Any], asked: str
) -> None:
    there(api)
    updated(api, **options)
    assert api.asked == [asked]


def test_a_conflict_says_how_to_end_it_and_another_refusal_stays_what_it_is(
    api: PlayedApi,
) -> None:
    there(api)
    api.refusals = [refused(409, "Conflict"), refused(422, "Invalid")]
    with pytest.raises(ProviderError, match=f"{MINE} may not change fields .*{PATCH_FORCE}"):
        updated(api)
    with pytest.raises(ApiError, match=r"^the server says Invalid$"):
        updated(api)


def test_what_has_gone_meanwhile_cannot_be_changed(api: PlayedApi) -> None:
    with pytest.raises(ProviderError, match="v1 ConfigMap settings does not exist any more"):
        updated(api)
    assert api.asked == []


def test_a_definition_is_replaced_as_a_whole_over_the_version_that_was_read(api: PlayedApi) -> None:
    any_api: Any = api
    definition = {"kind": CRD.name, "metadata": {"name": "things.example.com"}}
    api.put(CRD, definition)
    update(any_api, CRD, definition, manager=MINE, force=False, dry_run=True)
    assert api.asked == [f"replace things.example.com {MINE} version 1 dry run"]
