"""Pure: what Google fixes when it makes a cluster or a pool, where it is not as a fleet needs it.

Each is force-new in the schema of Google's provider; a test holds the list to it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from daskfleet.planning.node_account import account_id
from daskfleet.planning.node_pool_spec import NodePoolSpec
from daskfleet.platform.drafting.google_answers import Cluster, NodePool

DATAPATH = "ADVANCED_DATAPATH"
"""Dataplane V2, which enforces network policies: without it teams are not apart."""

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
NOT_SET = "not set"


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """A field of Google's that cannot change, and has another value than a fleet's."""

    field: str
    there: str
    fleets: str


def differences_of_cluster(cluster: Cluster, *, max_pods_per_node: int) -> tuple[Fixed, ...]:
    """What a cluster has that a fleet's has not."""
    policy = cluster.ip_allocation_policy
    of_cluster = (
        ("datapathProvider", cluster.network_config.datapath_provider, DATAPATH),
        (
            "defaultMaxPodsPerNode",
            _number(cluster.default_max_pods_constraint.max_pods_per_node),
            str(max_pods_per_node),
        ),
    )
    named = (
        ("ipAllocationPolicy.clusterSecondaryRangeName", policy.cluster_secondary_range_name),
        ("ipAllocationPolicy.servicesSecondaryRangeName", policy.services_secondary_range_name),
    )
    return (
        *_differing(of_cluster),
        *(
            Fixed(field=field, there=NOT_SET, fleets="the name of a secondary range")
            for field, name in named
            if not name
        ),
    )


def differences_of_pool(
    pool: NodePool, spec: NodePoolSpec, *, project: str, cluster: str, max_pods_per_node: int
) -> tuple[Fixed, ...]:
    """What a pool has that the one which ``spec`` asks for has not."""
    account = f"{account_id(cluster)}@{project}.iam.gserviceaccount.com"
    config, gpus = pool.config, pool.gpus
    shared = gpus.gpu_sharing_config.max_shared_clients_per_gpu if gpus else 0
    fields = [
        ("nodeConfig.serviceAccount", config.service_account, account),
        ("nodeConfig.oauthScopes", ", ".join(config.oauth_scopes), SCOPE),
        (
            "nodeConfig.shieldedInstanceConfig",
            "secure boot" if config.shielded_instance_config.enable_secure_boot else "",
            "secure boot",
        ),
        (
            "maxPodsPerNode",
            _number(pool.max_pods_constraint.max_pods_per_node),
            str(max_pods_per_node),
        ),
    ]
    if gpus and spec.gpus:
        version = gpus.gpu_driver_installation_config.gpu_driver_version
        fields += [
            (
                "nodeConfig.guestAccelerators.gpuDriverInstallationConfig",
                version,
                spec.gpus.driver_version,
            ),
            (
                "nodeConfig.guestAccelerators.gpuSharingConfig",
                _number(shared),
                _number(spec.gpus.clients_per_gpu if spec.gpus.clients_per_gpu > 1 else 0),
            ),
        ]
    return tuple(_differing(fields))


def _differing(fields: Iterable[tuple[str, str, str]]) -> Iterator[Fixed]:
    for field, there, fleets in fields:
        if there != fleets:
            yield Fixed(field=field, there=there or NOT_SET, fleets=fleets or NOT_SET)


def _number(value: int) -> str:
    return str(value) if value else ""
