"""IAM policies of single resources, repositories of images, and project services. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.rehearsal.emulator.running import LOCATION, emulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.rehearsal.emulator.running import Client

ACCOUNTS = "/iam/v1/projects/acme/serviceAccounts"
ROBOT = "robot@acme.iam.gserviceaccount.com"
COMPUTE = "/compute/v1/projects/acme"
SUBNETWORK = f"{COMPUTE}/regions/us-central1/subnetworks/pods"
REPOSITORIES = "/artifactregistry/v1/projects/acme/locations/us-central1/repositories"
SERVICES = "/serviceusage/v1/projects/acme/services"


def served(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await client.ok("POST", ACCOUNTS, {"accountId": "robot1"})
            await client.ok("POST", ACCOUNTS, {"accountId": "reader"})
            await client.ok("POST", f"{COMPUTE}/global/networks", {"name": "pods"})
            ranges = {"name": "pods", "network": "pods", "ipCidrRange": "10.0.0.0/20"}
            await client.ok("POST", f"{COMPUTE}/regions/us-central1/subnetworks", ranges)
            await client.ok("POST", f"{REPOSITORIES}?repositoryId=images", {"format": "DOCKER"})
            await body(client)

    asyncio.run(run())


RESOURCES = {
    "a service account": (
        f"{ACCOUNTS}/robot1@acme.iam.gserviceaccount.com:",
        "POST",
        "roles/iam.workloadIdentityUser",
        "serviceAccount:acme.svc.id.goog[team/default]",
    ),
    "a subnetwork": (
        f"{SUBNETWORK}/",
        "GET",
        "roles/compute.networkUser",
        "serviceAccount:service-1@container-engine-robot.iam.gserviceaccount.com",
    ),
    "a repository": (
        f"{REPOSITORIES}/images:",
        "GET",
        "roles/artifactregistry.reader",
        "serviceAccount:reader@acme.iam.gserviceaccount.com",
    ),
}


@pytest.mark.parametrize("resource", RESOURCES)
def test_a_policy_is_set_by_who_has_seen_the_latest_one(tmp_path: Path, resource: str) -> None:
    url, get, role, member = RESOURCES[resource]

    async def check(client: Client) -> None:
        empty = await client.ok(get, f"{url}getIamPolicy")
        assert "bindings" not in empty
        bindings = [{"role": role, "members": [member]}]
        wished = {"policy": {"bindings": bindings, "etag": empty["etag"]}}
        answer = await client.ok("POST", f"{url}setIamPolicy", wished)
        assert answer == await client.ok(get, f"{url}getIamPolicy")
        assert (answer["bindings"], answer["version"]) == (bindings, 1)
        assert (await client.call("POST", f"{url}setIamPolicy", wished)).status_code == 409
        missing = [{"role": role, "members": ["serviceAccount:no@acme.iam.gserviceaccount.com"]}]
        refused = await client.call("POST", f"{url}setIamPolicy", {"policy": {"bindings": missing}})
        assert (refused.status_code, "does not exist" in refused.text) == (400, True)
        asked = {"permissions": ["some.thing.get"]}
        assert await client.ok("POST", f"{url}testIamPermissions", asked) == asked
        await client.ok("POST", f"{url}setIamPolicy", {"policy": {}})
        assert "bindings" not in await client.ok(get, f"{url}getIamPolicy")

    served(tmp_path, check)


def test_a_new_subnetwork_has_no_policy_of_the_old_one(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        binding = {"role": "roles/compute.networkUser", "members": ["user:a@acme.org"]}
        await client.ok("POST", f"{SUBNETWORK}/setIamPolicy", {"policy": {"bindings": [binding]}})
        subnetwork = await client.ok("GET", SUBNETWORK)
        await client.ok("DELETE", SUBNETWORK)
        again = {key: subnetwork[key] for key in ("name", "network", "ipCidrRange")}
        await client.ok("POST", f"{COMPUTE}/regions/us-central1/subnetworks", again)
        assert "bindings" not in await client.ok("GET", f"{SUBNETWORK}/getIamPolicy")

    served(tmp_path, check)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", f"{ACCOUNTS}/{ROBOT}:getIamPolicy"),
        ("GET", f"{COMPUTE}/regions/us-central1/subnetworks/none/getIamPolicy"),
        ("GET", f"{REPOSITORIES}/none:getIamPolicy"),
    ],
)
def test_what_does_not_exist_has_no_policy(tmp_path: Path, method: str, path: str) -> None:
    async def check(client: Client) -> None:
        assert (await client.call(method, path)).status_code == 404

    served(tmp_path, check)


def test_a_condition_needs_a_policy_of_version_3(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        condition = {"title": "t", "expression": "true"}
        binding = {"role": "roles/x", "members": ["user:a@acme.org"], "condition": condition}
        url = f"{REPOSITORIES}/images:setIamPolicy"
        refused = await client.call("POST", url, {"policy": {"bindings": [binding]}})
        assert refused.status_code == 400
        accepted = await client.ok("POST", url, {"policy": {"bindings": [binding], "version": 3}})
        assert accepted["version"] == 3

    served(tmp_path, check)


def test_a_repository_is_made_changed_listed_and_deleted(tmp_path: Path) -> None:
    async def check(client: Client) -> None:
        twice = await client.call("POST", f"{REPOSITORIES}?repositoryId=images", {})
        assert twice.status_code == 409
        body = {"labels": {"a": "b"}, "description": "not named, so not changed"}
        await client.ok("PATCH", f"{REPOSITORIES}/images?updateMask=labels", body)
        [shown] = (await client.ok("GET", REPOSITORIES))["repositories"]
        assert (shown["labels"], shown["format"]) == ({"a": "b"}, "DOCKER")
        assert "description" not in shown
        refused = await client.call("PATCH", f"{REPOSITORIES}/images?updateMask=format", {})
        assert refused.status_code == 400
        assert (await client.ok("DELETE", f"{REPOSITORIES}/images"))["done"]
        assert (await client.call("GET", f"{REPOSITORIES}/images")).status_code == 404

    served(tmp_path, check)


def test_a_service_is_enabled_until_a_client_disables_it(tmp_path: Path) -> None:
    service = f"{SERVICES}/container.googleapis.com"

    async def check(client: Client) -> None:
        assert (await client.ok("GET", service))["state"] == "ENABLED"
        ended = await client.ok("POST", f"{service}:disable", {"disableDependentServices": True})
        assert ended["done"]
        assert ended["response"]["service"]["state"] == "DISABLED"
        assert (await client.ok("GET", f"/serviceusage/v1/{ended['name']}"))["done"]
        refused = await client.call("GET", f"{LOCATION}/clusters")
        assert (refused.status_code, "it is disabled" in refused.text) == (403, True)
        on = await client.ok("GET", f"{SERVICES}?filter=state:ENABLED")
        assert service.removeprefix("/serviceusage/v1/") not in {s["name"] for s in on["services"]}
        ids = {"serviceIds": ["container.googleapis.com"]}
        await client.ok("POST", f"{SERVICES}:batchEnable", ids)
        await client.ok("POST", f"{service}:enable", {})
        await client.ok("GET", f"{LOCATION}/clusters")
        assert (await client.call("GET", f"{SERVICES}?filter=name:x")).status_code == 501
        refused = await client.call("GET", f"{SERVICES}:batchGet?names=compute.googleapis.com")
        assert (refused.status_code, "compute.googleapis.com" in refused.text) == (400, True)

    served(tmp_path, check)
