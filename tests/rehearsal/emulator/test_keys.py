"""Keys of Cloud KMS: who may use them for a cluster's Secrets and its pools' disks. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.rehearsal.emulator.running import CLUSTER, emulated, finished

if TYPE_CHECKING:
    from pathlib import Path

    from tests.rehearsal.emulator.running import Client

RING = "projects/keys/locations/us-central1/keyRings/fleet"
KEY = f"{RING}/cryptoKeys/one"
ROLE = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
ENCRYPTED, DECRYPTED = "CURRENT_STATE_ENCRYPTED", "CURRENT_STATE_DECRYPTED"
DENIED = "Permission 'cloudkms.cryptoKeyVersions.useToEncrypt' denied on resource"


async def make_key(client: Client) -> None:
    location = "/cloudkms/v1/projects/keys/locations/us-central1"
    await client.ok("POST", f"{location}/keyRings?keyRingId=fleet", {})
    wished = {"purpose": "ENCRYPT_DECRYPT"}
    await client.ok("POST", f"/cloudkms/v1/{RING}/cryptoKeys?cryptoKeyId=one", wished)


async def grant(client: Client, agent: str) -> None:
    number = (await client.ok("GET", "/crm/v1/projects/acme"))["projectNumber"]
    member = f"serviceAccount:service-{number}@{agent}.iam.gserviceaccount.com"
    policy = {"policy": {"bindings": [{"role": ROLE, "members": [member]}]}}
    await client.ok("POST", f"/cloudkms/v1/{KEY}:setIamPolicy", policy)


async def encryption(client: Client) -> dict[str, object]:
    """What the cluster says of its Secrets' encryption."""
    told: dict[str, object] = (await client.ok("GET", CLUSTER))["databaseEncryption"]
    return told


def wished(**fields: object) -> dict[str, object]:
    return {"cluster": {"name": "rapids", "initialNodeCount": 1, **fields}}


def test_a_key_is_there_once_it_is_made(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            missing = await client.call("GET", f"/cloudkms/v1/{KEY}")
            assert (missing.status_code, missing.json()["error"]["message"]) == (
                404,
                f"CryptoKey {KEY} not found.",
            )
            await make_key(client)
            key = await client.ok("GET", f"/cloudkms/v1/{KEY}")
            assert key["primary"]["state"] == "ENABLED"
            assert (await client.ok("GET", f"/cloudkms/v1/{RING}"))["name"] == RING

    asyncio.run(run())


def test_secrets_are_encrypted_with_a_key_that_gke_may_use(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            encrypted = {"state": "ENCRYPTED", "keyName": KEY}
            asked = wished(databaseEncryption=encrypted)
            refused = await client.call("POST", "clusters", asked)
            assert (refused.status_code, DENIED in refused.text) == (400, True)

            await make_key(client)
            await grant(client, "compute-system")
            refused = await client.call("POST", "clusters", asked)
            assert refused.status_code == 400, "another agent's grant is none"

            await finished(client, await client.ok("POST", "clusters", wished()))
            update = {"update": {"desiredDatabaseEncryption": encrypted}}
            assert (await client.call("PUT", CLUSTER, update)).status_code == 400

            await grant(client, "container-engine-robot")
            await finished(client, await client.ok("PUT", CLUSTER, update))
            assert await encryption(client) == {**encrypted, "currentState": ENCRYPTED}

            update = {"update": {"desiredDatabaseEncryption": {"state": "DECRYPTED"}}}
            await finished(client, await client.ok("PUT", CLUSTER, update))
            assert await encryption(client) == {"state": "DECRYPTED", "currentState": DECRYPTED}

    asyncio.run(run())


def test_a_new_cluster_tells_where_the_encryption_of_its_secrets_stands(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await make_key(client)
            await grant(client, "container-engine-robot")
            # What a client writes of where it stands is not the client's to say.
            said = {"state": "ENCRYPTED", "keyName": KEY, "currentState": DECRYPTED}
            asked = wished(databaseEncryption=said)
            await finished(client, await client.ok("POST", "clusters", asked))
            assert await encryption(client) == {**said, "currentState": ENCRYPTED}

    asyncio.run(run())


def test_secrets_of_a_cluster_without_a_key_are_told_to_be_decrypted(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await finished(client, await client.ok("POST", "clusters", wished()))
            assert await encryption(client) == {"state": "DECRYPTED", "currentState": DECRYPTED}

    asyncio.run(run())


def test_disks_are_encrypted_with_a_key_that_compute_engine_may_use(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            asked = wished(nodeConfig={"bootDiskKmsKey": KEY})
            refused = await client.call("POST", "clusters", asked)
            assert refused.status_code == 400
            assert f"Cloud KMS error when using key {KEY}: {DENIED}" in refused.text

            await make_key(client)
            await grant(client, "compute-system")
            await finished(client, await client.ok("POST", "clusters", asked))
            (pool,) = (await client.ok("GET", CLUSTER))["nodePools"]
            assert pool["config"]["bootDiskKmsKey"] == KEY

    asyncio.run(run())
