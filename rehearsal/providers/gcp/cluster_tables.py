"""Where the inputs and outputs of gcp:container/cluster:Cluster lie in REST.

REST names: discovery document of container.v1beta1.
"""

from typing import Final

from rehearsal.providers.gcp.node_config_tables import (
    containerd_config,
    kubelet_config,
    node_config,
)
from rehearsal.providers.gcp.resource import LOCAL, REFERENCE
from rehearsal.providers.gcp.rest_mapping import Form, Rule, Table

_ENDPOINTS: Final = "controlPlaneEndpointsConfig.ipEndpointsConfig"
_WINDOW: Final = "maintenancePolicy.window"
_DEFAULTS: Final = "nodePoolDefaults.nodeConfigDefaults"

_IN_THE_NETWORK: Final = (
    "datapathProvider",
    "defaultSnatStatus",
    "disableL4LbFirewallReconciliation",
    "dnsConfig",
    "enableCiliumClusterwideNetworkPolicy",
    "enableFqdnNetworkPolicy",
    "enableMultiNetworking",
    "gatewayApiConfig",
    "inTransitEncryptionConfig",
    "networkPerformanceConfig",
    "privateIpv6GoogleAccess",
    "serviceExternalIpsConfig",
)
"""Inputs that are fields of the cluster's `networkConfig`, by the same name."""

MAPPING: Final[Table] = {
    "location": LOCAL,
    "deletionProtection": LOCAL,
    "removeDefaultNodePool": LOCAL,
    "skipNodePoolRefresh": LOCAL,
    "ignoreNodeCountChanges": LOCAL,
    "networkingMode": LOCAL,
    # Both are of no new cluster: a `nodeVersion` is only compared with `minMasterVersion` then.
    "desiredEmulatedVersion": LOCAL,
    "nodeVersion": LOCAL,
    # Goes with the next version of the control plane, and is not read.
    "rollbackSafeUpgrade": LOCAL,
    "initialNodeCount": Rule(form=Form.WRITE_ONLY),
    "minMasterVersion": Rule("initialClusterVersion", Form.WRITE_ONLY),
    "network": REFERENCE,
    "subnetwork": REFERENCE,
    "nodeLocations": Rule("locations"),
    "resourceLabels": Rule(form=Form.DECLARED_ONLY),
    "enableShieldedNodes": Rule("shieldedNodes.enabled"),
    "enableAutopilot": Rule("autopilot.enabled"),
    "enableLegacyAbac": Rule("legacyAbac.enabled"),
    "allowNetAdmin": Rule("autopilot.workloadPolicyConfig.allowNetAdmin"),
    "autopilotClusterPolicyConfig": Rule("autopilot.clusterPolicyConfig"),
    "autopilotPrivilegedAdmissions": Rule("autopilot.privilegedAdmissionConfig.allowlistPaths"),
    **{name: Rule(f"networkConfig.{name}") for name in _IN_THE_NETWORK},
    "dataplaneOptimizationMode": Rule("networkConfig.dataplaneV2Config.scalabilityMode"),
    "enableIntranodeVisibility": Rule("networkConfig.enableIntraNodeVisibility"),
    "enableL4IlbSubsetting": Rule("networkConfig.enableL4ilbSubsetting"),
    "defaultMaxPodsPerNode": Rule("defaultMaxPodsConstraint.maxPodsPerNode", Form.INT64),
    "clusterIpv4Cidr": Rule("clusterIpv4Cidr"),
    "clusterAutoscaling": Rule("autoscaling"),
    "clusterAutoscaling.enabled": Rule("autoscaling.enableNodeAutoprovisioning"),
    "clusterAutoscaling.autoProvisioningLocations": Rule("autoscaling.autoprovisioningLocations"),
    "clusterAutoscaling.autoProvisioningDefaults": Rule(
        "autoscaling.autoprovisioningNodePoolDefaults"
    ),
    "clusterAutoscaling.autoProvisioningDefaults.diskSize": Rule(
        "autoscaling.autoprovisioningNodePoolDefaults.diskSizeGb"
    ),
    "clusterAutoscaling.resourceLimits.minimum": Rule(form=Form.INT64),
    "clusterAutoscaling.resourceLimits.maximum": Rule(form=Form.INT64),
    "clusterAutoscaling.defaultComputeClassEnabled": Rule(
        "autoscaling.defaultComputeClassConfig.enabled"
    ),
    "addonsConfig.cloudrunConfig": Rule("addonsConfig.cloudRunConfig"),
    "addonsConfig.rayOperatorConfigs": Rule("addonsConfig.rayOperatorConfig", Form.ONLY_ITEM),
    "ipAllocationPolicy.podCidrOverprovisionConfig.disabled": Rule(
        "ipAllocationPolicy.podCidrOverprovisionConfig.disable"
    ),
    "notificationConfig.pubsub.filter.eventTypes": Rule(
        "notificationConfig.pubsub.filter.eventType"
    ),
    "resourceUsageExportConfig.enableResourceConsumptionMetering": Rule(
        "resourceUsageExportConfig.consumptionMeteringConfig.enabled"
    ),
    **node_config("nodeConfig", "nodeConfig"),
    **containerd_config(f"{_DEFAULTS}.containerdConfig", f"{_DEFAULTS}.containerdConfig"),
    f"{_DEFAULTS}.loggingVariant": Rule(f"{_DEFAULTS}.loggingConfig.variantConfig.variant"),
    f"{_DEFAULTS}.insecureKubeletReadonlyPortEnabled": Rule(
        f"{_DEFAULTS}.nodeKubeletConfig.insecureKubeletReadonlyPortEnabled", Form.SPELLED
    ),
    **kubelet_config("nodePoolAutoConfig.nodeKubeletConfig"),
    "nodePoolAutoConfig.resourceManagerTags": Rule("nodePoolAutoConfig.resourceManagerTags.tags"),
    "loggingConfig.enableComponents": Rule("loggingConfig.componentConfig.enableComponents"),
    "monitoringConfig.enableComponents": Rule("monitoringConfig.componentConfig.enableComponents"),
    "monitoringConfig.managedPrometheus": Rule("monitoringConfig.managedPrometheusConfig"),
    "privateClusterConfig.enablePrivateNodes": Rule("networkConfig.defaultEnablePrivateNodes"),
    "privateClusterConfig.enablePrivateEndpoint": Rule(
        f"{_ENDPOINTS}.enablePublicEndpoint", Form.INVERTED
    ),
    "privateClusterConfig.masterGlobalAccessConfig.enabled": Rule(f"{_ENDPOINTS}.globalAccess"),
    "masterAuthorizedNetworksConfig": Rule(f"{_ENDPOINTS}.authorizedNetworksConfig"),
    "maintenancePolicy.dailyMaintenanceWindow": Rule(f"{_WINDOW}.dailyMaintenanceWindow"),
    "maintenancePolicy.recurringMaintenanceWindow": Rule(f"{_WINDOW}.recurringMaintenanceWindow"),
    "maintenancePolicy.recurringWindow": Rule(f"{_WINDOW}.recurringWindow"),
    "maintenancePolicy.recurringWindow.startTime": Rule(
        f"{_WINDOW}.recurringWindow.window.startTime"
    ),
    "maintenancePolicy.recurringWindow.endTime": Rule(f"{_WINDOW}.recurringWindow.window.endTime"),
    "maintenancePolicy.maintenanceExclusions": Rule(
        f"{_WINDOW}.maintenanceExclusions", Form.KEYED, "exclusionName"
    ),
    "maintenancePolicy.maintenanceExclusions.exclusionOptions": Rule("maintenanceExclusionOptions"),
}

