"""What Google fixes, held to the provider's schema and to what the program asks for."""

from dataclasses import replace
from typing import Any

import pytest

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.node_pool_spec import NodePoolSpec, pool_specs
from daskfleet.platform.drafting.draft import draft_stack
from daskfleet.platform.drafting.fixed import (
    DATAPATH,
    SCOPE,
    differences_of_cluster,
    differences_of_pool,
)
from daskfleet.platform.drafting.google_answers import Cluster, NodePool
from daskfleet.settings.loading import parse
from rehearsal.providers.gcp.provider_fields import provider_fields
from tests.daskfleet.platform.drafting.found_clusters import (
    A100S,
    FITTING,
    PROJECT,
    dask,
    dask_cluster,
    found,
)
from tests.policies.fleets import CLUSTER, WORKER_POOL, recorded

GKE_CLUSTER = "gcp:container/cluster:Cluster"
GKE_POOL = "gcp:container/nodePool:NodePool"


def of_cluster(**changed: Any) -> list[str]:
    cluster = Cluster.model_validate({**FITTING, **changed})
    return [each.field for each in differences_of_cluster(cluster, max_pods_per_node=32)]


UNFIT_CLUSTERS: dict[str, dict[str, Any]] = {
    "datapathProvider": {"networkConfig": {}},
    "defaultMaxPodsPerNode": {"defaultMaxPodsConstraint": {"maxPodsPerNode": "110"}},
    "ipAllocationPolicy.clusterSecondaryRangeName": {
        "ipAllocationPolicy": {"servicesSecondaryRangeName": "services"}
    },
    "ipAllocationPolicy.servicesSecondaryRangeName": {
        "ipAllocationPolicy": {"clusterSecondaryRangeName": "pods"}
    },
}


@pytest.mark.parametrize(("field", "changed"), UNFIT_CLUSTERS.items())
def test_each_field_of_a_cluster_alone_is_a_difference_that_stays(
    field: str, changed: dict[str, Any]
) -> None:
    assert of_cluster() == []
    assert of_cluster(**changed) == [field]
    assert provider_fields(GKE_CLUSTER)[field].force_new


def worker_spec() -> NodePoolSpec:
    draft = draft_stack(found(of_dask=dask(dask_cluster())))
    stack = plan_draft(parse(draft.settings, file="draft")).stack
    (spec,) = (each for each in pool_specs(stack) if each.role == "worker")
    return spec


FITTING_POOL = {
    **A100S,
    "maxPodsConstraint": {"maxPodsPerNode": "32"},
    "config": {
        "machineType": "a2-highgpu-2g",
        "diskSizeGb": 200,
        "serviceAccount": f"rapids-nodes@{PROJECT}.iam.gserviceaccount.com",
        "oauthScopes": [SCOPE],
        "shieldedInstanceConfig": {"enableSecureBoot": True},
        "accelerators": [
            {
                "acceleratorType": "nvidia-tesla-a100",
                "acceleratorCount": "2",
                "gpuDriverInstallationConfig": {"gpuDriverVersion": "INSTALLATION_DISABLED"},
            }
        ],
    },
}
DEFAULT_ACCOUNT = "1-compute@developer.gserviceaccount.com"
UNFIT_POOLS: dict[str, dict[str, Any]] = {
    "nodeConfig.serviceAccount": {"serviceAccount": DEFAULT_ACCOUNT},
    "nodeConfig.oauthScopes": {"oauthScopes": ["https://www.googleapis.com/auth/devstorage"]},
    "nodeConfig.shieldedInstanceConfig": {"shieldedInstanceConfig": {}},
    "nodeConfig.guestAccelerators.gpuDriverInstallationConfig": {
        "accelerators": [{"acceleratorType": "nvidia-tesla-a100", "acceleratorCount": "2"}]
    },
}


def of_pool(answer: dict[str, Any], spec: NodePoolSpec | None = None) -> list[str]:
    differing = differences_of_pool(
        NodePool.model_validate(answer),
        spec or worker_spec(),
        project=PROJECT,
        cluster="rapids",
        max_pods_per_node=32,
    )
    return [each.field for each in differing]


def test_a_pool_that_is_as_the_program_would_make_it_differs_in_nothing() -> None:
    assert of_pool(FITTING_POOL) == []


@pytest.mark.parametrize(("field", "changed"), UNFIT_POOLS.items())
def test_each_field_of_a_pool_alone_is_a_difference_that_stays(
    field: str, changed: dict[str, Any]
) -> None:
    config: dict[str, Any] = FITTING_POOL["config"]

    assert of_pool({**FITTING_POOL, "config": {**config, **changed}}) == [field]
    assert provider_fields(GKE_POOL)[field].force_new


def test_so_do_the_number_of_pods_and_how_gpus_are_shared() -> None:
    spec = worker_spec()
    assert spec.gpus
    shared = replace(spec, gpus=replace(spec.gpus, clients_per_gpu=4))

    assert of_pool({**FITTING_POOL, "maxPodsConstraint": {}}) == ["maxPodsPerNode"]
    assert of_pool(FITTING_POOL, shared) == ["nodeConfig.guestAccelerators.gpuSharingConfig"]
    assert provider_fields(GKE_POOL)["maxPodsPerNode"].force_new
    assert provider_fields(GKE_POOL)["nodeConfig.guestAccelerators.gpuSharingConfig"].force_new


def test_what_a_fleet_needs_is_what_the_program_asks_for() -> None:
    declared = {each.name: each.properties for each in recorded().resources}
    cluster, pool = declared[CLUSTER], declared[WORKER_POOL]["nodeConfig"]

    assert cluster["datapathProvider"] == DATAPATH
    assert cluster["ipAllocationPolicy"].keys() == {
        "clusterSecondaryRangeName",
        "servicesSecondaryRangeName",
    }
    assert pool["oauthScopes"] == [SCOPE]
    assert pool["shieldedInstanceConfig"]["enableSecureBoot"]
