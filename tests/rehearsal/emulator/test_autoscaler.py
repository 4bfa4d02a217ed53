"""What the autoscaler takes for pending, for busy and for over. Unit tier."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from rehearsal.emulator import Latency, NoKubernetes
from rehearsal.emulator.backend import Workloads
from tests.rehearsal.emulator.running import ONE_POOL_CLUSTER, T4, emulated, until

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from rehearsal.emulator.backend import ClusterRef
    from rehearsal.emulator.document import Document
    from tests.rehearsal.emulator.running import Client

QUICK = Latency(
    hold_answer_s=30.0, autoscaler_interval_s=0.01, scale_down_after_s=0.1, stockout_back_off_s=0.3
)
ROUNDS_S = 0.3
"""In which an idle machine goes, and some more."""
SCALED = {"enabled": True, "minNodeCount": 0, "maxNodeCount": 3}
CONFIG = {"machineType": "n1-standard-4", "accelerators": [T4]}
POOL = {
    "name": "t4",
    "initialNodeCount": 0,
    "config": CONFIG,
    "autoscaling": SCALED,
}
UNSCHEDULABLE = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}


class Scripted(NoKubernetes):
    """Kubernetes with the pods that a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.pods: list[Document] = []
        self.fails = 0
        """How often it cannot be asked."""
        self.events: list[tuple[str, str]] = []
        """Reasons and messages."""

    async def workloads(self, cluster: ClusterRef) -> Workloads:
        """Return them."""
        del cluster
        if self.fails:
            self.fails -= 1
            raise ConnectionError("the API server restarts")
        return Workloads(pods=tuple(self.pods))

    async def record(self, cluster: ClusterRef, event: Document) -> None:
        """Keep what is said."""
        del cluster
        self.events.append((event["reason"], event["message"]))


def a_pod(*, node: str = "", owner: str = "Job", **status: Any) -> Document:
    """A pod that asks for one GPU."""
    resources = {"limits": {"nvidia.com/gpu": "1"}}
    tolerations = [{"key": "nvidia.com/gpu", "operator": "Exists"}]
    spec = {"containers": [{"resources": resources}], "tolerations": tolerations}
    return {
        "metadata": {
            "name": "p",
            "namespace": "fraud",
            "uid": str(uuid4()),
            "ownerReferences": [{"kind": owner}],
        },
        "spec": spec | ({"nodeName": node} if node else {}),
        "status": status,
    }


def scaled(
    tmp_path: Path, body: Callable[[Client, Scripted], Awaitable[None]], **pool: object
) -> None:
    """Run ``body`` on a cluster with an autoscaled pool beside the default one."""

    async def run() -> None:
        backend = Scripted()
        async with emulated(tmp_path, latency=QUICK, backend=backend) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": {**POOL, **pool}})
            await body(client, backend)

    asyncio.run(run())


def machines(client: Client, pool: str = "t4") -> list[str]:
    """The machines of an autoscaled pool."""
    [cluster] = client.emulator.world.clusters()
    return [name for names in cluster.pools[pool].instances.values() for name in names]


async def is_well(client: Client, pool: str) -> bool:
    """Whether the pool misses no machines, or the autoscaler has given them up."""
    [cluster] = client.emulator.world.clusters()
    return bool(cluster.pools[pool].document["status"] == "RUNNING")


async def has(client: Client, count: int, pool: str = "t4") -> None:
    """Wait until the pool has so many machines."""

    async def is_so() -> bool:
        return len(machines(client, pool)) == count

    await until(is_so)


def test_only_a_pod_that_the_scheduler_has_given_up_on_makes_a_pool_grow(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.pods = [
            a_pod(),
            a_pod(conditions=[{"type": "Ready", "reason": "Unschedulable"}]),
            a_pod(conditions=[{**UNSCHEDULABLE, "reason": "SchedulingGated"}]),
            a_pod(node="elsewhere", conditions=[UNSCHEDULABLE]),
        ]
        await asyncio.sleep(ROUNDS_S)
        assert machines(client) == []
        backend.pods.append(a_pod(conditions=[UNSCHEDULABLE]))
        await has(client, 1)

    scaled(tmp_path, body)


@pytest.mark.parametrize(
    "pods_on",
    [
        lambda _: [],
        lambda node: [a_pod(node=node, phase="Succeeded"), a_pod(node=node, phase="Failed")],
        lambda node: [a_pod(node=node, phase="Running", owner="DaemonSet")],
        lambda _: [a_pod(node="another", phase="Running")],
    ],
    ids=["nothing", "what is over", "a DaemonSet", "what runs elsewhere"],
)
def test_a_machine_goes_on_which_nothing_runs_but(
    tmp_path: Path, pods_on: Callable[[str], list[Document]]
) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        await has(client, 1)
        backend.pods = pods_on(machines(client)[0])
        await has(client, 0)

    async def grown(client: Client, backend: Scripted) -> None:
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await body(client, backend)

    scaled(tmp_path, grown)


def test_a_machine_with_work_stays_until_it_is_idle_for_long_enough(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await has(client, 1)
        backend.pods = [a_pod(node=machines(client)[0], phase="Running")]
        await asyncio.sleep(ROUNDS_S)
        assert len(machines(client)) == 1
        backend.pods = []
        await has(client, 0)

    scaled(tmp_path, body)


def test_a_pool_of_fixed_size_is_left_alone(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])] * 3
        await asyncio.sleep(ROUNDS_S)
        assert len(machines(client)) == 1

    scaled(tmp_path, body, initialNodeCount=1, autoscaling={"enabled": False})


