"""Faults that a rehearsal asks for, and what they leave behind. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import httpx
import pytest

from rehearsal.emulator import (
    ConnectionReset,
    ErrorAnswer,
    Hold,
    Latency,
    LostAnswer,
    OperationFailure,
    Stockout,
)
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, T4_POOL, Client, emulated, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

POOLS = "clusters/rapids/nodePools"
CREATE_POOL = r"/nodePools$"
HELD = "/rehearsal/held"
RETRYING = Latency(hold_answer_s=30.0, autoscaler_interval_s=0.05)


def on_a_cluster(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path, latency=RETRYING) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            await body(client)

    asyncio.run(run())


async def is_held(client: Client) -> bool:
    answer = await client.call("GET", HELD)
    held = answer.json()
    return bool([request["path"] for request in held if request["path"].endswith("/nodePools")])


async def is_logged_as_lost(client: Client) -> bool:
    return client.emulator.log.read()[-1].status == 0


def test_an_error_strikes_the_requests_that_it_names_and_no_others(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        quota = ErrorAnswer(
            method="POST", path=CREATE_POOL, skip=1, code=429, message="Quota exceeded"
        )
        client.emulator.faults.add(quota)
        assert (await client.call("GET", POOLS)).status_code == 200
        await client.ok("POST", POOLS, T4_POOL)
        other = {"nodePool": {**T4_POOL["nodePool"], "name": "t4-b"}}
        assert (await client.call("POST", POOLS, other)).status_code == 429
        await client.ok("POST", POOLS, other)

    on_a_cluster(tmp_path, body)


def test_a_reset_closes_the_connection_and_is_logged(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(ConnectionReset(path=CREATE_POOL))
        with pytest.raises(httpx.TransportError):
            await client.call("POST", POOLS, T4_POOL)
        assert client.emulator.log.read()[-1].status == 0
        await client.ok("POST", POOLS, T4_POOL)

    on_a_cluster(tmp_path, body)


def test_a_lost_answer_has_had_its_effect(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(LostAnswer(method="POST", path=CREATE_POOL))
        with pytest.raises(httpx.TransportError):
            await client.call("POST", POOLS, T4_POOL)
        assert (await client.ok("GET", f"{POOLS}/t4"))["status"] == "RUNNING"

    on_a_cluster(tmp_path, body)


def test_a_held_request_is_listed_and_goes_on_when_it_is_released(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(Hold(method="POST", path=CREATE_POOL, when="before"))
        creation = asyncio.create_task(client.call("POST", POOLS, T4_POOL))
        await until(lambda: is_held(client))
        assert (await client.call("GET", f"{POOLS}/t4")).status_code == 404
        await client.call("DELETE", HELD)
        assert (await creation).status_code == 200
        assert not await is_held(client)

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize(("when", "status"), [("before", 404), ("after", 200)])
def test_a_client_that_goes_leaves_no_effect_before_and_one_after(
    tmp_path: Path, when: Literal["before", "after"], status: int
) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(Hold(method="POST", path=CREATE_POOL, when=when))
        creation = asyncio.create_task(client.call("POST", POOLS, T4_POOL))
        await until(lambda: is_held(client))
        creation.cancel()
        await until(lambda: is_logged_as_lost(client))
        assert (await client.call("GET", f"{POOLS}/t4")).status_code == status

    on_a_cluster(tmp_path, body)


def test_a_failed_operation_is_told_by_its_status_message(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(OperationFailure(path=CREATE_POOL, message="disk on fire"))
        operation = await client.ok("POST", POOLS, T4_POOL)
        assert (operation["status"], operation["statusMessage"]) == ("DONE", "disk on fire")
        assert (await client.ok("GET", f"{POOLS}/t4"))["status"] == "ERROR"
        await client.ok("DELETE", f"{POOLS}/t4")

    on_a_cluster(tmp_path, body)


def test_a_stocked_out_pool_exists_with_an_error_and_heals_by_itself(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        client.emulator.faults.add(Stockout(pool="t4", times=2))
        operation = await client.ok("POST", POOLS, T4_POOL)
        assert "[GCE_STOCKOUT]" in str(operation["statusMessage"])
        assert "us-central1-c" in str(operation["statusMessage"])
        pool = await client.ok("GET", f"{POOLS}/t4")
        assert pool["status"] == "RUNNING_WITH_ERROR"
        assert pool["conditions"][0]["code"] == "GCE_STOCKOUT"

        async def is_healed() -> bool:
            return bool((await client.ok("GET", f"{POOLS}/t4"))["status"] == "RUNNING")

        await until(is_healed)
        assert (await client.ok("GET", "clusters/rapids"))["currentNodeCount"] == 2

    on_a_cluster(tmp_path, body)


def test_faults_can_be_set_over_http(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        faults = [{"kind": "error", "path": "/clusters$", "code": 503, "message": "later"}]
        answer = await client.call("POST", "/rehearsal/faults", faults)
        assert answer.status_code == 204
        assert (await client.call("GET", "clusters")).status_code == 503
        assert (await client.call("GET", "clusters")).status_code == 200
        answer = await client.call("POST", "/rehearsal/faults", [{"kind": "rain"}])
        assert answer.status_code == 400

    on_a_cluster(tmp_path, body)
