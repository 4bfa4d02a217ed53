"""What a program switches off in a cluster is off in Google Cloud. Tier: loopback."""

from typing import Any

import pytest

from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn
from tests.rehearsal.providers.gcp.fleet import CLUSTER, FLEET, create_fleet

IN_THE_CLUSTER = {
    "costManagementConfig": "costManagementConfig.enabled",
    "workloadIdentityConfig": "workloadIdentityConfig.workloadPool",
    "masterAuthorizedNetworksConfig": "masterAuthorizedNetworksConfig.cidrBlocks",
    "releaseChannel": "releaseChannel.channel",
}
OFF = {
    "costManagementConfig": {"enabled": False},
    "workloadIdentityConfig": {"workloadPool": ""},
    "masterAuthorizedNetworksConfig": {"cidrBlocks": []},
    "releaseChannel": {"channel": "UNSPECIFIED"},
}
"""How a program says so."""


def shown(stand_in: StandIn, path: str) -> Any:
    project = stand_in.emulator.world.project(PROJECT)
    value: Any = project.cluster("us-central1-c", "rapids-gpu").document
    for key in path.split("."):
        value = value.get(key, {})
    return value


@pytest.mark.parametrize("name", OFF)
def test_what_the_program_switches_off_is_off_in_the_cluster(stand_in: StandIn, name: str) -> None:
    old = create_fleet(stand_in)[CLUSTER]
    assert shown(stand_in, IN_THE_CLUSTER[name])

    stand_in.update(CLUSTER, old, {**FLEET[CLUSTER], name: OFF[name]})

    assert shown(stand_in, IN_THE_CLUSTER[name]) in (None, False, "", [], {}, "UNSPECIFIED")


@pytest.mark.parametrize("name", OFF)
def test_what_the_program_no_longer_mentions_stays_as_it_was(stand_in: StandIn, name: str) -> None:
    """These blocks are optional and computed: the real provider sees no change either."""
    old = create_fleet(stand_in)[CLUSTER]
    before = shown(stand_in, IN_THE_CLUSTER[name])
    silent = {key: value for key, value in FLEET[CLUSTER].items() if key != name}

    checked = stand_in.check(CLUSTER, silent)
    assert stand_in.type(CLUSTER).diff(old=old, inputs=checked).changes == {}
    stand_in.update(CLUSTER, old, silent)

    assert shown(stand_in, IN_THE_CLUSTER[name]) == before
