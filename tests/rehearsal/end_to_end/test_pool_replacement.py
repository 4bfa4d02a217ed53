"""End to end: a change that needs another GPU pool, done beside the old one or in its place."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import httpx
import pytest

from rehearsal.engine.engine import EngineFailedError
from rehearsal.report.requests import Mark, google_writes, lines_since
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings
from tests.tiers.long_files import LONG

pytestmark = LONG

POOL = "a100-fixed"
SCHEDULERS = "scheduler-pool"
TEAMS = ("climate", "genomics")
LARGER_GPUS = {"machine_type": "a2-ultragpu-2g", "accelerator": "nvidia-a100-80gb"}
FOREVER = 1000
MANY_LOOKS = 400
"""More than an `up` takes: the engine is watched twice a second."""


@pytest.fixture
def surged(rehearsal: RunningRehearsal) -> RunningRehearsal:
    """The fleet with a pool that is replaced by surge."""
    rehearsal.inject()
    settings = surging(rehearsal.settings(), POOL)
    if not rehearsal.is_at(settings):
        rehearsal.ensure_as_declared()
    rehearsal.ensure_as_declared(settings)
    return rehearsal


def test_a_new_generation_comes_beside_the_old_one_which_goes_when_everybody_has_moved(
    fleet: RunningRehearsal,
) -> None:
    first = surging(fleet.settings(), POOL, SCHEDULERS)
    first["daskfleet:long_lived"] = True
    fleet.up(first)
    before = generations(fleet)
    assert set(before) == {"system", "a100-auto", POOL, SCHEDULERS}
    assert before[POOL] != POOL
    assert before[SCHEDULERS] != SCHEDULERS

    second = surging(first, POOL, SCHEDULERS)
    pool(second, POOL).update(LARGER_GPUS)
    second["daskfleet:scheduler_pool"]["schedulers_per_gpu"] = 3
    requests, audit = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)
    fleet.up(second)
    after = generations(fleet)

    assert before.keys() == after.keys()
    assert_everybody_runs_on(fleet, after)
    for name in (POOL, SCHEDULERS):
        assert before[name] != after[name]
        assert_created_before_deleted(requests, new=after[name], old=before[name])
        assert_nobody_was_driven_off(audit, old=before[name])

    fleet.up()
    assert generations(fleet)[POOL] == POOL


def test_without_gpus_for_the_next_generation_the_old_one_serves_on_and_the_next_up_tries_again(
    fleet: RunningRehearsal,
) -> None:
    before = {team: fleet.dask_pods(team).keys() for team in TEAMS}
    settings = surging(fleet.settings(), POOL)
    fleet.inject({"kind": "stockout", "pool": f"{POOL}-.*", "times": FOREVER})
    with pytest.raises(EngineFailedError):
        fleet.up(settings)

    assert "RUNNING_WITH_ERROR" in fleet.said
    assert {team: fleet.dask_pods(team).keys() for team in TEAMS} == before
    assert all(pod.is_ready for team in TEAMS for pod in fleet.dask_pods(team).values())

    fleet.inject()
    fleet.up(settings)
    assert generations(fleet)[POOL] != POOL
    assert_everybody_runs_on(fleet, generations(fleet))


def test_taking_back_a_change_that_found_no_gpus_leaves_the_teams_alone(
    surged: RunningRehearsal,
) -> None:
    fleet, settings = surged, surging(surged.settings(), POOL)
    before = generations(fleet)
    pods = {team: fleet.dask_pods(team).keys() for team in TEAMS}
    changed = surging(settings, POOL)
    pool(changed, POOL)["spot"] = True
    fleet.inject({"kind": "stockout", "pool": f"{POOL}-.*", "times": FOREVER})
    with pytest.raises(EngineFailedError):
        fleet.up(changed)
    assert len(pools_in_gke(fleet)) == len(before) + 1
    fleet.inject()
    fleet.up(settings)

    assert generations(fleet) == before
    assert len(pools_in_gke(fleet)) == len(before)
    assert {team: fleet.dask_pods(team).keys() for team in TEAMS} == pods


def test_in_place_the_old_pool_goes_first_and_the_pods_wait_for_the_new_one(
    fleet: RunningRehearsal,
) -> None:
    settings = fleet.settings()
    pool(settings, POOL)["spot"] = True
    requests = Mark.now(fleet.workspace.request_log)
    fleet.up(settings)

    assert pool_writes(requests) == [("DELETE", POOL), ("POST", POOL)]
    assert_everybody_runs_on(fleet, generations(fleet))


def test_no_pool_waits_for_another_one_to_be_created(fleet: RunningRehearsal) -> None:
    settings = surging(fleet.settings(), SCHEDULERS)
    more = {"name": "a100-more", "machine_type": "a2-highgpu-1g", "gpus_per_node": 1}
    settings["daskfleet:worker_pools"].append(more)
    fleet.inject(
        {"kind": "hold", "when": "before", "method": "POST", "path": "/nodePools$", "times": 2}
    )
    held = Held(fleet)
    fleet.up(settings, watch=held.let_go_when_both_are_there)

    assert held.at_once == 2


@dataclass
class Held:
    """Requests that the emulated Google APIs hold, until there are two."""

    fleet: RunningRehearsal
    at_once: int = 0
    looks: int = 0

    def let_go_when_both_are_there(self) -> str | None:
        """Look once; say what is wrong when they do not come together."""
        url = f"{self.fleet.base_url}/rehearsal/held"
        self.looks += 1
        self.at_once = max(self.at_once, len(httpx.get(url).json()))
        if self.at_once > 1:
            httpx.delete(url)
        return "one pool waits for the other" if self.looks > MANY_LOOKS else None


def surging(settings: Settings, *names: str) -> Settings:
    """The settings with these pools replaced by surge."""
    changed: Settings = {**settings}
    changed["daskfleet:scheduler_pool"] = {**settings["daskfleet:scheduler_pool"]}
    changed["daskfleet:worker_pools"] = [{**each} for each in settings["daskfleet:worker_pools"]]
    for name in names:
        pool(changed, name)["replacement"] = "surge"
    return changed


def pool(settings: Settings, name: str) -> dict[str, Any]:
    """A pool's part of the settings."""
    if name == SCHEDULERS:
        found: dict[str, Any] = settings["daskfleet:scheduler_pool"]
        return found
    (found,) = (each for each in settings["daskfleet:worker_pools"] if each["name"] == name)
    return found


