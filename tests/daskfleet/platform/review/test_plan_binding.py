"""Unit: a plan that knows its state, and what is said when that has moved."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import daskfleet.platform.review.plan_fits as under_test
from daskfleet.access.errors import AccessError
from daskfleet.platform.review.plan_binding import (
    UnboundPlanError,
    binding_of,
    binding_to,
    bound,
    moved,
)

SIGNATURE = "4dabf18193072939515e22adb298388d"
POOL = "urn:pulumi:prod::daskfleet::daskfleet:gke:NodePool$gcp:container/nodePool:NodePool::a100"
TEAM = "urn:pulumi:prod::daskfleet::kubernetes:core/v1:Namespace::fraud"
PLAN = json.dumps({"manifest": {"time": "x"}, "resourcePlans": {POOL: {"steps": ["update"]}}})


def state(*resources: dict[str, Any], **deployment: Any) -> dict[str, Any]:
    manifest = {"time": "2026-11-23T19:12:42Z"}
    return {"deployment": {"manifest": manifest, "resources": list(resources), **deployment}}


def resource(urn: str, **fields: Any) -> dict[str, Any]:
    return {"urn": urn, "id": "1", "inputs": {"nodeCount": 2}, "outputs": {}, **fields}


def secret(ciphertext: str) -> dict[str, Any]:
    return resource(TEAM, outputs={"key": {SIGNATURE: "1b47", "ciphertext": ciphertext}})


BASE = state(resource(POOL), resource(TEAM))


def differs(now: dict[str, Any], *, before: dict[str, Any] = BASE) -> list[tuple[str, str]]:
    return [(each.title, each.what) for each in moved(binding_to(before), binding_to(now))]


def test_a_bound_plan_says_what_it_is_of_and_keeps_all_that_the_engine_wrote() -> None:
    text = bound(PLAN, binding_to(BASE))
    assert binding_of(text) == binding_to(BASE)
    assert {key: value for key, value in json.loads(text).items() if key != "daskfleet"} == (
        json.loads(PLAN)
    )


def test_what_changed_what_is_new_and_what_is_gone_is_named() -> None:
    assert differs(BASE) == []
    assert differs(state(resource(POOL, inputs={"nodeCount": 3}), resource(TEAM))) == [
        ("NodePool a100", "changed")
    ]
    assert differs(state(resource(TEAM))) == [("NodePool a100", "is gone")]
    assert differs(BASE, before=state(resource(TEAM))) == [("NodePool a100", "is new")]


@pytest.mark.parametrize(
    "field", [{"id": "2"}, {"protect": True}, {"delete": True}, {"outputs": {"nodeCount": 5}}]
)
def test_what_a_resource_is_counts(field: dict[str, Any]) -> None:
    assert differs(state(resource(POOL, **field), resource(TEAM)))


def test_what_an_up_without_work_writes_anew_does_not_count() -> None:
    later = state(
        resource(POOL, sourcePosition="project:///a.py#7", dependencies=["b", "a"], modified="x"),
        resource(TEAM),
        manifest={"time": "later"},
    )
    assert differs(later) == []


def test_a_secret_that_is_encrypted_anew_is_the_same_and_leaves_no_trace() -> None:
    assert differs(state(secret("v1:b")), before=state(secret("v1:a"))) == []
    assert differs(state(resource(TEAM)), before=state(secret("v1:a")))
    assert "v1:a" not in bound(PLAN, binding_to(state(secret("v1:a"))))


def test_the_status_of_an_object_does_not_count_and_what_is_declared_of_it_does() -> None:
    kind = {"type": "kubernetes:core/v1:Namespace"}
    base = state(resource(TEAM, **kind))
    assert differs(state(resource(TEAM, **kind, outputs={"status": 1})), before=base) == []
    assert differs(state(resource(TEAM, **kind, inputs={"spec": 1})), before=base)


def test_an_update_that_was_cut_off_has_moved_the_state() -> None:
    pending = [{"type": "creating", "resource": {"urn": TEAM}}]
    assert differs(state(resource(POOL), resource(TEAM), pending_operations=pending)) == [
        ("Namespace fraud", "changed")
    ]


def test_an_empty_stack_is_a_state_too() -> None:
    assert binding_of(bound(PLAN, binding_to({}))).resources == {}
    assert differs(BASE, before={})


@pytest.mark.parametrize(
    "text",
    [
        *(PLAN, "", "[]", "no JSON", "[" * 200_000),
        '{"daskfleet": {"version": 2, "resources": {}}}',
    ],
)
def test_a_plan_without_a_binding_is_refused(text: str) -> None:
    with pytest.raises(UnboundPlanError):
        binding_of(text)


@given(st.dictionaries(st.text(), st.integers() | st.text()))
def test_any_resource_can_be_bound(inputs: dict[str, int | str]) -> None:
    now = state(resource(POOL, inputs=inputs))
    assert differs(now, before=now) == []


def run(
    monkeypatch: pytest.MonkeyPatch, plan: Path, found: dict[str, Any] | Exception
) -> tuple[int, str]:
    def export(*_: object) -> dict[str, Any]:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(under_test, "export_state", export)
    app = typer.Typer()
    app.command()(under_test.plan_fits)
    done = CliRunner().invoke(app, [str(plan), "--stack", "prod"])
    return done.exit_code, done.stderr


def test_the_command_passes_stops_or_says_that_it_cannot_tell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(bound(PLAN, binding_to(BASE)))
    assert run(monkeypatch, plan, BASE)[0] == 0
    status, said = run(monkeypatch, plan, state(resource(TEAM)))
    assert status == 3
    assert "NodePool a100 is gone" in said
    assert "Nothing was changed" in said
    status, said = run(monkeypatch, plan, AccessError("no stack named prod"))
    assert (status, "no stack named prod" in said) == (1, True)
    plan.write_text(PLAN)
    status, said = run(monkeypatch, plan, BASE)
    assert (status, "which state it was made from" in said) == (1, True)
    status, said = run(monkeypatch, tmp_path / "none.json", BASE)
    assert (status, "No such file" in said) == (1, True)


def test_a_thousand_resources_are_counted_and_not_all_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(bound(PLAN, binding_to({})))
    many = state(*(resource(f"{TEAM}-{number}") for number in range(1000)))
    status, said = run(monkeypatch, plan, many)
    assert status == 3
    assert "1000 resources" in said
    assert len(said.splitlines()) < 30


def test_a_plan_that_somebody_made_up_stops_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"daskfleet": {"resources": {"x": "1", "": "2"}}}))
    status, said = run(monkeypatch, plan, BASE)
    assert status == 3
    assert "is gone" in said
    plan.write_bytes(b"\xff\xfe{}")
    status, said = run(monkeypatch, plan, BASE)
    assert (status, "it is no text" in said) == (1, True)
