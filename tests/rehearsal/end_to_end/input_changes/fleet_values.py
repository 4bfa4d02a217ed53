"""Other valid values for the inputs of what all teams share."""

from collections.abc import Iterator

from tests.rehearsal.end_to_end.input_changes import resources as of
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.own_key import OWN_KEY
from tests.rehearsal.end_to_end.input_changes.reasons import (
    ALL_ANEW,
    BY_NAME,
    NO_RIGHTS,
    NO_ROOM,
    NO_SUCH,
    NOT_EMULATED,
    PER_ZONE,
)

ELSEWHERE = "projects/rehearsal-project/global/networks/elsewhere"
WINDOW = {
    "startTime": "2026-01-03T02:00:00Z",
    "endTime": "2026-01-03T08:00:00Z",
    "recurrence": "FREQ=WEEKLY;BYDAY=SA,SU",
}


def network() -> Iterator[InputChange]:
    """The network, and what nodes are."""
    yield of.VPC("name", "elsewhere", only_preview=ALL_ANEW)
    yield of.VPC("autoCreateSubnetworks", value=True, only_preview=ALL_ANEW)
    yield of.SUBNET("name", "elsewhere", only_preview=ALL_ANEW)
    yield of.SUBNET("network", ELSEWHERE, only_preview=NO_SUCH)
    yield of.SUBNET("region", "us-east1", only_preview=NO_SUCH)
    wide = "Taking it back would replace the subnetwork, and the cluster with it."
    yield of.SUBNET("ipCidrRange", "10.0.0.0/19", operation="update", only_preview=wide)
    yield of.SUBNET("ipCidrRange", "10.32.0.0/20", operation="replace", only_preview=ALL_ANEW)
    yield of.SUBNET("privateIpGoogleAccess", value=False)
    yield of.SUBNET("secondaryIpRanges[2]", {"rangeName": "more", "ipCidrRange": "10.48.0.0/20"})
    yield of.ROUTER("name", "elsewhere")
    yield of.ROUTER("network", ELSEWHERE, only_preview=NO_SUCH)
    yield of.ROUTER("region", "us-east1", only_preview=NO_SUCH)
    yield of.NAT("name", "elsewhere")
    yield of.NAT("router", "elsewhere", only_preview=NO_SUCH)
    yield of.NAT("region", "us-east1", only_preview=NO_SUCH)
    yield of.NAT("natIpAllocateOption", "MANUAL_ONLY", only_preview="It needs addresses to choose.")
    yield of.NAT("sourceSubnetworkIpRangesToNat", "ALL_SUBNETWORKS_ALL_PRIMARY_IP_RANGES")
    yield of.GRANT("project", "other-project", only_preview=NO_SUCH)
    yield of.GRANT("role", "roles/logging.logWriter")
    yield of.GRANT("member", "user:somebody@example.com")
    yield of.ACCOUNT("accountId", "other-nodes")
    yield of.ACCOUNT("displayName", "Other nodes")


def cluster() -> Iterator[InputChange]:
    """The control plane."""
    for path, value in {
        "name": "other",
        "network": ELSEWHERE,
        "subnetwork": "projects/rehearsal-project/regions/us-central1/subnetworks/elsewhere",
        "location": "us-central1-a",
        "networkingMode": "ROUTES",
        "defaultMaxPodsPerNode": 64,
        "initialNodeCount": 2,
        "ipAllocationPolicy.clusterSecondaryRangeName": "services",
        "ipAllocationPolicy.servicesSecondaryRangeName": "pods",
    }.items():
        yield of.CLUSTER(path, value, only_preview=ALL_ANEW)
    yield of.CLUSTER("datapathProvider", "LEGACY_DATAPATH")
    yield of.CLUSTER("nodeConfig.serviceAccount", "somebody@example.com")
    yield of.CLUSTER("removeDefaultNodePool", value=False)
    yield of.CLUSTER("deletionProtection", value=True)
    yield of.CLUSTER("resourceLabels.environment", "other")
    yield of.CLUSTER("privateClusterConfig.enablePrivateNodes", value=False)
    yield of.CLUSTER("privateClusterConfig.enablePrivateEndpoint", value=True)
    endpoints = "controlPlaneEndpointsConfig"
    yield of.CLUSTER(f"{endpoints}.dnsEndpointConfig.allowExternalTraffic", value=True)
    yield of.CLUSTER(f"{endpoints}.ipEndpointsConfig.enabled", value=False)
    yield of.CLUSTER("masterAuthorizedNetworksConfig.cidrBlocks[0].displayName", "elsewhere")
    yield of.CLUSTER("authenticatorGroupsConfig.securityGroup", "gke-security-groups@example.com")
    yield of.CLUSTER("releaseChannel.channel", "REGULAR")
    yield of.CLUSTER("nodeLocations[0]", "us-central1-a")
    yield of.CLUSTER("maintenancePolicy.recurringWindow", WINDOW)
    yield of.CLUSTER("workloadIdentityConfig.workloadPool", "rehearsal-project-2.svc.id.goog")
    yield of.CLUSTER("costManagementConfig.enabled", value=False)
    yield of.CLUSTER("monitoringConfig.enableComponents[0]", "APISERVER")
    yield of.CLUSTER("monitoringConfig.managedPrometheus.enabled", value=False)
    yield of.CLUSTER("binaryAuthorization.evaluationMode", "DISABLED")
    yield of.CLUSTER("databaseEncryption", {"state": "ENCRYPTED", "keyName": OWN_KEY})
    yield of.CLUSTER("enableShieldedNodes", value=False, only_preview=NOT_EMULATED)


