"""Where each field of a ClusterUpdate is kept in a Cluster, and which are not emulated. Facts only.

From the descriptions in Google's discovery document, container v1beta1.
"""

SAME_NAME = (
    "addonsConfig",
    "anonymousAuthenticationConfig",
    "authenticatorGroupsConfig",
    "binaryAuthorization",
    "clusterTelemetry",
    "compliancePostureConfig",
    "controlPlaneEgress",
    "costManagementConfig",
    "databaseEncryption",
    "enterpriseConfig",
    "fleet",
    "identityServiceConfig",
    "locations",
    "loggingConfig",
    "loggingService",
    "managedMachineLearningDiagnosticsConfig",
    "managedOpentelemetryConfig",
    "meshCertificates",
    "monitoringConfig",
    "monitoringService",
    "nodeCreationConfig",
    "nodePoolUpgradeConcurrencyConfig",
    "notificationConfig",
    "podAutoscaling",
    "podSecurityPolicyConfig",
    "protectConfig",
    "rbacBindingConfig",
    "releaseChannel",
    "resourceUsageExportConfig",
    "rollbackSafeUpgrade",
    "scheduleUpgradeConfig",
    "secretManagerConfig",
    "secretSyncConfig",
    "securityPostureConfig",
    "shieldedNodes",
    "userManagedKeysConfig",
    "verticalPodAutoscaling",
    "workloadAltsConfig",
    "workloadCertificates",
    "workloadIdentityConfig",
)
"""``desiredX`` of ClusterUpdate is the cluster's ``x``."""

_NODE_DEFAULTS = "nodePoolDefaults.nodeConfigDefaults"

OTHER_NAMES = {
    "desiredAutoIpamConfig": "ipAllocationPolicy.autoIpamConfig",
    "desiredClusterAutoscaling": "autoscaling",
    "desiredContainerdConfig": f"{_NODE_DEFAULTS}.containerdConfig",
    "desiredDatapathProvider": "networkConfig.datapathProvider",
    "desiredDefaultSnatStatus": "networkConfig.defaultSnatStatus",
    "desiredDisableL4LbFirewallReconciliation": "networkConfig.disableL4LbFirewallReconciliation",
    "desiredDnsConfig": "networkConfig.dnsConfig",
    "desiredEnableCiliumClusterwideNetworkPolicy": (
        "networkConfig.enableCiliumClusterwideNetworkPolicy"
    ),
    "desiredEnableFqdnNetworkPolicy": "networkConfig.enableFqdnNetworkPolicy",
    "desiredEnableMultiNetworking": "networkConfig.enableMultiNetworking",
    "desiredGatewayApiConfig": "networkConfig.gatewayApiConfig",
    "desiredGcfsConfig": f"{_NODE_DEFAULTS}.gcfsConfig",
    "desiredHostMaintenancePolicy": f"{_NODE_DEFAULTS}.hostMaintenancePolicy",
    "desiredInTransitEncryptionConfig": "networkConfig.inTransitEncryptionConfig",
    "desiredK8sBetaApis": "enableK8sBetaApis",
    "desiredNetworkPerformanceConfig": "networkConfig.networkPerformanceConfig",
    "desiredNetworkTierConfig": "ipAllocationPolicy.networkTierConfig",
    "desiredNodeKubeletConfig": f"{_NODE_DEFAULTS}.nodeKubeletConfig",
    "desiredNodePoolAutoConfigKubeletConfig": "nodePoolAutoConfig.nodeKubeletConfig",
    "desiredNodePoolAutoConfigLinuxNodeConfig": "nodePoolAutoConfig.linuxNodeConfig",
    "desiredNodePoolAutoConfigNetworkTags": "nodePoolAutoConfig.networkTags",
    "desiredNodePoolAutoConfigResourceManagerTags": "nodePoolAutoConfig.resourceManagerTags",
    "desiredNodePoolLoggingConfig": f"{_NODE_DEFAULTS}.loggingConfig",
    "desiredPrivateIpv6GoogleAccess": "networkConfig.privateIpv6GoogleAccess",
    "desiredServiceExternalIpsConfig": "networkConfig.serviceExternalIpsConfig",
    "desiredStackType": "ipAllocationPolicy.stackType",
    "enableK8sBetaApis": "enableK8sBetaApis",
    "gkeAutoUpgradeConfig": "gkeAutoUpgradeConfig",
    "userManagedKeysConfig": "userManagedKeysConfig",
}
"""Where fields of ClusterUpdate are kept in a cluster, unless ``desiredX`` is ``x``."""

NOT_EMULATED = {
    "additionalPodRangesConfig": "ranges of pods beyond those of the cluster's creation",
    "desiredAdditionalIpRangesConfig": "ranges of addresses beyond those of the cluster's creation",
    "desiredAmbientNetworkingConfig": "service meshes",
    "desiredAutopilotClusterPolicyConfig": "Autopilot",
    "desiredAutopilotWorkloadPolicyConfig": "Autopilot",
    "desiredEmulatedVersion": "control planes of several versions",
    "desiredImage": "images of a client's own for nodes",
    "desiredImageProject": "images of a client's own for nodes",
    "desiredMaster": "signals of the control plane",
    "desiredParentProductConfig": "products that own clusters",
    "desiredPrivateClusterConfig": "the older form of a private cluster's endpoints",
    "desiredPrivilegedAdmissionConfig": "Autopilot",
    "desiredTpuConfig": "TPUs",
    "privateClusterConfig": "the older form of a private cluster's endpoints",
    "removedAdditionalPodRangesConfig": "ranges of pods beyond those of the cluster's creation",
}
"""The other fields of ClusterUpdate, and what the emulator lacks for each."""
