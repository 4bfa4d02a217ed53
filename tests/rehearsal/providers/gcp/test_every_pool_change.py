"""Inputs of a pool that few programs have: on, off and on again. Tier: loopback.

Each request is the real provider's, and a refresh and a second plan afterwards find nothing.
"""

from typing import Any

import pytest

from rehearsal.providers.protocol import Properties
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.conftest import StandIn
from tests.rehearsal.providers.gcp.fleet import POOL, create_fleet, pool, pool_config

MACHINE = {"diskSizeGb": "200", "diskType": "pd-balanced", "machineType": "a2-highgpu-2g"}
STORAGE = "projects/p/zones/us-central1-c/storagePools"
FAST = {"networkPerformanceConfig": {"totalEgressBandwidthTier": "TIER_1"}}


@pytest.mark.parametrize(
    ("on", "off", "sent_on", "sent_off"),
    [
        (
            pool_config(confidentialNodes={"enabled": True}),
            pool_config(confidentialNodes={"enabled": False}),
            {"confidentialNodes": {"enabled": True}},
            {"confidentialNodes": {"enabled": False}},
        ),
        (
            pool_config(resourceManagerTags={"tagKeys/1": "tagValues/2"}),
            pool_config(),
            {"resourceManagerTags": {"tags": {"tagKeys/1": "tagValues/2"}}},
            {"resourceManagerTags": {}},
        ),
        (
            pool_config(kubeletConfig={"insecureKubeletReadonlyPortEnabled": "TRUE"}),
            pool_config(kubeletConfig={"insecureKubeletReadonlyPortEnabled": "FALSE"}),
            {"kubeletConfig": {"insecureKubeletReadonlyPortEnabled": True}},
            {"kubeletConfig": {"insecureKubeletReadonlyPortEnabled": False}},
        ),
        (
            pool_config(storagePools=[f"{STORAGE}/a"]),
            pool_config(storagePools=[f"{STORAGE}/b"]),
            {**MACHINE, "storagePools": [f"{STORAGE}/a"]},
            {**MACHINE, "storagePools": [f"{STORAGE}/b"]},
        ),
        (
            pool(networkConfig=FAST),
            pool(networkConfig={"enablePrivateNodes": True}),
            {"nodeNetworkConfig": FAST},
            {"nodeNetworkConfig": {"enablePrivateNodes": True}},
        ),
    ],
    ids=["confidential nodes", "tags", "read-only port", "storage pools", "bandwidth"],
)
def test_a_pools_input_goes_on_off_and_on_again_by_the_requests_of_the_real_provider(
    stand_in: StandIn, on: Properties, off: Properties, sent_on: Any, sent_off: Any
) -> None:
    old = create_fleet(stand_in)[POOL]
    for inputs, body in ((on, sent_on), (off, sent_off), (on, sent_on)):
        before = len(stand_in.bodies())
        old = stand_in.update(POOL, old, inputs)
        assert stand_in.bodies()[before:] == [{"name": "a100", **body}]
        read = stand_in.type(POOL).read(stored=old, call=engine_call())
        assert read == old
        again = stand_in.check(POOL, inputs)
        assert stand_in.type(POOL).diff(old=read, inputs=again).changes == {}