def pools() -> Iterator[InputChange]:
    """Node pools of every kind."""
    yield of.FIXED("name", "other", only_preview=BY_NAME)
    yield of.FIXED("cluster", "elsewhere", only_preview=NO_SUCH)
    yield of.FIXED("location", "us-central1-a", only_preview=NO_SUCH)
    yield of.AUTO("maxPodsPerNode", 64)
    yield of.AUTO("initialNodeCount", 1)
    yield of.SCHEDULERS("nodeConfig.machineType", "n1-standard-8")
    yield of.FIXED("nodeCount", 3, direction="grows")
    yield of.FIXED("nodeCount", 1, direction="shrinks")
    yield of.AUTO("autoscaling.minNodeCount", 1)
    yield of.AUTO("autoscaling.maxNodeCount", 4)
    for bound in ("totalMinNodeCount", "totalMaxNodeCount"):
        yield of.AUTO(f"autoscaling.{bound}", 2, only_preview=PER_ZONE)
    yield of.AUTO("autoscaling.locationPolicy", "ANY")
    yield of.AUTO("nodeLocations[1]", "us-central1-a", direction="grows")
    yield of.AUTO(
        "nodeLocations[0]", "us-central1-a", direction="shrinks", only_preview=NOT_EMULATED
    )
    yield of.SCHEDULERS("upgradeSettings.maxUnavailable", 2)
    yield of.AUTO("nodeConfig.diskSizeGb", 250)
    yield of.FIXED("nodeConfig.diskType", "pd-ssd")
    yield of.AUTO("nodeConfig.bootDiskKmsKey", OWN_KEY)
    yield of.SYSTEM("nodeConfig.imageType", "UBUNTU_CONTAINERD")
    yield of.FIXED("nodeConfig.gcfsConfig.enabled", value=True)
    yield of.AUTO("nodeConfig.workloadMetadataConfig.mode", "GCE_METADATA")
    yield of.AUTO('nodeConfig.linuxNodeConfig.sysctls["net.core.somaxconn"]', "2048")
    # It has another label: the last one of a pool could not be taken back.
    yield of.SCHEDULERS("nodeConfig.labels.extra", "yes")
    extra = {"key": "extra", "value": "yes", "effect": "PREFER_NO_SCHEDULE"}
    yield of.AUTO("nodeConfig.taints[1]", extra)
    yield of.SCHEDULERS("nodeConfig.resourceLabels.environment", "other")
    driver = "nodeConfig.guestAccelerators[0].gpuDriverInstallationConfig.gpuDriverVersion"
    yield of.AUTO(driver, "LATEST")
    yield of.AUTO("nodeConfig.spot", value=True)
    yield of.FIXED("nodeConfig.reservationAffinity", {"consumeReservationType": "NO_RESERVATION"})
    yield of.AUTO("nodeConfig.serviceAccount", "nobody@example.com", only_preview=NO_SUCH)
    yield of.AUTO("nodeConfig.oauthScopes[1]", "https://www.googleapis.com/auth/userinfo.email")
    yield of.SYSTEM("nodeConfig.shieldedInstanceConfig.enableSecureBoot", value=False)


