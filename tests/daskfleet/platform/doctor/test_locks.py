"""Unit: who holds a lock, read where backends of files keep it."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest

from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.doctor.locks import in_bucket, in_directory

LOCK = {"pid": 7, "username": "ann", "hostname": "laptop", "timestamp": "2026-11-21T10:00:00Z"}
NAME = "fleets/.pulumi/locks/organization/daskfleet/prod/0b1c.json"


def bucket(answer: httpx.MockTransport) -> GoogleApi:
    http = httpx.AsyncClient(transport=answer)
    return GoogleApi(http, environment={}, access=Access(token="t", kind="none"))  # noqa: S106


def test_a_directory_without_locks_has_no_holder(tmp_path: Path) -> None:
    assert in_directory(f"file://{tmp_path}", project="daskfleet", stack="prod") == ()


def test_a_directory_has_a_file_for_each_holder(tmp_path: Path) -> None:
    folder = tmp_path / ".pulumi/locks/organization/daskfleet/prod"
    folder.mkdir(parents=True)
    (folder / "0b1c.json").write_text(json.dumps(LOCK), encoding="utf-8")
    (holder,) = in_directory(f"file://{tmp_path}", project="daskfleet", stack="prod")
    assert str(holder) == "ann@laptop (process 7) since 2026-11-21T10:00:00Z"
    assert in_directory(f"file://{tmp_path}", project="daskfleet", stack="dev") == ()


def test_a_bucket_has_an_object_for_each_holder() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.url.host}{request.url.raw_path.decode()}")
        if request.url.params.get("alt") == "media":
            return httpx.Response(200, json=LOCK)
        return httpx.Response(200, json={"items": [{"name": NAME}]})

    google = bucket(httpx.MockTransport(answer))
    url = "gs://states/fleets"
    (holder,) = asyncio.run(in_bucket(url, project="daskfleet", stack="prod", google=google))
    assert (holder.host, holder.pid) == ("laptop", 7)
    objects = "storage.googleapis.com/storage/v1/b/states/o"
    assert asked == [
        f"{objects}?prefix=fleets%2F.pulumi%2Flocks%2Forganization%2Fdaskfleet%2Fprod%2F",
        f"{objects}/{NAME.replace('/', '%2F')}?alt=media",
    ]


def test_a_bucket_that_may_not_be_read_says_so() -> None:
    refused = {"error": {"code": 403, "message": "no storage.objects.list access"}}
    google = bucket(httpx.MockTransport(lambda _: httpx.Response(403, json=refused)))
    with pytest.raises(NotLookedAtError, match=r"answered 403: no storage\.objects\.list"):
        asyncio.run(in_bucket("gs://s", project="daskfleet", stack="prod", google=google))


def test_a_users_quota_project_is_named_in_each_request() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("X-Goog-User-Project", ""))
        return httpx.Response(200, json={})

    http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    access = Access(token="t", kind="none", billed_to="acme")  # noqa: S106 - not one
    google = GoogleApi(http, environment={}, access=access)
    asyncio.run(in_bucket("gs://s", project="daskfleet", stack="prod", google=google))
    assert seen == ["acme"]
