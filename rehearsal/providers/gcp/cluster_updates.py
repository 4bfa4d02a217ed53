"""Which request brings each changed input to a live cluster, in the order of Google's provider.

Rows: `resourceContainerClusterUpdate` of terraform-provider-google-beta at 93c65b2d60fe, with what
its `expand...` functions make of a block that was taken away.
"""

from typing import Final

from rehearsal.providers.gcp.field_updates import FieldUpdate, Gone

_DEFAULTS: Final = "nodePoolDefaults.nodeConfigDefaults"


def _row(name: str, request: str = "", *, rest: str = "", cleared: object = None) -> FieldUpdate:
    """Build the row of an input whose update is `desiredX`, unless `request` says another."""
    path = request or f"desired{name[0].upper()}{name[1:]}"
    return FieldUpdate(
        inputs=(name,),
        rest=rest or name,
        request=f"update.{path}",
        cleared={} if cleared is None else cleared,
    )


def _of_network(name: str, request: str = "", *, cleared: object = None) -> FieldUpdate:
    return _row(name, request, rest=f"networkConfig.{name}", cleared=cleared)


def _of_new_pools(name: str, request: str, *, rest: str = "") -> FieldUpdate:
    """Build the row of a default for new pools, which is named only where it has a value."""
    return _row(
        f"{_DEFAULTS}.{name}",
        request,
        rest=f"{_DEFAULTS}.{rest or name}",
        cleared=Gone.UNSENT,
    )


def _of_automatic_pools(name: str, request: str, *, cleared: object = None) -> FieldUpdate:
    return _row(f"nodePoolAutoConfig.{name}", request, cleared=cleared)


SERVICES: Final = FieldUpdate(
    inputs=("loggingService", "monitoringService"), rest="", request="update"
)
"""Both travel together in one request (see `services_body`)."""

MASTER_VERSION: Final = _row(
    "minMasterVersion",
    "desiredMasterVersion",
    rest="initialClusterVersion",
    cleared=Gone.UNSENT,
)
"""A `rollbackSafeUpgrade` goes with it."""

LINUX_OF_AUTOMATIC_POOLS: Final = _of_automatic_pools(
    "linuxNodeConfig", "desiredNodePoolAutoConfigLinuxNodeConfig", cleared=Gone.UNNAMED
)
"""An output of a new cluster (discovery document), so a creation is followed by this update."""

