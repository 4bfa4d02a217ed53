"""End to end: an adaptive team's workers come with its work and go with it, and nobody minds."""

from collections.abc import Iterator

import pytest
from distributed import Client, Event, wait

from tests.rehearsal.end_to_end.drift_command import looked_at
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal, team, work
from tests.rehearsal.end_to_end.waiting import until
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "biology"
TASKS = 40
GROUP = f"daskworkergroup/{TEAM}-default"
CALM_S = 60
"""Up to 15 seconds of cooldown, 5 until the operator looks, and a process that starts."""


@pytest.fixture
def client(showcase: RunningRehearsal) -> Iterator[Client]:
    with (
        forwarded(showcase, "service/dask", 8786, namespace=TEAM) as address,
        Client(f"tcp://{address}", timeout=30) as connected,
    ):
        yield connected


def declared_workers(fleet: RunningRehearsal) -> int:
    path = "jsonpath={.spec.worker.replicas}"
    return int(kubectl(fleet, "--namespace", TEAM, "get", GROUP, "--output", path))


def differences(fleet: RunningRehearsal) -> list[tuple[str, str]]:
    """What drift says of the team: resource and field."""
    _, rows = looked_at(fleet)
    return [row for row in rows if TEAM in row[0]]


def test_workers_come_with_work_and_go_after_it_and_no_result_is_lost(
    showcase: RunningRehearsal, client: Client
) -> None:
    def slowly(number: int) -> int:
        Event("enough").wait()
        return number

    def connected() -> int:
        return len(client.scheduler_info()["workers"])

    until(lambda: connected() == 1, patience_s=CALM_S)
    slow = client.map(slowly, range(TASKS))
    until(lambda: connected() == 2, patience_s=CALM_S)

    # Now the group is not of the size that Pulumi's DaskCluster says.
    assert declared_workers(showcase) == 2
    assert work(showcase.run("up", "--yes", "--skip-preview", "--refresh")) == {}
    assert differences(showcase) == []
    assert connected() == 2

    Event("enough", client=client).set()
    wait(slow, timeout=CALM_S)
    until(lambda: connected() == 1, patience_s=CALM_S)
    assert client.gather(slow) == list(range(TASKS))


def test_bounds_move_while_it_runs_and_a_fixed_number_is_kept(showcase: RunningRehearsal) -> None:
    settings = showcase.settings()
    team(settings, TEAM)["adaptive"] = {"minimum": 2, "maximum": 3}
    assert work(showcase.up(settings)).keys() == {"update"}
    assert declared_workers(showcase) == 2

    settings = showcase.settings()
    del team(settings, TEAM)["adaptive"]
    team(settings, TEAM)["workers"] = 1
    outcome = showcase.up(settings)
    assert work(outcome)["delete"] == 2
    assert declared_workers(showcase) == 1

    showcase.up()
    assert differences(showcase) == []
