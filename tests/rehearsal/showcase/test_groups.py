"""End to end: a team with two groups of workers, each scaled for itself by the real operator."""

import json
import operator
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, Security, wait

from rehearsal.engine.engine import EngineFailedError
from rehearsal.process import ProcessRecord
from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, Settings, team, work
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "atmosphere"
GROUPS = {f"{TEAM}-default", f"{TEAM}-memory"}
BYTES = 10_000


@pytest.fixture
def client(showcase: RunningRehearsal, tmp_path: Path) -> Iterator[Client]:
    """A client on this machine with the team's certificate."""
    with connected(showcase, TEAM, tmp_path) as connection:
        files = json.loads(connection.file.read_text("utf-8"))["tls"]
        security = Security(**files, require_encryption=True)
        with Client(connection.address, security=security, timeout=60) as ours:
            yield ours


def test_tasks_that_ask_for_a_resource_run_on_the_group_that_has_it(client: Client) -> None:
    until(lambda: groups_connected(client) == dict.fromkeys(GROUPS, 1))
    asked: dict[str, Any] = {"resources": {"MEMORY": 60}, "pure": False}
    names = client.gather(client.map(os.getenv, ["DASK_WORKER_NAME"] * 6, **asked))

    assert {name.rpartition("-worker-")[0] for name in names} == {f"{TEAM}-memory"}
    assert client.submit(os.getenv, "CUDF_SPILL", **asked).result(timeout=60) == "on"


def test_a_group_that_shrinks_loses_its_own_worker_and_no_result(
    showcase: RunningRehearsal, client: Client
) -> None:
    assert set(groups_connected(client)) == GROUPS
    first = deployments(showcase)
    results = client.map(operator.add, range(40), range(40))
    wait(results, timeout=60)

    showcase.up(with_memory_workers(showcase, 2))

    until(lambda: groups_connected(client)[f"{TEAM}-memory"] == 2)
    grown = deployments(showcase)
    assert set(grown) > set(first)
    # The first group's worker is the last that the operator would have let go: it holds most.
    scattered = [
        client.scatter(bytes([place]) * BYTES, workers=[address], hash=False)
        for place, address in enumerate(sorted(client.scheduler_info(n_workers=-1)["workers"]))
    ]

    shrunk = showcase.up(with_memory_workers(showcase, 1))

    assert set(work(shrunk)) == {"update"}  # of the group, and of the alert that counts workers
    assert sorted(deployments(showcase).values()) == sorted(GROUPS)
    assert set(deployments(showcase)) < set(grown)
    assert client.gather(results) == [2 * number for number in range(40)]
    assert [len(each) for each in client.gather(scattered)] == [BYTES] * 3
    assert work(showcase.up(None, "--refresh")) == {}


def test_an_up_that_is_killed_while_a_group_shrinks_is_finished_by_the_next(
    showcase: RunningRehearsal, client: Client
) -> None:
    showcase.up(with_memory_workers(showcase, 2))
    until(lambda: groups_connected(client)[f"{TEAM}-memory"] == 2)
    grown = deployments(showcase)
    results = client.map(operator.add, range(40), range(40))
    wait(results, timeout=60)

    def kill_once_a_worker_goes() -> None:
        if going(showcase):
            engine = showcase.workspace.engine_file.read_bytes()
            os.kill(ProcessRecord.model_validate_json(engine).pid, signal.SIGKILL)

    # What goes stays until the engine is dead: on a busy machine `up` would end before it.
    hold(showcase, grown)
    with pytest.raises(EngineFailedError):
        showcase.up(with_memory_workers(showcase, 1), watch=kill_once_a_worker_goes)
    hold(showcase, deployments(showcase), by=None)
    showcase.set_stage()
    showcase.up()

    assert sorted(deployments(showcase).values()) == sorted(GROUPS)
    assert set(deployments(showcase)) < set(grown)
    assert client.gather(results) == [2 * number for number in range(40)]
    assert work(showcase.up(None, "--refresh")) == {}


def with_memory_workers(fleet: RunningRehearsal, workers: int) -> Settings:
    """The settings with so many workers in the further group."""
    settings = fleet.settings()
    (group,) = team(settings, TEAM)["groups"]
    group["workers"] = workers
    return settings


def deployments(fleet: RunningRehearsal) -> dict[str, str]:
    """The group of each worker's Deployment."""
    label = r"{.metadata.labels.dask\.org/workergroup-name}"
    listed = kubectl(
        fleet,
        *("--namespace", TEAM, "get", "deployments", "--selector", "dask.org/component=worker"),
        *("--output", f"jsonpath={{range .items[*]}}{{.metadata.name}} {label}{{'\\n'}}{{end}}"),
    )
    return dict(line.split() for line in listed.splitlines())


def hold(
    fleet: RunningRehearsal, names: Iterable[str], *, by: str | None = "example.com/hold"
) -> None:
    """Give Deployments a finalizer, or take it away."""
    patch = json.dumps({"metadata": {"finalizers": [by] if by else None}})
    here = ("--namespace", TEAM)
    kubectl(fleet, "patch", *here, "deployments", *names, "--type=merge", "--patch", patch)


def going(fleet: RunningRehearsal) -> bool:
    """Tell whether somebody has deleted a worker's Deployment that is still there."""
    of_workers = ("--selector", "dask.org/component=worker")
    deleted = "jsonpath={.items[*].metadata.deletionTimestamp}"
    here = ("--namespace", TEAM)
    return bool(kubectl(fleet, "get", "deployments", *here, *of_workers, "--output", deleted))


def groups_connected(client: Client) -> dict[str, int]:
    """How many workers of each group the scheduler knows."""
    names = [each["name"] for each in client.scheduler_info(n_workers=-1)["workers"].values()]
    groups = [name.rpartition("-worker-")[0] for name in names]
    return {group: groups.count(group) for group in groups}