def providers() -> Iterator[InputChange]:
    """The two ways out of the program."""
    yield of.GOOGLE("project", "other-project", only_preview=ALL_ANEW)
    yield of.GOOGLE("addPulumiAttributionLabel", "true", only_preview="The stand-in adds no label.")
    yield of.KUBERNETES("clusterIdentifier", "elsewhere", only_preview=ALL_ANEW)


def software() -> Iterator[InputChange]:
    """The driver's installer, and the operator with its definitions."""
    yield of.INSTALLER("spec.template.spec.containers[0].image", "registry.k8s.io/pause:3.9")
    yield of.INSTALLER("metadata.name", "other", only_preview=NO_ROOM)
    yield of.INSTALLER("metadata.namespace", "default", only_preview=NO_ROOM)
    yield of.INSTALLER("metadata.labels.extra", "yes")
    selector = 'spec.selector.matchLabels["app.kubernetes.io/part-of"]'
    labels = 'spec.template.metadata.labels["app.kubernetes.io/part-of"]'
    same = of.INSTALLER(labels, "other")
    yield of.INSTALLER(selector, "other", along=(same,), only_preview=NO_ROOM)
    yield of.INSTALLER("spec.updateStrategy.type", "RollingUpdate")
    waits = "It only says what `up` waits for."
    skip = 'metadata.annotations["pulumi.com/skipAwait"]'
    yield of.INSTALLER(skip, "false", only_preview=waits)
    yield of.OPERATOR("values.resources.requests.cpu", "110m")
    yield of.OPERATOR("name", "other", only_preview=NO_RIGHTS)
    yield of.OPERATOR(
        "namespace", "default", only_preview="The rehearsal knows the operator by it."
    )
    yield of.OPERATOR("chart", "./manifests/dask-crds", only_preview="There is no other operator.")
    repository = "https://charts.example"
    yield of.OPERATOR("repositoryOpts.repo", repository, only_preview="There is no network.")
    yield of.OPERATOR("timeout", 700)
    yield of.OPERATOR("atomic", value=False)
    yield of.OPERATOR("skipCrds", value=False)
    yield of.CRDS("values.definitions", "other")
    yield of.CRDS("compat", "false")
    for path in ("name", "namespace"):
        yield of.CRDS(path, "other", only_preview=ALL_ANEW)
    operator = "./.rehearsal/charts/dask-kubernetes-operator"
    yield of.CRDS("chart", operator, only_preview="There are no other definitions.")


def rights() -> Iterator[InputChange]:
    """What the operator may do."""
    for make in (of.WATCH_ROLE, of.WATCH, of.OPERATORS_RIGHTS):
        yield make("metadata.name", "other", only_preview=NO_RIGHTS)
    yield of.TEAM_ROLE("rules[8].verbs[0]", "patch")
    yield of.WATCH("subjects[0].name", "other", only_preview=NO_RIGHTS)
    yield of.WATCH("roleRef.name", "other", only_preview=NO_RIGHTS)
    yield of.OPERATORS_RIGHTS("metadata.namespace", "default", only_preview=NO_RIGHTS)
    yield of.OPERATORS_RIGHTS("subjects[0].name", "other", only_preview=NO_RIGHTS)
    yield of.OPERATORS_RIGHTS("roleRef.name", "other", only_preview=NO_RIGHTS)
    yield of.TEAMS_ADMISSION("metadata.name", "other", only_preview="The binding names it.")
    yield of.TEAMS_ADMISSION("spec.failurePolicy", "Ignore")
    yield of.TEAMS_ADMITTED("metadata.name", "other")
    yield of.TEAMS_ADMITTED("spec.validationActions[0]", "Audit")


def prepull() -> Iterator[InputChange]:
    """The pods that pull images."""
    yield of.PULLING("metadata.name", "other", only_preview="The other objects are in it.")
    yield of.CLOSED("metadata.name", "other")
    yield of.CLOSED("metadata.namespace", "default", only_preview=ALL_ANEW)
    yield of.PULL("spec.template.spec.containers[0].image", "registry.k8s.io/pause:3.9")
    yield of.PULL("spec.updateStrategy.rollingUpdate.maxUnavailable", "50%")
    yield of.PULL("metadata.name", "other", only_preview=ALL_ANEW)
    yield of.PULL("metadata.namespace", "default", only_preview=ALL_ANEW)
    instance = 'metadata.labels["app.kubernetes.io/instance"]'
    same = of.PULL(f"spec.template.{instance}", "other")
    selector = 'spec.selector.matchLabels["app.kubernetes.io/instance"]'
    yield of.PULL(selector, "other", along=(same,), only_preview=ALL_ANEW)
