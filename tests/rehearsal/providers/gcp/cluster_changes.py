"""Every input of a cluster that changes in place: on, off, and what the real provider sends.

Requests: `resourceContainerClusterUpdate` and the `expand...` functions that it calls, in
terraform-provider-google-beta at 93c65b2d60fe.
"""

from typing import Final

from rehearsal.providers.protocol import Properties
from tests.rehearsal.providers.gcp.one_change import Change, block, enabled, message, switch


def _usage(on: bool) -> Properties:  # noqa: FBT001 - the value of two booleans
    """Build an export of what a cluster uses, as a program declares it."""
    return {
        "enableNetworkEgressMetering": on,
        "enableResourceConsumptionMetering": on,
        "bigqueryDestination": {"datasetId": "usage"},
    }


def _usage_sent(declared: Properties) -> Properties:
    metering = {"enabled": declared["enableResourceConsumptionMetering"]}
    kept = {key: value for key, value in declared.items() if "Consumption" not in key}
    return {**kept, "consumptionMeteringConfig": metering}


_NEW_POOLS: Final = "nodePoolDefaults.nodeConfigDefaults"
_KUBELET: Final = "insecureKubeletReadonlyPortEnabled"
_LOGS: Final = "logging.googleapis.com/kubernetes"
_METRICS: Final = "monitoring.googleapis.com/kubernetes"

