"""A specific reservation: found or not, of the right machines, with room, shared. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, POOLS, T4, emulated, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from rehearsal.emulator.document import Document
    from tests.rehearsal.emulator.running import Client

OWN = "/compute/v1/projects/acme/zones/us-central1-c/reservations"
OTHER = "/compute/v1/projects/lender/zones/us-central1-c/reservations"
SHARED = "projects/lender/reservations/mine"
A100 = {"machineType": "a2-highgpu-1g"}
N1_T4 = {"machineType": "n1-standard-4", "guestAccelerators": [T4]}


def served(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            await body(client)

    asyncio.run(run())


def reservation(count: int, properties: Document = A100, **changes: Any) -> Document:
    sku = {"count": str(count), "instanceProperties": properties}
    return {"name": "mine", "specificReservation": sku, **changes}


def pool(nodes: int, value: str = "mine", **config: Any) -> Document:
    affinity = {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": [value],
    }
    gpus = {"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "1"}
    return {
        "nodePool": {
            "name": "a100",
            "initialNodeCount": nodes,
            "config": {
                "machineType": "a2-highgpu-1g",
                "accelerators": [gpus],
                "reservationAffinity": affinity,
                **config,
            },
        }
    }


async def in_use(client: Client) -> str:
    (found,) = (await client.ok("GET", OWN))["items"]
    return str(found["specificReservation"]["inUseCount"])


def test_a_pool_without_its_reservation_is_refused_in_gkes_words(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        refused = await client.call("POST", POOLS, pool(1))
        assert refused.status_code == 404
        assert refused.json()["error"]["message"] == (
            'Google Compute Engine: reservation "mine" not found for node pool "a100" at zone '
            '"us-central1-c".'
        )
        assert [each["name"] for each in (await client.ok("GET", POOLS))["nodePools"]] == [
            "default-pool"
        ]

    served(tmp_path, check)


@pytest.mark.parametrize(
    ("kept", "short"),
    [
        (reservation(1), 1),
        (reservation(2, N1_T4), 2),
        (reservation(2, {**A100, "minCpuPlatform": "Intel Ice Lake"}), 2),
        (reservation(2, {**A100, "guestAccelerators": [T4]}), 2),
    ],
    ids=["too small", "another machine type", "another CPU platform", "other GPUs"],
)
def test_a_reservation_without_room_for_such_machines_is_told_in_gkes_words(
    tmp_path: Path, kept: Document, short: int
) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", OWN, kept)
        refused = await client.call("POST", POOLS, pool(2))
        assert refused.status_code == 429
        assert refused.json()["error"]["message"] == (
            "Reservation does not have enough resources for the request: specific reservation "
            '"mine" is insufficient for node pool "a100" at zone "us-central1-c": required 2 and '
            f"short of {short} VM count of machine type a2-highgpu-1g."
        )

    served(tmp_path, check)


def test_machines_count_as_used_until_they_are_gone(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", OWN, reservation(2))
        await client.ok("POST", POOLS, pool(2))
        await until(lambda: _is(client, "2"))
        assert (await client.ok("GET", OWN))["items"] == [await client.ok("GET", f"{OWN}/mine")]
        await client.ok("POST", f"{POOLS}/a100:setSize", {"nodeCount": 1})
        await until(lambda: _is(client, "1"))
        await client.ok("DELETE", f"{POOLS}/a100")
        await until(lambda: _is(client, "0"))

    served(tmp_path, check)


async def _is(client: Client, used: str) -> bool:
    return await in_use(client) == used


def test_a_pool_that_outgrows_its_reservation_keeps_what_it_has_and_says_why(
    tmp_path: Path,
) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", OWN, reservation(1))
        await client.ok("POST", POOLS, pool(1))
        await until(lambda: _is(client, "1"))
        await client.ok("POST", f"{POOLS}/a100:setSize", {"nodeCount": 2})

        async def has_said() -> bool:
            shown = await client.ok("GET", f"{POOLS}/a100")
            return bool(
                shown["status"] == "RUNNING_WITH_ERROR"
                and "does not have available resources for the request" in shown["statusMessage"]
            )

        await until(has_said)
        assert await in_use(client) == "1"
        await client.ok("POST", f"{OWN}/mine/resize", {"specificSkuCount": "2"})
        await until(lambda: _is(client, "2"))

    served(tmp_path, check)


def test_another_projects_reservation_is_found_where_it_is_shared(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", OTHER, reservation(1))
        unshared = await client.call("POST", POOLS, pool(1, SHARED))
        assert f'reservation "{SHARED}" not found' in unshared.json()["error"]["message"]
        await client.ok("DELETE", f"{OTHER}/mine")
        with_acme = {
            "shareType": "SPECIFIC_PROJECTS",
            "projectMap": {"acme": {"projectId": "acme"}},
        }
        await client.ok("POST", OTHER, reservation(1, shareSettings=with_acme))
        await client.ok("POST", POOLS, pool(1, SHARED))

        async def is_used() -> bool:
            found = await client.ok("GET", f"{OTHER}/mine")
            return bool(found["specificReservation"]["inUseCount"] == "1")

        await until(is_used)

    served(tmp_path, check)


def test_spot_machines_and_half_an_affinity_are_refused(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        await client.ok("POST", OWN, reservation(1))
        spot = await client.call("POST", POOLS, pool(1, spot=True))
        assert (spot.status_code, "Spot machines" in spot.text) == (400, True)
        half = {"consumeReservationType": "SPECIFIC_RESERVATION"}
        keyless = await client.call("POST", POOLS, pool(1, reservationAffinity=half))
        assert (keyless.status_code, "has the key" in keyless.text) == (400, True)

    served(tmp_path, check)
