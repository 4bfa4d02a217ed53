"""What an emulator holds, kept and taken up by another one, without Kubernetes. Unit tier."""

from __future__ import annotations

import asyncio
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from aiohttp import web

from rehearsal.emulator import Emulator, Latency, NoKubernetes, quiescence
from rehearsal.emulator.kept_world import kept_world, world_of
from rehearsal.emulator.quiescence import QUIESCE_PATH
from rehearsal.emulator.restrictions import Restrictions
from rehearsal.emulator.world import Cluster, Pool, Project, World
from tests.rehearsal.emulator.running import (
    CLUSTER,
    ONE_POOL_CLUSTER,
    POOLS,
    T4,
    Client,
    emulated,
    finished,
    until,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest

    from rehearsal.emulator.document import Document

NETWORKS = "/compute/beta/projects/acme/global/networks"
ACCOUNTS = "/iam/v1/projects/acme/serviceAccounts"
BUCKET_POLICY = "/storage/v1/b/fraud-data/iam"
POLICY = "/crm/v1/projects/acme"
GROUPS = "/compute/beta/projects/acme/zones/us-central1-c/instanceGroupManagers"
LAKE = f"{NETWORKS}/lake"
BINDINGS = [{"role": "roles/viewer", "members": ["user:alice@example.com"]}]
NO_DRIVER = {**T4, "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"}}
T4_POOL = {
    "nodePool": {
        "name": "t4",
        "initialNodeCount": 1,
        "config": {"machineType": "n1-standard-4", "accelerators": [NO_DRIVER]},
    }
}
SLOW = Latency(cluster_update_s=0.3, compute_s=0.3)


async def populate(client: Client) -> None:
    """Let every kind of thing be there, and some of it no longer in its first state."""
    await client.ok("POST", NETWORKS, {"name": "lake", "autoCreateSubnetworks": False})
    await client.ok("POST", ACCOUNTS, {"accountId": "nodes-of-lake"})
    await client.ok("POST", f"{POLICY}:setIamPolicy", {"policy": {"bindings": BINDINGS}})
    await client.ok("PUT", BUCKET_POLICY, {"bindings": BINDINGS})
    await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
    await client.ok("POST", POOLS, T4_POOL)
    await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": 3})
    await client.ok("PUT", CLUSTER, {"update": {"desiredReleaseChannel": {"channel": "STABLE"}}})
    [cluster] = client.emulator.world.clusters()
    pool = cluster.pools["t4"]
    pool.drivers["of-a-machine"] = "580.95.05"
    await client.call("POST", "/rehearsal/restrictions", {"missing_buckets": ["gone"]})
    fault = {"kind": "error", "path": "/networks/lake$", "code": 503, "message": "later"}
    await client.call("POST", "/rehearsal/faults", [{**fault, "skip": 2}])
    await client.ok("GET", LAKE)  # the first of the two that pass


async def everything(client: Client) -> dict[str, Any]:
    """Return what the APIs tell of all that is there."""
    paths = (CLUSTER, "operations", NETWORKS, ACCOUNTS, BUCKET_POLICY, GROUPS)
    told = {path: await client.ok("GET", path) for path in paths}
    return told | {"policy": await client.ok("POST", f"{POLICY}:getIamPolicy", {})}


async def kept_at_rest(client: Client) -> Document:
    """Return what is kept, as it is read from a file."""
    answer = await client.call("POST", QUIESCE_PATH)
    assert answer.status_code == 204, answer.text
    kept: Document = json.loads(json.dumps(client.emulator.kept()))
    return kept


def test_another_emulator_goes_on_with_all_that_one_has_kept(tmp_path: Path) -> None:
    async def run() -> None:
        backend = NoKubernetes()
        async with emulated(tmp_path, backend=backend) as client:
            await populate(client)
            told = await everything(client)
            last_id = client.emulator.world.last_id
            port = client.emulator.port
            kept = await kept_at_rest(client)
        async with emulated(tmp_path, backend=backend, kept=kept, port=port) as client:
            # Etags and fingerprints, too: a client that has seen them goes on with them.
            assert await everything(client) == told
            [cluster] = client.emulator.world.clusters()
            assert cluster.pools["t4"].drivers == {"of-a-machine": "580.95.05"}
            assert cluster.pools["t4"].awaiting_driver
            assert (await client.call("GET", "/storage/v1/b/gone")).status_code == 404
            assert (await client.call("GET", LAKE)).status_code == 200
            assert (await client.call("GET", LAKE)).status_code == 503
            assert client.emulator.world.last_id == last_id

            for count in (1, 4):
                await client.ok("POST", f"{POOLS}/default-pool:setSize", {"nodeCount": count})
            assert (await client.ok("GET", CLUSTER))["currentNodeCount"] == 5
            await client.ok("DELETE", CLUSTER)
            await client.ok("DELETE", LAKE)
            assert backend.nodes == {}

    asyncio.run(run())


def test_what_is_taken_up_is_what_was_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await populate(client)
            kept = await kept_at_rest(client)
        async with emulated(tmp_path, kept=kept) as client:
            assert await kept_at_rest(client) == kept

    asyncio.run(run())


