"""Unit: what the two request logs say about who wrote what."""

import json
from pathlib import Path
from typing import Any

import pytest

from rehearsal.report.requests import (
    Mark,
    forbidden_requests,
    google_writes,
    kubernetes_writes,
    lines_since,
)

ME = "platform-engineer"


def event(verb: str, *, user: str = ME, resource: str = "pods", **changes: Any) -> dict[str, Any]:
    return {
        "verb": verb,
        "user": {"username": user},
        "requestURI": f"/api/v1/namespaces/x/{resource}/y",
        "objectRef": {"resource": resource, "namespace": "x", "name": "y"},
        "responseStatus": {"code": 200},
        **changes,
    }


@pytest.mark.parametrize("verb", ["create", "update", "patch", "delete", "deletecollection"])
def test_every_writing_verb_counts(verb: str) -> None:
    assert kubernetes_writes([event(verb)], user=ME) == (f"{verb} x/pods/y",)


@pytest.mark.parametrize(
    "harmless",
    [
        event("get"),
        event("watch"),
        event("patch", user="system:kube-controller-manager"),
        event("patch", requestURI="/api/v1/namespaces/x/pods/y?dryRun=All&fieldManager=p"),
        event("create", resource="selfsubjectaccessreviews"),
    ],
)
def test_reads_dry_runs_questions_and_others_do_not_count(harmless: dict[str, Any]) -> None:
    assert kubernetes_writes([harmless], user=ME) == ()


def test_a_refused_write_was_still_sent() -> None:
    assert kubernetes_writes([event("patch", responseStatus={"code": 409})], user=ME)


def test_what_was_forbidden_is_told_of_one_user_only() -> None:
    refused: dict[str, Any] = {"responseStatus": {"code": 403}}
    events = [event("list", **refused), event("list", user="other", **refused), event("get")]
    assert forbidden_requests(events, user=ME) == ("list x/pods/y",)


def test_googles_reading_posts_do_not_count() -> None:
    requests = [
        {"method": "POST", "path": "/crm/v1/projects/p:getIamPolicy", "mutating": False},
        {"method": "PUT", "path": "/container/v1beta1/x", "mutating": True},
    ]
    assert google_writes(requests) == ("PUT /container/v1beta1/x",)


def test_only_whole_lines_after_the_mark_are_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert lines_since(Mark.now(log)) == ()
    log.write_text('{"n": 1}\n')
    mark = Mark.now(log)
    with log.open("a") as file:
        file.write(json.dumps({"n": 2}) + '\n{"n": ')
    assert lines_since(mark) == ({"n": 2},)
    assert lines_since(Mark.start(log)) == ({"n": 1}, {"n": 2})
