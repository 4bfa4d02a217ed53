"""Addresses, firewall rules, reservations and resource policies. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from rehearsal.emulator import discovery
from tests.rehearsal.emulator.running import emulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from rehearsal.emulator.document import Document
    from tests.rehearsal.emulator.running import Client

PROJECT = "/compute/v1/projects/acme"
REGION = f"{PROJECT}/regions/us-central1"
SCHEMAS = discovery.load("compute", "v1").schemas


def served(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await body(client)

    asyncio.run(run())


RESERVED = {"count": "2", "instanceProperties": {"machineType": "a2-highgpu-1g"}}
PACKED = {"collocation": "COLLOCATED"}


@pytest.mark.parametrize(
    ("folder", "schema", "body", "shown"),
    [
        (f"{REGION}/addresses", "Address", {}, {"addressType": "EXTERNAL", "status": "RESERVED"}),
        (
            f"{PROJECT}/global/addresses",
            "Address",
            {"addressType": "INTERNAL", "address": "10.1.2.3"},
            {"address": "10.1.2.3", "addressType": "INTERNAL"},
        ),
        (
            f"{PROJECT}/global/firewalls",
            "Firewall",
            {"allowed": [{"IPProtocol": "tcp", "ports": ["8786"]}]},
            {"direction": "INGRESS", "priority": 1000, "sourceRanges": ["0.0.0.0/0"]},
        ),
        (
            f"{PROJECT}/global/firewalls",
            "Firewall",
            {"denied": [{"IPProtocol": "all"}], "sourceTags": ["a"], "priority": 9},
            {"priority": 9, "sourceTags": ["a"]},
        ),
        (
            f"{PROJECT}/zones/us-central1-c/reservations",
            "Reservation",
            {"specificReservation": RESERVED},
            {"status": "READY", "specificReservation": {"inUseCount": "0", **RESERVED}},
        ),
        (
            f"{REGION}/resourcePolicies",
            "ResourcePolicy",
            {"groupPlacementPolicy": PACKED},
            {"status": "READY", "groupPlacementPolicy": PACKED},
        ),
    ],
)
def test_a_resource_is_made_shown_listed_and_deleted(
    tmp_path: Path, folder: str, schema: str, body: Document, shown: Document
) -> None:
    async def check(client: Client) -> None:
        operation = await client.ok("POST", folder, {"name": "mine", **body})
        link = str(operation["selfLink"]).removeprefix(client.emulator.base_url)
        assert (await client.ok("GET", link))["status"] == "DONE"
        found = await client.ok("GET", f"{folder}/mine")
        assert found.items() >= {"name": "mine", **body, **shown}.items()
        assert found.keys() <= SCHEMAS[schema]["properties"].keys()
        assert ("sourceRanges" in found) == ("sourceRanges" in shown)
        assert (await client.ok("GET", folder))["items"] == [found]
        assert (await client.call("POST", folder, {"name": "mine", **body})).status_code == 409
        await client.ok("DELETE", f"{folder}/mine")
        missing = await client.call("GET", f"{folder}/mine")
        assert (missing.status_code, "was not found" in missing.text) == (404, True)

    served(tmp_path, check)


def test_what_can_be_changed_of_them_is_changed(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        firewalls = f"{PROJECT}/global/firewalls"
        tcp = [{"IPProtocol": "tcp"}]
        await client.ok("POST", firewalls, {"name": "f", "allowed": tcp, "description": "d"})
        await client.ok("PATCH", f"{firewalls}/f", {"sourceRanges": ["10.0.0.0/8"]})
        assert (await client.ok("GET", f"{firewalls}/f"))["description"] == "d"
        await client.ok("PUT", f"{firewalls}/f", {"name": "f", "allowed": tcp})
        replaced = await client.ok("GET", f"{firewalls}/f")
        assert "description" not in replaced
        assert replaced["sourceRanges"] == ["0.0.0.0/0"]

        reservations = f"{PROJECT}/zones/us-central1-c/reservations"
        await client.ok("POST", reservations, {"name": "r", "specificReservation": RESERVED})
        await client.ok("POST", f"{reservations}/r/resize", {"specificSkuCount": "3"})
        reserved = (await client.ok("GET", f"{reservations}/r"))["specificReservation"]
        assert reserved == {"inUseCount": "0", **RESERVED, "count": "3"}
        none = await client.call("POST", f"{reservations}/r/resize", {"specificSkuCount": "0"})
        assert none.status_code == 400

        await client.ok("POST", f"{REGION}/addresses", {"name": "a"})
        address = await client.ok("GET", f"{REGION}/addresses/a")
        labels = {"labels": {"a": "b"}, "labelFingerprint": address["labelFingerprint"]}
        await client.ok("POST", f"{REGION}/addresses/a/setLabels", labels)
        assert (await client.ok("GET", f"{REGION}/addresses/a"))["labels"] == {"a": "b"}
        stale = await client.call("POST", f"{REGION}/addresses/a/setLabels", labels)
        assert stale.status_code == 412

    served(tmp_path, check)


def test_a_firewall_rule_holds_its_network_and_needs_one_that_exists(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        rule = {"name": "f", "network": "global/networks/mine", "denied": [{"IPProtocol": "all"}]}
        firewalls = f"{PROJECT}/global/firewalls"
        assert (await client.call("POST", firewalls, rule)).status_code == 404
        await client.ok("POST", f"{PROJECT}/global/networks", {"name": "mine"})
        await client.ok("POST", firewalls, rule)
        used = await client.call("DELETE", f"{PROJECT}/global/networks/mine")
        assert "already being used by 'projects/acme/global/firewalls/f'" in used.text

    served(tmp_path, check)


def test_methods_of_them_that_are_not_emulated_are_refused_by_name(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        moved = await client.call("POST", f"{REGION}/addresses/a/move", {})
        assert (moved.status_code, "compute.addresses.move" in moved.text) == (501, True)

    served(tmp_path, check)
