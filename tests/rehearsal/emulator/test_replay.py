"""Contract: what Google's own provider sends is understood. Unit tier, no network."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bench.fidelity import RECORDINGS
from rehearsal.emulator import Latency
from rehearsal.recordings.fields import document_of
from rehearsal.recordings.model import Recording
from tests.rehearsal.emulator.running import Client, emulated

if TYPE_CHECKING:
    from pathlib import Path

    from rehearsal.recordings.model import Exchange

REQUESTS = {"google-beta-provider": 154, "google-beta-provider-8": 51}
"""How many each recording of the provider has."""


@pytest.fixture(params=REQUESTS)
def recording(request: pytest.FixtureRequest) -> str:
    """The name of a recording."""
    name: str = request.param
    return name


def recorded(name: str) -> tuple[Exchange, ...]:
    return Recording.read(RECORDINGS / f"{name}.jsonl").exchanges


def body_of(request: Exchange) -> dict[str, Any] | None:
    return None if request.request is None else document_of(request.request)


async def replay(client: Client, recording: str) -> list[str]:
    """Send the recording; return the requests that were not answered as recorded."""
    etag, surprises = "", []
    for request in recorded(recording):
        body = body_of(request)
        if body and "policy" in body:
            # The policy is read, changed and written: the etag is the last one that was read.
            body = {**body, "policy": {**body["policy"], "etag": etag}}
        answer = await client.call(request.method, f"{request.path}?{request.query}", body)
        document = answer.json()
        etag = document.get("etag", etag)
        if answer.status_code != request.status or "statusMessage" in document:
            surprises.append(f"{request.method} {request.path}: {answer.text}")
        while document.get("selfLink", "").rpartition("/operations/")[1] and (
            document["status"] != "DONE"
        ):
            await asyncio.sleep(0.002)
            link = document["selfLink"].removeprefix(client.emulator.base_url)
            document = await client.ok("GET", link)
    return surprises


async def run(tmp_path: Path, recording: str, latency: Latency) -> tuple[list[str], Client]:
    async with emulated(tmp_path, latency=latency) as client:
        return await replay(client, recording), client


def test_every_recorded_request_gets_the_recorded_status(tmp_path: Path, recording: str) -> None:
    surprises, client = asyncio.run(run(tmp_path, recording, Latency.fast()))
    assert surprises == []
    assert len(client.emulator.log.read()) == REQUESTS[recording]


def test_the_recording_also_holds_when_operations_take_time(tmp_path: Path, recording: str) -> None:
    surprises, client = asyncio.run(run(tmp_path, recording, Latency.scaled(100_000)))
    assert surprises == []
    polls = [r for r in client.emulator.log.read() if "/operations/" in r.path]
    assert polls, "no operation was ever seen running"


def test_after_the_recorded_destroy_nothing_is_left(tmp_path: Path, recording: str) -> None:
    _, client = asyncio.run(run(tmp_path, recording, Latency.fast()))
    project = client.emulator.world.project("acme-research")
    assert project.clusters == {}
    assert project.compute == {}
    assert project.service_accounts == {}
    assert project.policy.get("bindings", []) == []


def test_a_misspelt_field_in_a_recorded_request_is_named(
    tmp_path: Path, recording: str, subtests: pytest.Subtests
) -> None:
    async def send() -> None:
        async with emulated(tmp_path) as client:
            for request in recorded(recording):
                body = body_of(request)
                if body is None:
                    continue
                with subtests.test(request.path):
                    misspelt = {**body, "misspelt": 1}
                    answer = await client.call(request.method, request.path, misspelt)
                    assert answer.status_code == 400
                    assert '"misspelt"' in answer.json()["error"]["message"]

    asyncio.run(send())
