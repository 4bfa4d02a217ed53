"""End to end: GKE upgrades the fleet by itself, when and how far the stack says."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.kr8s_client import connect_blocking
from tests.tiers.long_files import LONG
from tests.upgrades.planned_changes import PlannedChange, planned_changes

pytestmark = LONG

CLUSTER = "gcp:container/cluster:Cluster"
NEXT_MINOR = "1.37.1-gke.1000"
NEXT_PATCH = "1.37.2-gke.1000"

WINDOW = {"start_time": "2026-01-03T02:00:00Z", "end_time": "2026-01-03T08:00:00Z"}


@pytest.fixture
def upgraded(fleet: RunningRehearsal) -> Iterator[RunningRehearsal]:
    """The fleet, for an upgrade: no GKE cluster goes back, so the next test has another one."""
    yield fleet
    fleet.bring_down()


def upgrade(fleet: RunningRehearsal, version: str) -> list[str]:
    """Let GKE find that it is time for a version; return what it holds back."""
    answer = httpx.post(
        f"{fleet.base_url}/rehearsal/upgrade", json={"version": version}, timeout=300
    )
    (held_back,) = answer.raise_for_status().json()["held_back"].values()
    return list(held_back)


def kubelets(fleet: RunningRehearsal) -> dict[str, str]:
    """Each node's UID and version."""
    nodes: Any = connect_blocking(fleet.cluster.kubeconfig).get("nodes")
    return {
        node.raw["metadata"]["uid"]: node.raw["status"]["nodeInfo"]["kubeletVersion"]
        for node in nodes
    }


def changes_of(fleet: RunningRehearsal, command: str) -> list[PlannedChange]:
    return planned_changes(fleet.event_log(command))


def frozen(fleet: RunningRehearsal, scope: str) -> dict[str, Any]:
    """Settings with an exclusion around today."""
    now = datetime.now(UTC).replace(microsecond=0)
    settings = fleet.settings()
    settings["daskfleet:cluster"] |= {
        "maintenance_window": WINDOW,
        "maintenance_exclusions": [
            {
                "name": "freeze",
                "start_time": (now - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "end_time": (now + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ"),
                "scope": scope,
            }
        ],
    }
    return settings


def test_channel_window_and_exclusion_change_in_place_and_no_node_notices(
    fleet: RunningRehearsal,
) -> None:
    nodes = kubelets(fleet)
    settings = frozen(fleet, "NO_MINOR_UPGRADES")
    settings["daskfleet:cluster"]["release_channel"] = "REGULAR"
    fleet.up(settings)
    assert {(change.operation, change.type) for change in changes_of(fleet, "up")} == {
        ("update", CLUSTER)
    }
    assert fleet.up(settings).changed == 0
    assert kubelets(fleet) == nodes


def test_an_exclusion_of_the_stack_reaches_gke_and_holds_the_nodes_back(
    fleet: RunningRehearsal,
) -> None:
    fleet.up(frozen(fleet, "NO_MINOR_OR_NODE_UPGRADES"))
    nodes = kubelets(fleet)
    assert upgrade(fleet, NEXT_MINOR) == ["control plane and nodes: freeze"]
    assert kubelets(fleet) == nodes


def test_after_an_automatic_upgrade_the_fleet_is_ready_and_pulumi_has_nothing_to_do(
    upgraded: RunningRehearsal,
) -> None:
    fleet = upgraded
    nodes, pods = kubelets(fleet), fleet.dask_pods("climate")
    assert upgrade(fleet, NEXT_MINOR) == []
    assert set(kubelets(fleet).values()) == {f"v{NEXT_MINOR}"}
    assert not kubelets(fleet).keys() & nodes.keys()

    assert fleet.up().changed == 0  # its gate waits until all are ready again
    after = fleet.dask_pods("climate")
    assert all(pod.is_ready for pod in after.values())
    assert not after.keys() & pods.keys()
    assert len(after) == len(pods)

    upgrade(fleet, NEXT_PATCH)
    fleet.run("refresh", "--yes", "--skip-preview")
    assert fleet.up().changed == 0
    assert set(kubelets(fleet).values()) == {f"v{NEXT_PATCH}"}