def test_no_pod_makes_a_pool_grow_whose_nodes_are_queued_for(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await asyncio.sleep(ROUNDS_S)
        assert machines(client) == []
        await client.ok(
            "POST", "clusters/rapids/nodePools", {"nodePool": {**POOL, "name": "other"}}
        )
        await has(client, 1, "other")
        assert machines(client) == []

    scaled(tmp_path, body, queuedProvisioning={"enabled": True})


def test_who_cannot_be_asked_once_is_asked_again(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.fails = 2
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await has(client, 1)

    scaled(tmp_path, body)


def test_the_next_pool_grows_where_the_cheapest_has_no_machines_and_the_way_back_is_open(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        backend = Scripted()
        async with emulated(tmp_path, latency=QUICK, backend=backend) as client:
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            for pool in (POOL, {**POOL, "name": "spot", "config": {**CONFIG, "spot": True}}):
                await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": pool})
            stocked_out = [{"kind": "stockout", "pool": "spot", "times": 1_000_000}]
            await client.call("POST", "/rehearsal/faults", stocked_out)
            backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
            await has(client, 1)
            assert machines(client, "spot") == []
            backend.pods = []
            await has(client, 0)
            await client.call("POST", "/rehearsal/faults", [])
            await until(lambda: is_well(client, "spot"))
            backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
            await has(client, 1, "spot")
            assert machines(client) == []

    asyncio.run(run())


def test_a_pool_whose_reservation_is_used_up_is_well_again_once_nothing_waits_for_it(
    tmp_path: Path,
) -> None:
    affinity = {
        "consumeReservationType": "SPECIFIC_RESERVATION",
        "key": "compute.googleapis.com/reservation-name",
        "values": ["mine"],
    }

    async def run() -> None:
        backend = Scripted()
        async with emulated(tmp_path, latency=QUICK, backend=backend) as client:
            sku = {"count": "0", "instanceProperties": {"machineType": "n1-standard-4"}}
            reserved = {"name": "mine", "specificReservation": sku}
            url = "/compute/v1/projects/acme/zones/us-central1-c/reservations"
            await client.ok("POST", url, reserved)
            await client.ok("POST", "clusters", ONE_POOL_CLUSTER)
            pool = {**POOL, "config": {**CONFIG, "reservationAffinity": affinity}}
            await client.ok("POST", "clusters/rapids/nodePools", {"nodePool": pool})
            backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]

            async def is_refused() -> bool:
                return not await is_well(client, "t4")

            await until(is_refused)
            backend.pods = []
            await until(lambda: is_well(client, "t4"))

    asyncio.run(run())


def test_pods_are_told_which_group_grows_for_them_and_then_that_there_was_no_machine(
    tmp_path: Path,
) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        await client.call("POST", "/rehearsal/faults", [{"kind": "stockout", "pool": "t4"}])
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await has(client, 1)
        (_, asked), (_, failed), (_, waits), (_, again) = backend.events
        assert asked.startswith("pod triggered scale-up: [{https://www.googleapis.com/compute/v1/")
        assert asked.endswith("-grp 0->1 (max: 3)}]")
        assert "/zones/us-central1-c/instanceGroups/gke-rapids-t4-" in asked
        assert failed == (
            "Node scale up in zones us-central1-c associated with this pod failed: GCE out of "
            "resources. Pod is at risk of not being scheduled."
        )
        assert waits == "pod didn't trigger scale-up: 1 in backoff after failed scale-up"
        assert again == asked
        assert [reason for reason, _ in backend.events] == [
            "TriggeredScaleUp",
            "FailedScaleUp",
            "NotTriggerScaleUp",
            "TriggeredScaleUp",
        ]

    scaled(tmp_path, body)


def test_a_pod_is_told_once_that_no_pool_can_grow_for_it(tmp_path: Path) -> None:
    async def body(client: Client, backend: Scripted) -> None:
        backend.pods = [a_pod(conditions=[UNSCHEDULABLE])]
        await has(client, 1)
        backend.pods = [
            a_pod(node=machines(client)[0], phase="Running"),
            a_pod(conditions=[UNSCHEDULABLE]),
        ]
        await asyncio.sleep(ROUNDS_S)
        assert backend.events[1:] == [
            ("NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached")
        ]

    scaled(tmp_path, body, autoscaling={**SCALED, "maxNodeCount": 1})
