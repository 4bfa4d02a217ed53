"""Unit: what GKE is asked about a cluster, by the emulator of its API."""

from pathlib import Path

import httpx
import pytest

from daskfleet.google_cloud.bearer import Access
from daskfleet.platform.doctor.errors import NotLookedAtError
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.report.running.google_cluster import (
    Cluster,
    UpgradeInfo,
    read_google_cluster,
)
from daskfleet.platform.report.running.upgrades import upgrades_of
from tests.rehearsal.emulator.running import CLUSTER, LOCATION, Client, on_a_cluster

VERSION = "1.36.3-gke.1000000"
PATH = f"{LOCATION.partition('/v1beta1/')[2]}/{CLUSTER}"


def environment(client: Client) -> dict[str, str]:
    return {
        "GOOGLE_OAUTH_ACCESS_TOKEN": "a token that opens nothing",
        "GOOGLE_CONTAINER_CUSTOM_ENDPOINT": f"{client.emulator.base_url}/container/v1beta1/",
    }


async def asked(client: Client) -> tuple[Cluster, UpgradeInfo]:
    access = Access(token="opens nothing", kind="none")  # noqa: S106 - not one
    async with httpx.AsyncClient() as http:
        google = GoogleApi(http, environment=environment(client), access=access)
        return await read_google_cluster(google, PATH)


def test_versions_pools_and_targets_are_read(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        cluster, info = await asked(client)
        assert cluster.name == "rapids"
        assert {pool.version for pool in cluster.node_pools} == {VERSION}
        upgrades = upgrades_of(cluster, info, nodes=(), pods=())
        assert upgrades.patch_target == upgrades.control_plane == VERSION
        assert upgrades.touched == ()

    on_a_cluster(tmp_path, body)


@pytest.mark.parametrize("path", [":fetchClusterUpgradeInfo$", "/clusters/rapids$"])
def test_what_google_refuses_is_the_reason(tmp_path: Path, path: str) -> None:
    async def body(client: Client) -> None:
        fault = {"kind": "error", "path": path, "code": 403, "message": "You may not."}
        await client.call("POST", "/rehearsal/faults", [fault])
        with pytest.raises(NotLookedAtError, match="answered 403: You may not"):
            await asked(client)

    on_a_cluster(tmp_path, body)
