"""What a program switches off in a cluster is off in Google Cloud. Tier: loopback."""

from typing import Any

import pytest

from tests.rehearsal.providers.gcp.conftest import PROJECT, StandIn
from tests.rehearsal.providers.gcp.fleet import CLUSTER, FLEET, create_fleet


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("costManagementConfig", "costManagementConfig.enabled"),
        ("workloadIdentityConfig", "workloadIdentityConfig.workloadPool"),
        ("masterAuthorizedNetworksConfig", "masterAuthorizedNetworksConfig.cidrBlocks"),
        ("releaseChannel", "releaseChannel.channel"),
    ],
)
def test_what_the_program_no_longer_has_is_off_in_the_cluster(
    stand_in: StandIn, name: str, path: str
) -> None:
    old = create_fleet(stand_in)[CLUSTER]
    project = stand_in.emulator.world.project(PROJECT)
    live = project.cluster("us-central1-c", "rapids-gpu")

    def shown() -> Any:
        value: Any = live.document
        for key in path.split("."):
            value = value.get(key, {})
        return value

    assert shown()
    stand_in.update(CLUSTER, old, {k: v for k, v in FLEET[CLUSTER].items() if k != name})
    assert not shown()
