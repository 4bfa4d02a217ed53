"""A control plane loses its public address, and gets it again. Tier: loopback."""

from tests.rehearsal.providers.gcp.conftest import StandIn
from tests.rehearsal.providers.gcp.fleet import CLUSTER, FLEET, create_fleet
from tests.rehearsal.providers.gcp.test_switched_off import shown

PUBLIC = "controlPlaneEndpointsConfig.ipEndpointsConfig.enablePublicEndpoint"


def test_a_private_endpoint_is_an_update_there_and_back(stand_in: StandIn) -> None:
    old = create_fleet(stand_in)[CLUSTER]
    assert shown(stand_in, PUBLIC) is True
    before = FLEET[CLUSTER]
    private = {**before, "privateClusterConfig": {"enablePrivateNodes": True}}
    private["privateClusterConfig"]["enablePrivateEndpoint"] = True

    diff = stand_in.type(CLUSTER).diff(old=old, inputs=stand_in.check(CLUSTER, private))
    assert not diff.replaces
    now = stand_in.update(CLUSTER, old, private)
    assert shown(stand_in, PUBLIC) is False

    stand_in.update(CLUSTER, now, before)
    assert shown(stand_in, PUBLIC) is True
