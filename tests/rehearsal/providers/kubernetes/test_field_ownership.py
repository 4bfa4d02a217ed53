"""Unit tests: the creation's fields pass to the manager that applies."""

from typing import Any

from rehearsal.providers.kubernetes.field_ownership import CREATOR, handover, manager_for


def entry(manager: str, operation: str, fields: dict[str, Any], **more: str) -> dict[str, Any]:
    return {"manager": manager, "operation": operation, "fieldsV1": fields, **more}


def live(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": "7", "managedFields": list(entries)}}


def test_what_the_creation_owns_is_applied_by_our_manager() -> None:
    created = entry(CREATOR, "Update", {"f:data": {"f:a": {}}}, time="now")
    theirs = entry("kopf", "Update", {"f:status": {}})
    fields, version = handover(live(created, theirs), "pulumi-kubernetes-1")
    assert fields["value"] == [
        theirs,
        entry("pulumi-kubernetes-1", "Apply", {"f:data": {"f:a": {}}}),
    ]
    assert version["value"] == "7"


def test_what_was_applied_before_is_kept() -> None:
    applied = entry("m", "Apply", {"f:data": {"f:a": {}}})
    created = entry(CREATOR, "Update", {"f:data": {"f:b": {}}})
    (fields, _) = handover(live(applied, created), "m")
    assert fields["value"] == [entry("m", "Apply", {"f:data": {"f:a": {}, "f:b": {}}})]


def test_nothing_is_written_when_nothing_is_left_to_hand_over() -> None:
    assert handover(live(entry("m", "Apply", {"f:data": {}})), "m") == []
    status = entry(CREATOR, "Update", {"f:status": {}}, subresource="status")
    assert handover(live(status), "m") == []


def test_a_manager_is_annotated_or_stored_or_new() -> None:
    annotated = {"metadata": {"annotations": {"pulumi.com/patchFieldManager": "mine"}}}
    assert manager_for(annotated, stored="stored") == "mine"
    assert manager_for({}, stored="stored") == "stored"
    assert manager_for({}, stored=None).startswith("pulumi-kubernetes-")
    assert manager_for({}, stored=None) != manager_for({}, stored=None)
