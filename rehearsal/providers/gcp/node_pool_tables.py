"""Tables of gcp:container/nodePool:NodePool.

REST names: discovery document of container.v1beta1 and recorded requests of Google's provider.
"""

from typing import Final

from rehearsal.providers.gcp.field_updates import FieldUpdate, Gone
from rehearsal.providers.gcp.node_config_tables import node_config
from rehearsal.providers.gcp.resource import LOCAL
from rehearsal.providers.gcp.rest_mapping import Form, Rule, Table

MAPPING: Final[Table] = {
    "cluster": LOCAL,
    "location": LOCAL,
    "ignoreNodeCountChanges": LOCAL,
    "initialNodeCount": Rule(form=Form.WRITE_ONLY),
    "nodeLocations": Rule("locations"),
    "maxPodsPerNode": Rule("maxPodsConstraint.maxPodsPerNode", Form.INT64),
    "nodeDrainConfigs": Rule("nodeDrainConfig", Form.ONLY_ITEM),
    "maintenancePolicies": Rule("maintenancePolicy", Form.ONLY_ITEM),
    "maintenancePolicies.exclusionUntilEndOfSupports": Rule(
        "maintenancePolicy.exclusionUntilEndOfSupport", Form.ONLY_ITEM
    ),
    "networkConfig.podCidrOverprovisionConfig.disabled": Rule(
        "networkConfig.podCidrOverprovisionConfig.disable"
    ),
    "networkConfig.additionalPodNetworkConfigs.maxPodsPerNode": Rule(
        "maxPodsPerNode.maxPodsPerNode", Form.INT64
    ),
    **node_config("nodeConfig", "config"),
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
        "nodeConfig.storagePools",
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
    _config("confidentialNodes"),
    _config("resourceManagerTags"),
    *(
        # So the last label cannot be taken away: GKE refuses an update that names nothing
        # (terraform-provider-google issue 15848).
        FieldUpdate(
            inputs=(f"nodeConfig.{name}",),
            rest=f"config.{name}",
            request=f"{name}.labels",
            cleared=Gone.UNNAMED,
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
        inputs=("networkConfig.enablePrivateNodes", "networkConfig.networkPerformanceConfig"),
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

_NOTHING_SENT: Final = "Google's own provider accepts the change and sends nothing"
NOT_SERVED: Final = {
    "networkConfig.podCidrOverprovisionConfig": _NOTHING_SENT,
    "nodeConfig.advancedMachineFeatures": _NOTHING_SENT,
    "nodeConfig.gpudirectStrategy": _NOTHING_SENT,
    "nodeConfig.nodeImageConfigs": "the emulator has no images of a client's own for nodes",
    "nodeConfig.sandboxConfig": _NOTHING_SENT,
    "nodeConfig.soleTenantConfig": _NOTHING_SENT,
    "nodeConfig.taintConfig": "the emulator has no taints for machines with Arm",
    "nodeConfig.windowsNodeConfig": "the emulator has no Windows",
    "placementPolicy": _NOTHING_SENT,
}
"""Inputs that can change, by Google's schema, and do not change here; with the reason."""
