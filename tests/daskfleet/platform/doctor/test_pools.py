"""A pool that came up without machines is named with Google's reason. On the emulator."""

import pytest

from daskfleet.platform.doctor.answers import NodePool
from daskfleet.platform.doctor.model import Area, Outcome
from daskfleet.platform.doctor.pools import MADE_ANEW, ONCE_MORE, WHAT_TO_DO, pool_findings
from daskfleet.settings.stack import Stack
from tests.daskfleet.platform.doctor.examined import PROJECT, Machine
from tests.setting_changes import BASE

CLUSTERS = f"projects/{PROJECT}/locations/us-central1-c/clusters"
OWN = f"{CLUSTERS}/rapids-gpu"
A100 = {
    "name": "a100",
    "initialNodeCount": 1,
    "config": {
        "machineType": "a2-highgpu-2g",
        "accelerators": [{"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "2"}],
    },
}


def test_a_pool_that_found_no_gpus_is_named_with_gpu_zone_reason_and_next_step(
    well: Machine,
) -> None:
    well.google(
        "POST",
        f"container/v1/{CLUSTERS}",
        {"cluster": {"name": "rapids-gpu", "initialNodeCount": 1}},
    )
    well.fail({"kind": "stockout", "pool": "a100", "times": 100})
    well.google("POST", f"container/v1/{OWN}/nodePools", {"nodePool": A100})
    well.says("stack export", {"deployment": {"resources": [{"id": OWN}]}})

    finding = well.only()

    assert (finding.area, finding.outcome) == (Area.ZONE, Outcome.WRONG)
    assert finding.subject == "node pool a100 in us-central1-c"
    assert finding.needed == "a2-highgpu-2g with 2 nvidia-tesla-a100"
    assert finding.there.startswith("RUNNING_WITH_ERROR: GCE_STOCKOUT: ")
    assert finding.fix == WHAT_TO_DO["GCE_STOCKOUT"]
    assert f"describe a100 --cluster=rapids-gpu --location=us-central1-c --project={PROJECT}" in (
        finding.command
    )


def test_pools_of_a_cluster_that_is_not_the_stacks_own_are_nobodys_business(well: Machine) -> None:
    well.google(
        "POST", f"container/v1/{CLUSTERS}", {"cluster": {"name": "other", "initialNodeCount": 1}}
    )
    well.fail({"kind": "stockout", "pool": "a100", "times": 100})
    well.google("POST", f"container/v1/{CLUSTERS}/other/nodePools", {"nodePool": A100})

    assert [finding for finding in well.found() if finding.area is Area.ZONE] == []


@pytest.mark.parametrize(
    ("answer", "there", "fix"),
    [
        ({"status": "RUNNING_WITH_ERROR"}, "Google gives no reason", ONCE_MORE),
        ({"status": "ERROR", "statusMessage": "no subnet"}, "no subnet", MADE_ANEW),
        (
            {
                "status": "RUNNING_WITH_ERROR",
                "conditions": [{"code": "GCE_QUOTA_EXCEEDED", "message": "CPUS"}],
            },
            "GCE_QUOTA_EXCEEDED: CPUS",
            WHAT_TO_DO["GCE_QUOTA_EXCEEDED"],
        ),
    ],
)
def test_what_google_does_not_say_is_said_to_be_unknown(
    answer: dict[str, object], there: str, fix: str
) -> None:
    config = {"machineType": "e2-standard-4", "diskSizeGb": 100}
    pool = NodePool.model_validate({"name": "system", "config": config, **answer})

    (finding,) = pool_findings([pool], Stack.model_validate(BASE))

    assert finding.there == f"{pool.status}: {there}"
    assert finding.fix == fix
