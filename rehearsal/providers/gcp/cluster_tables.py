"""Tables of gcp:container/cluster:Cluster.

REST names: discovery document of container.v1beta1.
"""

from typing import Final

from rehearsal.providers.gcp.field_updates import FieldUpdate
from rehearsal.providers.gcp.resource import LOCAL, REFERENCE
from rehearsal.providers.gcp.rest_mapping import Form, Rule, Table

_ENDPOINTS: Final = "controlPlaneEndpointsConfig.ipEndpointsConfig"
_WINDOW: Final = "maintenancePolicy.window"

MAPPING: Final[Table] = {
    "location": LOCAL,
    "deletionProtection": LOCAL,
    "removeDefaultNodePool": LOCAL,
    "skipNodePoolRefresh": LOCAL,
    "ignoreNodeCountChanges": LOCAL,
    "networkingMode": LOCAL,
    "initialNodeCount": Rule(form=Form.WRITE_ONLY),
    "minMasterVersion": Rule("initialClusterVersion", Form.WRITE_ONLY),
    "network": REFERENCE,
    "subnetwork": REFERENCE,
    "nodeLocations": Rule("locations"),
    "resourceLabels": Rule(form=Form.DECLARED_ONLY),
    "enableShieldedNodes": Rule("shieldedNodes.enabled"),
    "enableAutopilot": Rule("autopilot.enabled"),
    "enableLegacyAbac": Rule("legacyAbac.enabled"),
    "datapathProvider": Rule("networkConfig.datapathProvider"),
    "enableIntranodeVisibility": Rule("networkConfig.enableIntraNodeVisibility"),
    "enableL4IlbSubsetting": Rule("networkConfig.enableL4ilbSubsetting"),
    "dnsConfig": Rule("networkConfig.dnsConfig"),
    "gatewayApiConfig": Rule("networkConfig.gatewayApiConfig"),
    "defaultMaxPodsPerNode": Rule("defaultMaxPodsConstraint.maxPodsPerNode", Form.INT64),
    "clusterIpv4Cidr": Rule("clusterIpv4Cidr"),
    "clusterAutoscaling": Rule("autoscaling"),
    "clusterAutoscaling.enabled": Rule("autoscaling.enableNodeAutoprovisioning"),
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

_ENDPOINT_INPUTS: Final = (
    "controlPlaneEndpointsConfig",
    "masterAuthorizedNetworksConfig",
    "privateClusterConfig.enablePrivateEndpoint",
    "privateClusterConfig.masterGlobalAccessConfig",
)


def _same(name: str) -> FieldUpdate:
    """Build the row of an input that has one name everywhere."""
    return FieldUpdate(
        inputs=(name,), rest=name, request=f"update.desired{name[0].upper()}{name[1:]}"
    )


UPDATES: Final = (
    FieldUpdate(
        inputs=_ENDPOINT_INPUTS,
        rest="controlPlaneEndpointsConfig",
        request="update.desiredControlPlaneEndpointsConfig",
    ),
    FieldUpdate(
        inputs=("privateClusterConfig.enablePrivateNodes",),
        rest="networkConfig.defaultEnablePrivateNodes",
        request="update.desiredDefaultEnablePrivateNodes",
        cleared=False,
    ),
    FieldUpdate(
        inputs=("enableShieldedNodes",),
        rest="shieldedNodes",
        request="update.desiredShieldedNodes",
    ),
    FieldUpdate(
        inputs=("minMasterVersion",),
        rest="initialClusterVersion",
        request="update.desiredMasterVersion",
        cleared="-",
    ),
    FieldUpdate(
        inputs=("nodeLocations",), rest="locations", request="update.desiredLocations", cleared=[]
    ),
    FieldUpdate(
        inputs=("clusterAutoscaling",),
        rest="autoscaling",
        request="update.desiredClusterAutoscaling",
    ),
    FieldUpdate(
        inputs=("dnsConfig",), rest="networkConfig.dnsConfig", request="update.desiredDnsConfig"
    ),
    FieldUpdate(
        inputs=("gatewayApiConfig",),
        rest="networkConfig.gatewayApiConfig",
        request="update.desiredGatewayApiConfig",
    ),
    *(
        _same(name)
        for name in (
            "addonsConfig",
            "authenticatorGroupsConfig",
            "binaryAuthorization",
            "costManagementConfig",
            "databaseEncryption",
            "fleet",
            "loggingConfig",
            "monitoringConfig",
            "notificationConfig",
            "releaseChannel",
            "securityPostureConfig",
            "verticalPodAutoscaling",
            "workloadIdentityConfig",
        )
    ),
)
"""Changes that are one `clusters.update` each."""

OWN_CALLS: Final = (
    FieldUpdate(inputs=("resourceLabels",), rest="resourceLabels", request="resourceLabels"),
    FieldUpdate(
        inputs=("maintenancePolicy",), rest="maintenancePolicy", request="maintenancePolicy"
    ),
)
"""Changes that have a method of their own, `:setResourceLabels` and `:setMaintenancePolicy`."""
