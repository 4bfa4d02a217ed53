"""What is sent when a block that Google does not fill in is taken out of a program. Tier: loopback.

As the `expand...` functions of terraform-provider-google-beta at 93c65b2d60fe have it.
"""

from typing import Any

import pytest

from rehearsal.providers.protocol import Properties, ProviderError
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.gcp.conftest import StandIn
from tests.rehearsal.providers.gcp.fleet import CLUSTER, cluster, create_fleet


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        ({"networkPolicy": {"enabled": True, "provider": "CALICO"}}, [{"networkPolicy": {}}]),
        (
            {"resourceUsageExportConfig": {"bigqueryDestination": {"datasetId": "usage"}}},
            [{"update": {"desiredResourceUsageExportConfig": {}}}],
        ),
        (
            {"secretSyncConfig": {"enabled": True}},
            [{"update": {"desiredSecretSyncConfig": {}}}],
        ),
        ({"networkPerformanceConfig": {"totalEgressBandwidthTier": "TIER_1"}}, []),
        ({"minMasterVersion": "latest"}, []),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_block_that_is_taken_away_is_asked_for_as_the_real_provider_does(
    stand_in: StandIn, declared: Properties, sent: list[Any]
) -> None:
    create_fleet(stand_in, until=CLUSTER)
    old = stand_in.create(CLUSTER, cluster(**declared, name="other"))
    before = len(stand_in.bodies())
    new = stand_in.update(CLUSTER, old, cluster(name="other"))
    assert stand_in.bodies()[before:] == sent
    assert stand_in.type(CLUSTER).read(stored=new, call=engine_call()) == new


@pytest.mark.parametrize(
    "declared",
    [
        {"dnsConfig": {"clusterDns": "CLOUD_DNS"}},
        {"podSecurityPolicyConfig": {"enabled": True}},
        {"secretManagerConfig": {"enabled": True}},
        {"userManagedKeysConfig": {"serviceAccountSigningKeys": ["projects/p/a"]}},
    ],
    ids=lambda declared: next(iter(declared)),
)
def test_a_block_that_the_real_provider_cannot_take_away_is_refused_by_gke(
    stand_in: StandIn, declared: Properties
) -> None:
    """It sends an update that names nothing."""
    create_fleet(stand_in, until=CLUSTER)
    old = stand_in.create(CLUSTER, cluster(**declared, name="other"))
    with pytest.raises(ProviderError, match="Must specify a field to update"):
        stand_in.update(CLUSTER, old, cluster(name="other"))


def test_a_safe_upgrade_goes_with_the_version_and_is_nothing_without_one(
    stand_in: StandIn,
) -> None:
    old = create_fleet(stand_in, until=CLUSTER)[CLUSTER]
    safely = {"rollbackSafeUpgrade": {"controlPlaneSoakDuration": "3600s"}}
    before = len(stand_in.bodies())
    new = stand_in.update(CLUSTER, old, cluster(**safely))
    stand_in.update(CLUSTER, new, cluster(**safely, minMasterVersion="latest"))
    assert stand_in.bodies()[before:] == [
        {
            "update": {
                "desiredMasterVersion": "latest",
                "desiredRollbackSafeUpgrade": {"controlPlaneSoakDuration": "3600s"},
            }
        }
    ]