COMPUTED: Final = {
    "selfLink": "selfLink",
    "endpoint": "endpoint",
    "masterVersion": "currentMasterVersion",
    "labelFingerprint": "labelFingerprint",
    "effectiveLabels": "resourceLabels",
    "servicesIpv4Cidr": "servicesIpv4Cidr",
    "clusterIpv4Cidr": "clusterIpv4Cidr",
    # Every pool that the cluster has, also those of nobody's program. Of the real provider's
    # many fields the names of the API serve: name, version, status of each.
    "nodePools": "nodePools",
    "masterAuth.clusterCaCertificate": "masterAuth.clusterCaCertificate",
    "controlPlaneEndpointsConfig.dnsEndpointConfig.endpoint": (
        "controlPlaneEndpointsConfig.dnsEndpointConfig.endpoint"
    ),
}

IMPORTED: Final = frozenset(
    {
        "name",
        "network",
        "subnetwork",
        "resourceLabels",
        "releaseChannel",
        "workloadIdentityConfig",
        "datapathProvider",
        "maintenancePolicy",
        "costManagementConfig",
        "enableShieldedNodes",
        "ipAllocationPolicy.clusterSecondaryRangeName",
        "ipAllocationPolicy.servicesSecondaryRangeName",
        "privateClusterConfig.enablePrivateNodes",
        "controlPlaneEndpointsConfig.dnsEndpointConfig.allowExternalTraffic",
        "controlPlaneEndpointsConfig.ipEndpointsConfig.enabled",
        "masterAuthorizedNetworksConfig.cidrBlocks",
    }
)
