"""What a project has and what it lacks: quotas, services, permissions, zones. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.rehearsal.emulator.running import POOLS, T4_POOL, Client, emulated, on_a_cluster

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

COMPUTE = "/compute/beta/projects/acme"
SERVICES = "/serviceusage/v1/projects/acme/services:batchGet"
NAMES = "names=projects/acme/services/compute.googleapis.com"
PERMISSIONS = "/crm/v1/projects/acme:testIamPermissions"


def on_an_emulator(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await body(client)

    asyncio.run(run())


async def restrict(client: Client, restrictions: object) -> None:
    answer = await client.call("POST", "/rehearsal/restrictions", restrictions)
    assert answer.status_code == 204, answer.text


async def quotas(client: Client, path: str) -> dict[str, tuple[float, float]]:
    """Limit and usage by metric."""
    answer = await client.ok("GET", f"{COMPUTE}{path}")
    return {quota["metric"]: (quota["limit"], quota["usage"]) for quota in answer["quotas"]}


def test_quotas_count_the_machines_that_there_are(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await client.ok("POST", POOLS, T4_POOL)
        region = await quotas(client, "/regions/us-central1")
        assert region["NVIDIA_T4_GPUS"] == (128, 1)
        # Besides the n1-standard-4 the e2-medium of the default pool, each with 100 GB.
        assert region["CPUS"][1] == 4 + 2
        assert region["SSD_TOTAL_GB"][1] == 200
        assert region["INSTANCES"][1] == 2
        assert (await quotas(client, "/regions/us-east1"))["NVIDIA_T4_GPUS"][1] == 0
        assert (await quotas(client, ""))["GPUS_ALL_REGIONS"] == (256, 1)

    on_a_cluster(tmp_path, body)


def test_spot_machines_have_quotas_of_their_own(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        pool = T4_POOL["nodePool"]
        assert isinstance(pool["config"], dict)
        config = {**pool["config"], "spot": True}
        await client.ok("POST", POOLS, {"nodePool": {**pool, "config": config}})
        region = await quotas(client, "/regions/us-central1")
        assert region["NVIDIA_T4_GPUS"][1] == 0
        assert region["PREEMPTIBLE_NVIDIA_T4_GPUS"][1] == 1
        assert region["PREEMPTIBLE_CPUS"][1] == 4
        assert (await quotas(client, ""))["GPUS_ALL_REGIONS"][1] == 0

    on_a_cluster(tmp_path, body)


def test_a_restriction_lowers_a_limit_until_it_is_replaced(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await restrict(client, {"quotas": [{"metric": "NVIDIA_T4_GPUS", "limit": 0}]})
        assert (await quotas(client, "/regions/us-central1"))["NVIDIA_T4_GPUS"] == (0, 0)
        await restrict(client, {})
        assert (await quotas(client, "/regions/us-central1"))["NVIDIA_T4_GPUS"] == (128, 0)

    on_an_emulator(tmp_path, body)


def test_a_disabled_service_says_so_and_refuses_each_request(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await restrict(client, {"disabled_services": ["compute.googleapis.com"]})
        (service,) = (await client.ok("GET", f"{SERVICES}?{NAMES}"))["services"]
        assert service["state"] == "DISABLED"
        refused = await client.call("GET", f"{COMPUTE}/regions/us-central1")
        assert refused.status_code == 403
        assert refused.json()["error"]["errors"][0]["reason"] == "accessNotConfigured"
        assert "has not been used in project acme before or it is disabled" in refused.text

    on_an_emulator(tmp_path, body)


def test_a_denied_permission_is_left_out_of_the_answer(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        await restrict(client, {"denied_permissions": ["container.clusters.create"]})
        asked = ["container.clusters.create", "container.clusters.get"]
        answer = await client.ok("POST", PERMISSIONS, {"permissions": asked})
        assert answer == {"permissions": ["container.clusters.get"]}

    on_an_emulator(tmp_path, body)


def test_an_unknown_restriction_is_refused(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        answer = await client.call("POST", "/rehearsal/restrictions", {"quota": []})
        assert answer.status_code == 400
        assert "quota" in answer.text

    on_an_emulator(tmp_path, body)


def test_a_zone_has_its_machine_types_and_accelerators(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        zone = f"{COMPUTE}/zones/us-central1-c"
        machine = await client.ok("GET", f"{zone}/machineTypes/a2-highgpu-4g")
        assert machine["guestCpus"] == 48
        assert machine["accelerators"][0]["guestAcceleratorCount"] == 4
        listed = (await client.ok("GET", f"{zone}/acceleratorTypes"))["items"]
        cards = {each["name"]: each["maximumCardsPerInstance"] for each in listed}
        assert cards["nvidia-tesla-t4"] == 4
        assert cards["nvidia-tesla-a100"] == 16

    on_an_emulator(tmp_path, body)


def test_what_a_zone_or_region_lacks_is_not_found(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        for path in (
            "/zones/europe-west9-c/machineTypes/a2-highgpu-4g",
            "/zones/us-central1-x",
            "/zones/us-central1-x/acceleratorTypes",
            "/regions/us-central9",
        ):
            answer = await client.call("GET", COMPUTE + path)
            assert answer.status_code == 404, path
            assert "was not found" in answer.text

    on_an_emulator(tmp_path, body)