def pools_in_gke(fleet: RunningRehearsal) -> list[str]:
    """The names of all pools."""
    path = f"container/v1beta1/projects/{fleet.base['daskfleet:project']}/locations/-/clusters"
    (cluster,) = httpx.get(f"{fleet.base_url}/{path}").raise_for_status().json()["clusters"]
    return [each["name"] for each in cluster["nodePools"]]


def generations(fleet: RunningRehearsal) -> dict[str, str]:
    """GKE's name of each pool that the stack file names, which is all that there is."""
    names = ("system", "a100-auto", POOL, SCHEDULERS)
    found = {
        name: [each for each in pools_in_gke(fleet) if each == name or is_generation(each, name)]
        for name in names
    }
    assert sorted(chain(*found.values())) == sorted(pools_in_gke(fleet))
    return {name: each for name, (each,) in found.items()}


def is_generation(name: str, pool_name: str) -> bool:
    """Whether a name is a pool's with a hash."""
    return name.startswith(f"{pool_name}-") and len(name) == len(pool_name) + len("-123456")


def assert_everybody_runs_on(fleet: RunningRehearsal, pools: dict[str, str]) -> None:
    """Every Dask pod is ready and on the generation that its team's settings mean."""
    seen = fleet.see()
    workers = {"climate": POOL, "genomics": "a100-auto"}
    for pod in seen.pods:
        if pod.team in workers:
            assert pod.is_ready
            role = SCHEDULERS if pod.role == "scheduler" else workers[pod.team]
            assert seen.nodes[pod.node].pool == pools[role]


def pool_writes(mark: Mark) -> list[tuple[str, str]]:
    """Creations and deletions of pools with the pool's name, in the order in which they ended."""
    writes = []
    for line in lines_since(mark):
        if google_writes([line]) and "/nodePools" in line["path"]:
            if line["method"] == "DELETE":
                writes.append(("DELETE", line["path"].rpartition("/")[2]))
            elif line["path"].endswith("/nodePools"):
                writes.append(("POST", line["body"]["nodePool"]["name"]))
    return writes


def assert_created_before_deleted(mark: Mark, *, new: str, old: str) -> None:
    """A new pool was there before the old one went."""
    writes = pool_writes(mark)
    assert writes.index(("POST", new)) < writes.index(("DELETE", old))


def assert_nobody_was_driven_off(mark: Mark, *, old: str) -> None:
    """No Dask pod was left on the old nodes when they went."""
    events = [event for event in lines_since(mark) if "objectRef" in event]
    assert any(is_deletion_of_node(event, old) for event in events)
    assert evicted(events, namespaces=TEAMS) == []


def is_deletion_of_node(event: Any, pool_name: str) -> bool:
    """Whether an audit event says that a node of a pool was deleted."""
    node = event["objectRef"].get("name", "")
    return (
        event["verb"] == "delete"
        and event["objectRef"]["resource"] == "nodes"
        and f"-{pool_name}-" in node
    )


def evicted(events: Iterable[Any], *, namespaces: Iterable[str]) -> list[str]:
    """Pods of these namespaces that were evicted."""
    return [
        event["objectRef"]["name"]
        for event in events
        if event["objectRef"].get("subresource") == "eviction"
        and event["objectRef"].get("namespace") in namespaces
    ]
