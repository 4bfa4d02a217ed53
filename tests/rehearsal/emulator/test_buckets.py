"""Buckets and their IAM policies. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, Client, emulated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

BUCKET = "/storage/v1/b/data"
POLICY = f"{BUCKET}/iam"
READER = "roles/storage.objectViewer"
POD = (
    "principal://iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/"
    "acme.svc.id.goog/subject/ns/climate/sa/dask"
)
CONDITION = {"title": "raw", "expression": 'resource.name.startsWith("raw/")'}


def served(tmp_path: Path, body: Callable[[Client], Awaitable[None]]) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await body(client)

    asyncio.run(run())


async def with_member(client: Client, member: str, **more: Any) -> dict[str, Any]:
    """A bucket's policy as it is now, and one member more."""
    policy = await client.ok("GET", f"{POLICY}?optionsRequestedPolicyVersion=3")
    binding = {"role": READER, "members": [member], **more}
    return {**policy, "bindings": [*policy["bindings"], binding]}


def test_a_bucket_is_there_until_a_restriction_says_that_it_is_missing(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        bucket = await client.ok("GET", BUCKET)
        assert bucket["iamConfiguration"] == {"uniformBucketLevelAccess": {"enabled": True}}
        await client.call(
            "POST",
            "/rehearsal/restrictions",
            {"missing_buckets": ["data"], "buckets_with_acls": ["old"]},
        )
        for path in (BUCKET, POLICY):
            answer = await client.call("GET", path)
            assert answer.status_code == 404
            assert answer.json()["error"]["message"] == "The specified bucket does not exist."
        old = await client.ok("GET", "/storage/v1/b/old")
        assert old["iamConfiguration"] == {"uniformBucketLevelAccess": {"enabled": False}}

    served(tmp_path, body)


def test_a_policy_is_written_only_over_the_version_that_was_read(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        wanted = await with_member(client, "user:alice@example.com")
        written = await client.ok("PUT", POLICY, wanted)
        assert {each["role"] for each in written["bindings"]} == {
            "roles/storage.legacyBucketOwner",
            "roles/storage.legacyBucketReader",
            READER,
        }
        stale = await client.call("PUT", POLICY, wanted)
        assert stale.status_code == 412
        assert stale.json()["error"]["errors"][0]["reason"] == "conditionNotMet"
        other = await client.ok("GET", "/storage/v1/b/other/iam")
        assert READER not in {each["role"] for each in other["bindings"]}
        assert [entry.mutating for entry in client.emulator.log.read()] == [
            False,
            True,
            True,
            False,
        ]

    served(tmp_path, body)


def test_a_pod_has_an_identity_once_its_project_has_a_cluster_with_the_pool(
    tmp_path: Path,
) -> None:
    async def body(client: Client) -> None:
        wanted = await with_member(client, POD)
        early = await client.call("PUT", POLICY, wanted)
        assert early.status_code == 400
        assert "Identity Pool does not exist (acme.svc.id.goog)" in early.text
        pool = {"workloadIdentityConfig": {"workloadPool": "acme.svc.id.goog"}}
        await client.ok("POST", "clusters", {"cluster": {**ONE_POOL_CLUSTER["cluster"], **pool}})
        await client.ok("PUT", POLICY, wanted)
        unknown = await client.call(
            "PUT", POLICY, await with_member(client, POD.replace("/sa/dask", "/kind/dask"))
        )
        assert "does not know members like" in unknown.text

    served(tmp_path, body)


def test_an_account_of_an_emulated_project_must_exist(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        wanted = await with_member(client, "serviceAccount:jobs@acme.iam.gserviceaccount.com")
        refused = await client.call("PUT", POLICY, wanted)
        assert refused.status_code == 400
        assert "Service account jobs@acme.iam.gserviceaccount.com does not exist" in refused.text

    served(tmp_path, body)


def test_conditions_need_version_3_to_be_written_and_to_be_read(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        wanted = await with_member(client, "user:alice@example.com", condition=CONDITION)
        refused = await client.call("PUT", POLICY, wanted)
        assert refused.status_code == 400
        await client.ok("PUT", POLICY, {**wanted, "version": 3})
        assert (await client.call("GET", POLICY)).status_code == 400
        read = await client.ok("GET", f"{POLICY}?optionsRequestedPolicyVersion=3")
        assert read["bindings"][-1]["condition"] == CONDITION

    served(tmp_path, body)


def test_what_the_discovery_document_does_not_know_is_refused(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        field = await client.call("PUT", POLICY, {"bindings": [], "owner": "me"})
        assert 'Unknown name "owner"' in field.json()["error"]["message"]
        assert (await client.call("GET", f"{POLICY}?version=3")).status_code == 400
        assert (await client.call("GET", "/storage/v1/b?project=acme")).status_code == 501

    served(tmp_path, body)


def test_permissions_are_granted_but_for_those_that_are_denied(tmp_path: Path) -> None:
    async def body(client: Client) -> None:
        denied = "storage.buckets.setIamPolicy"
        await client.call("POST", "/rehearsal/restrictions", {"denied_permissions": [denied]})
        asked = f"permissions={denied}&permissions=storage.buckets.getIamPolicy"
        answer = await client.ok("GET", f"{POLICY}/testPermissions?{asked}")
        assert answer["permissions"] == ["storage.buckets.getIamPolicy"]

    served(tmp_path, body)