STATE = {
    "ComputeOperations._operations": "kept",
    "FaultBook._faults": "kept",
    "OperationBook._operations": "kept",
    "RestrictionBook.current": "kept",
    "World.bucket_bindings": "kept",
    "World.iam_bindings": "kept",
    "World.last_id": "kept",
    "World.projects": "kept",
    "Autoscaler._busy_at": "GKE's autoscaler forgets it, too, when it is started again",
    "Autoscaler._let_be_until": "GKE's autoscaler forgets it, too, when it is started again",
    "EventRecorder._said": "GKE's autoscaler forgets it, too, when it is started again",
    "Emulator._loops": "runs",
    "Emulator._port": "given to the next one at its start",
    "HeldRequests._held": "at rest there is none",
    "NoKubernetes.nodes": "Kubernetes' part, whose data the control plane keeps",
    "RequestLog.path": "the file is kept",
    "Quiescence._at_work": "at rest there is none",
    "Quiescence._is_asked": "over with the emulator",
    "Quiescence.is_reached": "over with the emulator",
    "Emulator._autoscaler_interval_s": "of the latency",
    "OperationBook._hold_answer_s": "of the latency",
    "Emulator._runner": "runs",
    "Server._handlers": "made at the start",
}
"""All that an emulator's parts hold beside each other, and what becomes of it."""


def test_whatever_a_part_of_the_emulator_holds_is_kept_or_need_not_be(tmp_path: Path) -> None:
    emulator = Emulator(
        backend=NoKubernetes(), latency=Latency.fast(), request_log=tmp_path / "requests.jsonl"
    )
    assert set(held_by(emulator, seen=set())) == STATE.keys()


def held_by(part: object, *, seen: set[int]) -> Iterator[str]:
    """Name what a part and all parts that it knows hold, beside each other and functions."""
    if id(part) in seen:
        return
    seen.add(id(part))
    for name, value in vars(part).items():
        if is_part(value):
            yield from held_by(value, seen=seen)
        elif not callable(value) and not isinstance(value, Latency):
            yield f"{type(part).__name__}.{name}"
        for handler in handlers_in(name, value):
            method = getattr(handler, "func", handler)
            if hasattr(method, "__self__"):
                yield from held_by(method.__self__, seen=seen)


def handlers_in(name: str, value: Any) -> Iterator[Any]:
    """Return what answers requests: by its methods parts are known that no attribute names."""
    if name == "_handlers":
        yield from value.values()
    elif isinstance(value, web.AppRunner):
        yield from (route.handler for route in value.app.router.routes())


def is_part(value: object) -> bool:
    """Whether it is one of the emulator's own objects that may change."""
    is_ours = type(value).__module__.startswith("rehearsal.emulator.")
    return is_ours and not isinstance(value, Latency | Restrictions)


def test_each_field_of_a_project_a_cluster_and_a_pool_is_kept(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await populate(client)
            kept = await kept_at_rest(client)
        [project] = kept["world"]["projects"]
        [cluster] = project["clusters"]
        for kind, document in (
            (World, kept["world"]),
            (Project, project),
            (Cluster, cluster),
            (Pool, {"cluster": "the one above", "lock": "nobody's", **cluster["pools"][0]}),
        ):
            assert document.keys() == {field.name for field in fields(kind)}
        assert kept_world(world_of(kept["world"])) == kept["world"]

    asyncio.run(run())


def test_rest_comes_when_what_was_begun_has_ended(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path, latency=SLOW) as client:
            await finished(client, await client.ok("POST", "clusters", ONE_POOL_CLUSTER))
            label = {"resourceLabels": {"a": "b"}, "labelFingerprint": ""}
            label["labelFingerprint"] = (await client.ok("GET", CLUSTER))["labelFingerprint"]
            operation = await client.ok("POST", f"{CLUSTER}:setResourceLabels", label)
            network = await client.ok("POST", NETWORKS, {"name": "lake"})
            assert {operation["status"], network["status"]} == {"RUNNING"}
            kept = await kept_at_rest(client)
        assert {each["status"] for each in kept["operations"]} == {"DONE"}
        assert {each["status"] for each in kept["compute_operations"].values()} == {"DONE"}
        async with emulated(tmp_path, kept=kept) as client:
            path = f"/compute/beta/projects/acme/global/operations/{network['name']}/wait"
            assert (await client.ok("POST", path))["status"] == "DONE"

    asyncio.run(run())


def test_at_rest_reads_are_answered_and_changes_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with emulated(tmp_path) as client:
            await populate(client)
            told = await client.ok("GET", CLUSTER)
            await kept_at_rest(client)
            assert await client.ok("GET", CLUSTER) == told
            for method, path, body in (
                ("POST", f"{POOLS}/t4:setSize", {"nodeCount": 0}),
                ("DELETE", CLUSTER, None),
                ("POST", "/rehearsal/faults", []),
                ("POST", "/rehearsal/incidents", {"kind": "zone-loss", "zone": "us-central1-c"}),
            ):
                refused = await client.call(method, path, body)
                assert refused.status_code == 503
                assert "is being saved" in refused.json()["error"]["message"]
            assert await client.ok("GET", CLUSTER) == told

    asyncio.run(run())


def test_what_does_not_end_is_named_and_all_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quiescence, "PATIENCE_S", 0.2)
    hold = {"kind": "hold", "when": "before", "path": "/networks$", "method": "POST"}

    async def run() -> None:
        async with emulated(tmp_path) as client:
            await client.call("POST", "/rehearsal/faults", [hold])
            creating = asyncio.create_task(client.ok("POST", NETWORKS, {"name": "lake"}))

            async def is_held() -> bool:
                return bool((await client.call("GET", "/rehearsal/held")).json())

            await until(is_held)
            answer = await client.call("POST", QUIESCE_PATH)
            assert answer.status_code == 409
            assert f"POST {NETWORKS}" in answer.text
            await client.call("DELETE", "/rehearsal/held")
            await creating
            await client.ok("POST", ACCOUNTS, {"accountId": "nodes-of-lake"})

    asyncio.run(run())
