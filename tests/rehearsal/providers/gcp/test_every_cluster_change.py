"""Each input of a cluster that changes in place: on, off and on again, and at once. Tier: loopback.

Each request is the real provider's, and a refresh and a second plan afterwards find nothing.
"""

import functools
from collections.abc import Iterator
from typing import Any

import pytest

from rehearsal.emulator.document import merged
from rehearsal.providers.gcp import cluster_updates, operations
from rehearsal.providers.gcp.cloud import Cloud
from rehearsal.providers.gcp.google_api import GoogleApi
from rehearsal.providers.protocol import Properties, State
from tests.rehearsal.emulator.running import emulated_in_thread
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.cluster_changes import CHANGES
from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn, endpoints
from tests.rehearsal.providers.gcp.fleet import CLUSTER, CLUSTER_ID, FLEET, cluster, create_fleet
from tests.rehearsal.providers.gcp.one_change import Change

ELSEWHERE = {
    "controlPlaneEndpointsConfig",
    "databaseEncryption",
    "maintenancePolicy",
    "masterAuthorizedNetworksConfig",
    "minMasterVersion",
    "nodeLocations",
    "privateClusterConfig.enablePrivateEndpoint",
    "privateClusterConfig.enablePrivateNodes",
    "privateClusterConfig.masterGlobalAccessConfig",
    "resourceLabels",
    "workloadIdentityConfig",
}
"""Rows whose changes have tests of their own, here or end to end."""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StandIn, State]]:
    """One cluster for all changes; what a test leaves behind, no other one declares."""
    with (
        emulated_in_thread(tmp_path_factory.mktemp("emulator")) as emulator,
        pytest.MonkeyPatch.context() as monkeypatch,
    ):
        monkeypatch.setattr(operations, "POLL_S", 0.01)
        for name, value in endpoints(emulator.base_url).items():
            monkeypatch.setenv(name, value)
        stand_in = StandIn(Cloud(api=GoogleApi.from_environment(), project=PROJECT), emulator)
        yield stand_in, create_fleet(stand_in, until=CLUSTER)[CLUSTER]


def sent_by_an_update(stand_in: StandIn, old: State, inputs: Properties) -> tuple[State, Any]:
    """Update, and return what was asked for in (method and path's end, body)."""
    before = len(stand_in.emulator.log.read())
    new = stand_in.update(CLUSTER, old, inputs)
    asked = [
        (f"{request.method} {request.path.partition(CLUSTER_ID)[2]}", request.body)
        for request in stand_in.emulator.log.read()[before:]
        if request.mutating
    ]
    return new, asked


def different(read: Properties, known: Properties) -> dict[str, tuple[Any, Any]]:
    """Return what a refresh changes, by its name: what it read and what was known."""
    names = read.keys() | known.keys()
    both = {name: (read.get(name), known.get(name)) for name in names}
    return {name: (one, other) for name, (one, other) in both.items() if one != other}


def assert_nothing_is_left_to_do(stand_in: StandIn, new: State, inputs: Properties) -> None:
    read = stand_in.type(CLUSTER).read(stored=new, call=engine_call())
    assert read is not None
    assert different(read.inputs, new.inputs) == {}
    assert different(read.outputs, new.outputs) == {}
    again = stand_in.check(CLUSTER, inputs)
    assert stand_in.type(CLUSTER).diff(old=read, inputs=again).changes == {}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)
def test_an_input_goes_on_off_and_on_again_by_the_requests_of_the_real_provider(
    shared: tuple[StandIn, State], change: Change
) -> None:
    stand_in, old = shared
    where = f"POST :{change.method}" if change.method else "PUT "
    on, off = (change.on, change.sent_on), (change.off, change.sent_off)
    # What the fleet declares is on already, and is so again at the end.
    turns = [off, on] if change.name in FLEET[CLUSTER] else [on, off, on]
    for value, body in turns if change.off is not None else [on]:
        inputs = cluster(**change.inputs(value))
        old, asked = sent_by_an_update(stand_in, old, inputs)
        assert asked == [(where, body if change.method else {"update": body})]
        assert_nothing_is_left_to_do(stand_in, old, inputs)


def test_no_row_is_left_out() -> None:
    tried = [change.name for change in CHANGES]
    left = {
        name
        for row in cluster_updates.UPDATES
        for name in row.inputs
        if not any(each == name or each.startswith(f"{name}.") for each in tried)
        and not any(name.startswith(f"{each}.") for each in tried)
    }
    assert left == ELSEWHERE


def test_a_cluster_that_is_made_with_all_of_them_shows_no_difference(stand_in: StandIn) -> None:
    create_fleet(stand_in, until=CLUSTER)
    wished = functools.reduce(merged, (change.inputs(change.on) for change in CHANGES))
    inputs = cluster(**wished, name="other")
    new = stand_in.create(CLUSTER, inputs)
    assert_nothing_is_left_to_do(stand_in, new, inputs)
