"""Host projects and the projects that are attached to them. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.rehearsal.emulator.running import emulated

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rehearsal.emulator.running import Client

PROJECTS = "/compute/beta/projects"
ACME = {"xpnResource": {"id": "acme", "type": "PROJECT"}}


async def host_of(client: Client, project: str) -> str | None:
    """Name the project to which another one is attached."""
    return (await client.ok("GET", f"{PROJECTS}/{project}/getXpnHost")).get("name")


def test_a_project_has_the_host_that_it_was_attached_to_until_it_is_detached(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            assert await host_of(client, "acme") is None

            await client.ok("POST", f"{PROJECTS}/host/enableXpnHost")
            operation = await client.ok("POST", f"{PROJECTS}/host/enableXpnResource", ACME)
            assert operation["targetLink"].endswith("/projects/host")
            assert await host_of(client, "acme") == "host"
            assert await host_of(client, "other") is None

            await client.ok("POST", f"{PROJECTS}/host/disableXpnResource", ACME)
            assert await host_of(client, "acme") is None

    asyncio.run(run())


def test_only_a_host_project_takes_others_and_each_has_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            refused = await client.call("POST", f"{PROJECTS}/host/enableXpnResource", ACME)
            assert (refused.status_code, await host_of(client, "acme")) == (400, None)

            for host in ("host", "second"):
                await client.ok("POST", f"{PROJECTS}/{host}/enableXpnHost")
            await client.ok("POST", f"{PROJECTS}/host/enableXpnResource", ACME)
            refused = await client.call("POST", f"{PROJECTS}/second/enableXpnResource", ACME)
            assert (refused.status_code, await host_of(client, "acme")) == (400, "host")
            refused = await client.call("POST", f"{PROJECTS}/second/disableXpnResource", ACME)
            assert (refused.status_code, await host_of(client, "acme")) == (400, "host")

    asyncio.run(run())