CHANGES: Final = (
    block(
        "addonsConfig",
        {"gcsFuseCsiDriverConfig": {"enabled": True}},
        {"gcsFuseCsiDriverConfig": {"enabled": False}},
    ),
    block("anonymousAuthenticationConfig", {"mode": "ENABLED"}, {"mode": "LIMITED"}),
    block("authenticatorGroupsConfig", {"securityGroup": "a@b.c"}, {"securityGroup": ""}),
    block(
        "binaryAuthorization",
        {"evaluationMode": "PROJECT_SINGLETON_POLICY_ENFORCE"},
        {"evaluationMode": "DISABLED"},
    ),
    Change(
        name="clusterAutoscaling",
        on={
            "autoscalingProfile": "OPTIMIZE_UTILIZATION",
            "autoProvisioningLocations": ["us-central1-a"],
            "resourceLimits": [{"resourceType": "cpu", "maximum": 8}],
        },
        off={"autoscalingProfile": "BALANCED", "autoProvisioningLocations": ["us-central1-c"]},
        sent_on={
            "desiredClusterAutoscaling": {
                "autoscalingProfile": "OPTIMIZE_UTILIZATION",
                "autoprovisioningLocations": ["us-central1-a"],
                "resourceLimits": [{"resourceType": "cpu", "maximum": "8"}],
            }
        },
        sent_off={
            "desiredClusterAutoscaling": {
                "autoscalingProfile": "BALANCED",
                "autoprovisioningLocations": ["us-central1-c"],
            }
        },
    ),
    block("clusterTelemetry", {"type": "SYSTEM_ONLY"}, {"type": "DISABLED"}),
    enabled("costManagementConfig"),
    enabled("defaultSnatStatus", "disabled"),
    switch("disableL4LbFirewallReconciliation"),
    block("dnsConfig", {"clusterDns": "CLOUD_DNS"}, {"clusterDns": "KUBE_DNS"}),
    switch("enableCiliumClusterwideNetworkPolicy"),
    # Both replace the cluster when they are switched off.
    block("enableFqdnNetworkPolicy", on=True, off=None),
    message("enableL4IlbSubsetting", "desiredL4ilbSubsettingConfig", off=None),
    message("enableIntranodeVisibility", "desiredIntraNodeVisibilityConfig"),
    Change(
        name="enableLegacyAbac",
        on=True,
        off=False,
        sent_on={"enabled": True},
        sent_off={"enabled": False},
        method="setLegacyAbac",
    ),
    switch("enableMultiNetworking"),
    message("enableShieldedNodes", "desiredShieldedNodes"),
    block("enterpriseConfig", {"desiredTier": "ENTERPRISE"}, {"desiredTier": "STANDARD"}),
    block("fleet", {"project": "acme-fleet"}, {"project": ""}),
    block("gatewayApiConfig", {"channel": "CHANNEL_STANDARD"}, {"channel": "CHANNEL_DISABLED"}),
    block(
        "gkeAutoUpgradeConfig",
        {"patchMode": "ACCELERATED"},
        None,
        update="gkeAutoUpgradeConfig",
    ),
    enabled("identityServiceConfig"),
    block(
        "inTransitEncryptionConfig",
        "IN_TRANSIT_ENCRYPTION_INTER_NODE_TRANSPARENT",
        "IN_TRANSIT_ENCRYPTION_DISABLED",
    ),
    enabled("ipAllocationPolicy.autoIpamConfig", update="desiredAutoIpamConfig"),
    block(
        "ipAllocationPolicy.networkTierConfig",
        {"networkTier": "NETWORK_TIER_PREMIUM"},
        {"networkTier": "NETWORK_TIER_STANDARD"},
        update="desiredNetworkTierConfig",
    ),
    block("ipAllocationPolicy.stackType", "IPV4_IPV6", "IPV4", update="desiredStackType"),
    block(
        "loggingConfig",
        {"enableComponents": ["SYSTEM_COMPONENTS", "APISERVER"]},
        {"enableComponents": []},
        form=lambda declared: {"componentConfig": declared},
    ),
    Change(
        name="loggingService",
        on=_LOGS,
        off="none",
        sent_on={"desiredLoggingService": _LOGS, "desiredMonitoringService": _METRICS},
        sent_off={"desiredLoggingService": "none", "desiredMonitoringService": _METRICS},
    ),
    enabled("managedMachineLearningDiagnosticsConfig"),
    block(
        "managedOpentelemetryConfig",
        {"scope": "COLLECTION_AND_INSTRUMENTATION_COMPONENTS"},
        {"scope": "NONE"},
    ),
    enabled("meshCertificates", "enableCertificates"),
    block(
        "monitoringConfig",
        {"managedPrometheus": {"enabled": True}},
        {"managedPrometheus": {"enabled": False}},
        form=lambda declared: {"managedPrometheusConfig": declared["managedPrometheus"]},
    ),
    Change(
        name="monitoringService",
        on=_METRICS,
        off="none",
        sent_on={"desiredLoggingService": _LOGS, "desiredMonitoringService": _METRICS},
        sent_off={"desiredLoggingService": _LOGS, "desiredMonitoringService": "none"},
    ),
    block(
        "networkPerformanceConfig",
        {"totalEgressBandwidthTier": "TIER_1"},
        {"totalEgressBandwidthTier": "TIER_UNSPECIFIED"},
    ),
    Change(
        name="networkPolicy",
        on={"enabled": True, "provider": "CALICO"},
        off={"enabled": False},
        sent_on={"networkPolicy": {"enabled": True, "provider": "CALICO"}},
        sent_off={"networkPolicy": {}},
        method="setNetworkPolicy",
    ),
    block(
        "nodeCreationConfig",
        {"nodeCreationMode": "VIA_CONTROL_PLANE"},
        {"nodeCreationMode": "VIA_KUBELET"},
    ),
    block(
        "nodePoolAutoConfig.linuxNodeConfig",
        {"cgroupMode": "CGROUP_MODE_V2"},
        {"cgroupMode": "CGROUP_MODE_V1"},
        update="desiredNodePoolAutoConfigLinuxNodeConfig",
    ),
    block(
        "nodePoolAutoConfig.networkTags",
        {"tags": ["a"]},
        {"tags": []},
        update="desiredNodePoolAutoConfigNetworkTags",
    ),
    block(
        "nodePoolAutoConfig.nodeKubeletConfig",
        {_KUBELET: "TRUE"},
        {_KUBELET: "FALSE"},
        update="desiredNodePoolAutoConfigKubeletConfig",
        form=lambda declared: {_KUBELET: declared[_KUBELET] == "TRUE"},
    ),
    block(
        "nodePoolAutoConfig.resourceManagerTags",
        {"tagKeys/1": "tagValues/2"},
        {},
        update="desiredNodePoolAutoConfigResourceManagerTags",
        form=lambda declared: {"tags": declared},
    ),
    block(
        f"{_NEW_POOLS}.containerdConfig",
        {"privateRegistryAccessConfig": {"enabled": True}},
        {"privateRegistryAccessConfig": {"enabled": False}},
        update="desiredContainerdConfig",
    ),
    enabled(f"{_NEW_POOLS}.gcfsConfig", update="desiredGcfsConfig"),
    block(
        f"{_NEW_POOLS}.{_KUBELET}",
        "TRUE",
        "FALSE",
        update="desiredNodeKubeletConfig",
        form=lambda declared: {_KUBELET: declared == "TRUE"},
    ),
    block(
        f"{_NEW_POOLS}.loggingVariant",
        "MAX_THROUGHPUT",
        "DEFAULT",
        update="desiredNodePoolLoggingConfig",
        form=lambda declared: {"variantConfig": {"variant": declared}},
    ),
    block("notificationConfig", {"pubsub": {"enabled": True}}, {"pubsub": {"enabled": False}}),
    block("podAutoscaling", {"hpaProfile": "NONE"}, {"hpaProfile": "PERFORMANCE"}),
    enabled("podSecurityPolicyConfig"),
    block(
        "privateIpv6GoogleAccess",
        "PRIVATE_IPV6_GOOGLE_ACCESS_BIDIRECTIONAL",
        "PRIVATE_IPV6_GOOGLE_ACCESS_DISABLED",
    ),
    block(
        "protectConfig",
        {"workloadVulnerabilityMode": "BASIC"},
        {"workloadVulnerabilityMode": "DISABLED"},
    ),
    enabled("rbacBindingConfig", "enableInsecureBindingSystemAuthenticated"),
    block("releaseChannel", {"channel": "STABLE"}, {"channel": "RAPID"}),
    block("resourceUsageExportConfig", _usage(on=True), _usage(on=False), form=_usage_sent),
    block(
        "secretManagerConfig",
        {"enabled": True, "rotationConfig": {"enabled": True, "rotationInterval": "120s"}},
        {"enabled": False},
    ),
    block(
        "secretSyncConfig",
        {"enabled": True, "rotationConfig": {"enabled": True, "rotationInterval": "120s"}},
        {"enabled": False},
    ),
    block("securityPostureConfig", {"mode": "BASIC"}, {"mode": "DISABLED"}),
    enabled("serviceExternalIpsConfig"),
    block(
        "userManagedKeysConfig",
        {"serviceAccountSigningKeys": ["projects/p/a"]},
        {"serviceAccountSigningKeys": ["projects/p/b"]},
    ),
    enabled("verticalPodAutoscaling"),
    enabled("workloadAltsConfig", "enableAlts"),
)