UPDATES: Final = (
    FieldUpdate(
        inputs=(
            "controlPlaneEndpointsConfig",
            "masterAuthorizedNetworksConfig",
            "privateClusterConfig.enablePrivateEndpoint",
            "privateClusterConfig.masterGlobalAccessConfig",
        ),
        rest="controlPlaneEndpointsConfig",
        request="update.desiredControlPlaneEndpointsConfig",
    ),
    _row(
        "privateClusterConfig.enablePrivateNodes",
        "desiredDefaultEnablePrivateNodes",
        rest="networkConfig.defaultEnablePrivateNodes",
        cleared=False,
    ),
    _row("ipAllocationPolicy.stackType", "desiredStackType", cleared=Gone.UNSENT),
    _row("addonsConfig"),
    _row("clusterAutoscaling", rest="autoscaling"),
    _of_network("dnsConfig", cleared=Gone.UNNAMED),
    _row("binaryAuthorization"),
    _row("enableShieldedNodes", "desiredShieldedNodes", rest="shieldedNodes"),
    _row("releaseChannel"),
    _row("gkeAutoUpgradeConfig", "gkeAutoUpgradeConfig"),
    _row(
        "enableIntranodeVisibility",
        "desiredIntraNodeVisibilityConfig.enabled",
        rest="networkConfig.enableIntraNodeVisibility",
    ),
    _of_network("privateIpv6GoogleAccess"),
    _row(
        "enableL4IlbSubsetting",
        "desiredL4ilbSubsettingConfig.enabled",
        rest="networkConfig.enableL4ilbSubsetting",
    ),
    _of_network("disableL4LbFirewallReconciliation"),
    _of_network("inTransitEncryptionConfig", cleared=""),
    _of_network("enableMultiNetworking"),
    _of_network("enableFqdnNetworkPolicy"),
    _of_network("enableCiliumClusterwideNetworkPolicy"),
    _row("costManagementConfig"),
    _row("authenticatorGroupsConfig"),
    _of_network("defaultSnatStatus"),
    _row("nodeLocations", "desiredLocations", rest="locations", cleared=[]),
    FieldUpdate(
        inputs=("enableLegacyAbac",),
        rest="legacyAbac.enabled",
        request="enabled",
        cleared=False,
        method="setLegacyAbac",
    ),
    SERVICES,
    FieldUpdate(
        inputs=("networkPolicy",),
        rest="networkPolicy",
        request="networkPolicy",
        method="setNetworkPolicy",
    ),
    _row("ipAllocationPolicy.autoIpamConfig", "desiredAutoIpamConfig"),
    _row("ipAllocationPolicy.networkTierConfig", "desiredNetworkTierConfig"),
    MASTER_VERSION,
    FieldUpdate(
        inputs=("maintenancePolicy",),
        rest="maintenancePolicy",
        request="maintenancePolicy",
        method="setMaintenancePolicy",
    ),
    _row("notificationConfig"),
    _row("verticalPodAutoscaling"),
    _of_network("serviceExternalIpsConfig"),
    _row("meshCertificates"),
    _row("databaseEncryption"),
    _row("podSecurityPolicyConfig", cleared=Gone.UNNAMED),
    _row("podAutoscaling"),
    _row("secretManagerConfig", cleared=Gone.UNNAMED),
    _row("secretSyncConfig"),
    _row("workloadIdentityConfig"),
    _row("identityServiceConfig"),
    _row("loggingConfig"),
    _row("monitoringConfig"),
    _row("managedMachineLearningDiagnosticsConfig"),
    _row("managedOpentelemetryConfig"),
    FieldUpdate(
        inputs=("resourceLabels",),
        rest="resourceLabels",
        request="resourceLabels",
        method="setResourceLabels",
    ),
    _row("resourceUsageExportConfig"),
    _of_network("networkPerformanceConfig", cleared=Gone.UNSENT),
    _of_network("gatewayApiConfig"),
    _row("fleet"),
    _of_new_pools(
        "insecureKubeletReadonlyPortEnabled",
        "desiredNodeKubeletConfig.insecureKubeletReadonlyPortEnabled",
        rest="nodeKubeletConfig.insecureKubeletReadonlyPortEnabled",
    ),
    _of_new_pools("loggingVariant", "desiredNodePoolLoggingConfig", rest="loggingConfig"),
    _of_new_pools("gcfsConfig", "desiredGcfsConfig"),
    _row("securityPostureConfig"),
    _of_new_pools("containerdConfig", "desiredContainerdConfig"),
    _of_automatic_pools("nodeKubeletConfig", "desiredNodePoolAutoConfigKubeletConfig"),
    _of_automatic_pools(
        "networkTags.tags", "desiredNodePoolAutoConfigNetworkTags.tags", cleared=[]
    ),
    _of_automatic_pools("resourceManagerTags", "desiredNodePoolAutoConfigResourceManagerTags"),
    LINUX_OF_AUTOMATIC_POOLS,
    _row("enterpriseConfig.desiredTier", "desiredEnterpriseConfig.desiredTier"),
    _row("anonymousAuthenticationConfig"),
    _row("nodeCreationConfig"),
    _row("rbacBindingConfig"),
    _row("clusterTelemetry"),
    _row("protectConfig"),
    _row("workloadAltsConfig"),
    _row("userManagedKeysConfig", cleared=Gone.UNNAMED),
)

_AUTOPILOT: Final = "the emulator has no Autopilot"
_MORE_RANGES: Final = "the emulator has no ranges beyond those of the cluster's creation"
_DEFAULT_POOL: Final = "it is about a default pool, which is a pool without a resource of its own"

NOT_SERVED: Final = {
    "allowNetAdmin": _AUTOPILOT,
    "autopilotClusterPolicyConfig": _AUTOPILOT,
    "autopilotPrivilegedAdmissions": _AUTOPILOT,
    "desiredEmulatedVersion": "the emulator has no control planes of several versions",
    # Google adds to those that there are, and the provider sends only what is new
    # (`desiredK8sBetaApis`, which the discovery document does not have).
    "enableK8sBetaApis": "the emulator replaces the list of beta APIs where Google adds to it",
    "ipAllocationPolicy.additionalIpRangesConfigs": _MORE_RANGES,
    "ipAllocationPolicy.additionalPodRangesConfig": _MORE_RANGES,
    "ipAllocationPolicy.podCidrOverprovisionConfig": (
        "Google's own provider accepts the change and sends nothing"
    ),
    "nodeConfig": _DEFAULT_POOL,
    "nodeVersion": _DEFAULT_POOL,
}
"""Inputs that can change, by Google's schema, and do not change here; with the reason."""
