"""Tables of gcp:container/nodePool:NodePool.

REST names: discovery document of container.v1beta1 and recorded requests of Google's provider.
"""

from typing import Final

from rehearsal.providers.gcp.field_updates import FieldUpdate
from rehearsal.providers.gcp.resource import LOCAL
from rehearsal.providers.gcp.rest_mapping import Form, Rule, Table

_GPUS: Final = "nodeConfig.guestAccelerators"

MAPPING: Final[Table] = {
    "cluster": LOCAL,
    "location": LOCAL,
    "ignoreNodeCountChanges": LOCAL,
    "initialNodeCount": Rule(form=Form.WRITE_ONLY),
    "nodeLocations": Rule("locations"),
    "maxPodsPerNode": Rule("maxPodsConstraint.maxPodsPerNode", Form.INT64),
    "nodeDrainConfigs": Rule("nodeDrainConfig", Form.ONLY_ITEM),
    "maintenancePolicies": Rule("maintenancePolicy", Form.ONLY_ITEM),
    "nodeConfig": Rule("config"),
    "nodeConfig.effectiveTaints": LOCAL,
    "nodeConfig.guestAccelerators": Rule("config.accelerators"),
    f"{_GPUS}.type": Rule("acceleratorType"),
    f"{_GPUS}.count": Rule("acceleratorCount", Form.INT64),
    f"{_GPUS}.gpuSharingConfig.maxSharedClientsPerGpu": Rule(form=Form.INT64),
    "nodeConfig.bootDisk.sizeGb": Rule(form=Form.INT64),
    "nodeConfig.taints": Rule(form=Form.DECLARED_ONLY, key_field="key"),
    "nodeConfig.resourceLabels": Rule(form=Form.DECLARED_ONLY),
    "nodeConfig.loggingVariant": Rule("config.loggingConfig.variantConfig.variant"),
}

COMPUTED: Final = {
    "instanceGroupUrls": "instanceGroupUrls",
    "managedInstanceGroupUrls": "managedInstanceGroupUrls",
    "version": "version",
    "nodeConfig.effectiveTaints": "config.taints",
}

IMPORTED: Final = frozenset(
    {
        "name",
        "nodeCount",
        "nodeLocations",
        *(
            f"autoscaling.{name}"
            for name in (
                "minNodeCount",
                "maxNodeCount",
                "totalMinNodeCount",
                "totalMaxNodeCount",
                "locationPolicy",
            )
        ),
        "upgradeSettings",
        *(
            f"nodeConfig.{name}"
            for name in (
                "machineType",
                "diskSizeGb",
                "diskType",
                "imageType",
                "labels",
                "taints",
                "guestAccelerators",
                "oauthScopes",
                "serviceAccount",
                "spot",
                "reservationAffinity",
                "gcfsConfig",
                "linuxNodeConfig",
                "workloadMetadataConfig",
                "shieldedInstanceConfig.enableSecureBoot",
            )
        ),
    }
)


def _config(name: str) -> FieldUpdate:
    """Build the row of a node configuration that is one UpdateNodePool of its own."""
    return FieldUpdate(inputs=(f"nodeConfig.{name}",), rest=f"config.{name}", request=name)


MACHINE: Final = FieldUpdate(
    inputs=(
        "nodeConfig.machineType",
        "nodeConfig.diskSizeGb",
        "nodeConfig.diskType",
        "nodeConfig.bootDisk",
    ),
    rest="config",
    request="",
)
"""Machine and disk travel together in one request (see `machine_body`)."""

UPDATES: Final = (
    _config("workloadMetadataConfig"),
    _config("gcfsConfig"),
    _config("gvnic"),
    _config("fastSocket"),
    _config("kubeletConfig"),
    _config("linuxNodeConfig"),
    _config("containerdConfig"),
    *(
        # So the last label cannot be taken away: GKE refuses an update that names nothing
        # (terraform-provider-google issue 15848).
        FieldUpdate(
            inputs=(f"nodeConfig.{name}",),
            rest=f"config.{name}",
            request=f"{name}.labels",
            only_with_a_value=True,
        )
        for name in ("labels", "resourceLabels")
    ),
    FieldUpdate(
        inputs=("nodeConfig.taints",), rest="config.taints", request="taints.taints", cleared=[]
    ),
    FieldUpdate(inputs=("nodeConfig.tags",), rest="config.tags", request="tags.tags", cleared=[]),
    FieldUpdate(
        inputs=("nodeConfig.loggingVariant",), rest="config.loggingConfig", request="loggingConfig"
    ),
    FieldUpdate(inputs=("version",), rest="version", request="nodeVersion", cleared="-"),
    FieldUpdate(inputs=("nodeLocations",), rest="locations", request="locations", cleared=[]),
    FieldUpdate(inputs=("upgradeSettings",), rest="upgradeSettings", request="upgradeSettings"),
    FieldUpdate(
        inputs=("networkConfig.enablePrivateNodes",),
        rest="networkConfig",
        request="nodeNetworkConfig",
    ),
    FieldUpdate(inputs=("nodeDrainConfigs",), rest="nodeDrainConfig", request="nodeDrainConfig"),
    FieldUpdate(
        inputs=("maintenancePolicies",), rest="maintenancePolicy", request="maintenancePolicy"
    ),
)
"""Changes that are one `nodePools.update` each: several at once roll the nodes several times."""

OWN_CALLS: Final = (
    FieldUpdate(
        inputs=("autoscaling",),
        rest="autoscaling",
        request="update.desiredNodePoolAutoscaling",
        cleared={"enabled": False},
    ),
    FieldUpdate(
        inputs=("nodeConfig.imageType",),
        rest="config.imageType",
        request="update.desiredImageType",
    ),
    MACHINE,
    FieldUpdate(inputs=("nodeCount",), rest="nodeCount", request="nodeCount"),
    FieldUpdate(inputs=("management",), rest="management", request="management"),
)
"""Changes that go elsewhere: the cluster's update, `:setSize`, `:setManagement`."""
