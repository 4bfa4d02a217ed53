"""Another valid value for each input that the program sets."""

from collections.abc import Callable, Iterator
from typing import Any

from components.idle_controller import digest_of, program
from planning.prepull import pulls_of
from tests.planning.documents import planned
from tests.rehearsal.end_to_end.input_changes import types as t
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.project import with_more_inputs

Maker = Callable[..., InputChange]

BY_NAME = "Pods and the gate look for it by the old name, so the update would wait in vain."
NO_SUCH = "What the value names does not exist here."
ALL_ANEW = "Carried out once for its class; here only planned."
NO_ROOM = "Which workers the second installer evicts, the scheduler chooses."
NO_LOAD_BALANCER = "No team of this stack has an address in the VPC."
NOT_EMULATED = "The emulator does not do to nodes what Google does for it."


def _of(type_token: str, name: str, component: str, parent: str) -> Maker:
    """A maker of changes of one resource."""

    def make(path: str, value: Any, **more: Any) -> InputChange:
        return InputChange(
            type=type_token,
            name=name,
            path=path,
            value=value,
            parent=(f"daskfleet:{component}", parent),
            **more,
        )

    return make


def _a_pull() -> str:
    """The name of one of the DaemonSets that pull images."""
    settings = {key.removeprefix("daskfleet:"): each for key, each in with_more_inputs().items()}
    return pulls_of(planned(settings).stack)[0].name


def _a_program() -> str:
    """The digest in the name of the idle controller's program."""
    settings = {key.removeprefix("daskfleet:"): each for key, each in with_more_inputs().items()}
    return digest_of(program(planned(settings).stack))


VPC = _of(t.VPC, "network-vpc", "gke:Network", "network")
SUBNET = _of(t.SUBNET, "network-nodes", "gke:Network", "network")
ROUTER = _of(t.ROUTER, "network-router", "gke:Network", "network")
NAT = _of(t.NAT, "network-nat", "gke:Network", "network")
ACCOUNT = _of(t.ACCOUNT, "nodes-account", "gke:NodeServiceAccount", "nodes")
GRANT = _of(t.GRANT, "nodes-artifactregistry.reader", "gke:NodeServiceAccount", "nodes")
CLUSTER = _of(t.CLUSTER, "cluster-control-plane", "gke:GkeCluster", "cluster")
SYSTEM = _of(t.POOL, "system-nodes", "gke:NodePool", "system")
SCHEDULERS = _of(t.POOL, "scheduler-pool-nodes", "gke:NodePool", "scheduler-pool")
FIXED = _of(t.POOL, "a100-fixed-nodes", "gke:NodePool", "a100-fixed")
AUTO = _of(t.POOL, "a100-auto-nodes", "gke:NodePool", "a100-auto")
GOOGLE = _of(t.GOOGLE, "google", "", "")
KUBERNETES = _of(t.KUBERNETES, "kubernetes-provider", "gke:KubernetesProvider", "kubernetes")
BUCKET = _of(t.BUCKET, "climate-bucket-data", "gke:TeamBuckets", "climate")
NAMESPACE = _of(t.NAMESPACE, "climate-namespace", "dask:Team", "climate")
IDENTITY = _of(t.IDENTITY, "climate-service-account", "dask:Team", "climate")
QUOTA = _of(t.QUOTA, "climate-gpu-quota", "dask:Team", "climate")
DEFAULTS = _of(t.DEFAULTS, "climate-defaults", "dask:Team", "climate")
POLICY = _of(t.POLICY, "climate-default-deny", "dask:Team", "climate")
ROLE = _of(t.ROLE, "climate-member-role", "dask:Team", "climate")
MEMBERS = _of(t.BINDING, "climate-members", "dask:Team", "climate")
ADDRESS = _of(t.ADDRESS, "climate-address", "dask:DaskCluster", "climate")
DASK = _of(t.DASK, "climate-dask-cluster", "dask:DaskCluster", "climate")
OTHER_DASK = _of(t.DASK, "genomics-dask-cluster", "dask:DaskCluster", "genomics")
GROUP = _of(t.GROUP, "physics-group-memory", "dask:DaskCluster", "physics")
AUTOSCALER = _of(t.AUTOSCALER, "genomics-autoscaler", "dask:DaskAutoscaler", "genomics")
_OWN = ("dask:EphemeralClusters", "genomics")
ADMISSION = _of(t.ADMISSION, "genomics-cluster-admission", *_OWN)
ADMITTED = _of(t.ADMITTED, "genomics-cluster-admission-binding", *_OWN)
SPEC = _of(t.SPEC, "genomics-cluster-spec", *_OWN)
INSTALLER = _of(t.INSTALLER, "nvidia-driver-installer", "gke:NvidiaDriver", "nvidia-driver")
PULLING = _of(t.NAMESPACE, "image-prepull", "gke:ImagePrepull", "image-prepull")
CLOSED = _of(t.POLICY, "image-prepull-closed", "gke:ImagePrepull", "image-prepull")
PULL = _of(t.INSTALLER, f"image-prepull-{_a_pull()}", "gke:ImagePrepull", "image-prepull")
JUPYTER = _of(t.DEPLOYMENT, "climate-jupyter", "dask:Jupyter", "climate")
JUPYTER_NAME = _of(t.ADDRESS, "climate-jupyter", "dask:Jupyter", "climate")
JUPYTER_HOME = _of(t.HOME, "climate-jupyter-home", "dask:Jupyter", "climate")
_SLEEP = ("dask:IdleController", "idle-controller")
SLEEP_IDENTITY = _of(t.IDENTITY, "idle-controller-service-account", *_SLEEP)
SLEEP_ROLE = _of(t.ROLE, "idle-controller-climate-role", *_SLEEP)
SLEEP_BINDING = _of(t.BINDING, "idle-controller-climate", *_SLEEP)
SLEEP_PROGRAM = _of(t.CONFIG, f"idle-controller-program-{_a_program()}", *_SLEEP)
SLEEP = _of(t.DEPLOYMENT, "idle-controller-deployment", *_SLEEP)
JUPYTER_CONFIG = _of(t.CONFIG, "climate-jupyter-config", "dask:Jupyter", "climate")
JUPYTER_SECRET = _of(t.TLS_FILES, "climate-jupyter-token", "dask:Jupyter", "climate")
JUPYTER_TOKEN = _of(t.PASSWORD, "climate-jupyter-token", "dask:Jupyter", "climate")
TLS = "climate-tls-1-365d"
KEY = _of(t.TLS_KEY, f"{TLS}-worker", "dask:TeamTls", "climate")
REQUEST = _of(t.TLS_REQUEST, f"{TLS}-worker", "dask:TeamTls", "climate")
AUTHORITY = _of(t.TLS_AUTHORITY, f"{TLS}-authority", "dask:TeamTls", "climate")
CERTIFICATE = _of(t.TLS_CERTIFICATE, f"{TLS}-worker", "dask:TeamTls", "climate")
FILES = _of(t.TLS_FILES, f"{TLS}-worker", "dask:TeamTls", "climate")
READ = _of(t.MONITORED, "climate-dask-worker-metrics", "dask:TeamMonitoring", "climate")
ALERTS = _of(t.RULES, "climate-alerts", "dask:TeamMonitoring", "climate")
OPERATOR = _of(t.RELEASE, "dask-release", "dask:DaskOperator", "dask")
CRDS = _of(t.RELEASE, "dask-crds", "dask:DaskOperator", "dask")

ELSEWHERE = "projects/rehearsal-project/global/networks/elsewhere"
WINDOW = {
    "startTime": "2026-01-03T02:00:00Z",
    "endTime": "2026-01-03T08:00:00Z",
    "recurrence": "FREQ=WEEKLY;BYDAY=SA,SU",
}


def network() -> Iterator[InputChange]:
    """The network, and what nodes are."""
    yield VPC("name", "elsewhere", only_preview=ALL_ANEW)
    yield VPC("autoCreateSubnetworks", value=True, only_preview=ALL_ANEW)
    yield SUBNET("name", "elsewhere", only_preview=ALL_ANEW)
    yield SUBNET("network", ELSEWHERE, only_preview=NO_SUCH)
    yield SUBNET("region", "us-east1", only_preview=NO_SUCH)
    wide = "Taking it back would replace the subnetwork, and the cluster with it."
    yield SUBNET("ipCidrRange", "10.0.0.0/19", operation="update", only_preview=wide)
    yield SUBNET("ipCidrRange", "10.32.0.0/20", operation="replace", only_preview=ALL_ANEW)
    yield SUBNET("privateIpGoogleAccess", value=False)
    yield SUBNET("secondaryIpRanges[2]", {"rangeName": "more", "ipCidrRange": "10.48.0.0/20"})
    yield ROUTER("name", "elsewhere")
    yield ROUTER("network", ELSEWHERE, only_preview=NO_SUCH)
    yield ROUTER("region", "us-east1", only_preview=NO_SUCH)
    yield NAT("name", "elsewhere")
    yield NAT("router", "elsewhere", only_preview=NO_SUCH)
    yield NAT("region", "us-east1", only_preview=NO_SUCH)
    yield NAT("natIpAllocateOption", "MANUAL_ONLY", only_preview="It needs addresses to choose.")
    yield NAT("sourceSubnetworkIpRangesToNat", "ALL_SUBNETWORKS_ALL_PRIMARY_IP_RANGES")
    yield GRANT("project", "other-project", only_preview=NO_SUCH)
    yield GRANT("role", "roles/logging.logWriter")
    yield GRANT("member", "user:somebody@example.com")
    yield ACCOUNT("accountId", "other-nodes")
    yield ACCOUNT("displayName", "Other nodes")


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
        yield CLUSTER(path, value, only_preview=ALL_ANEW)
    yield CLUSTER("datapathProvider", "LEGACY_DATAPATH")
    yield CLUSTER("nodeConfig.serviceAccount", "somebody@example.com")
    yield CLUSTER("removeDefaultNodePool", value=False)
    yield CLUSTER("deletionProtection", value=True)
    yield CLUSTER("resourceLabels.environment", "other")
    yield CLUSTER("privateClusterConfig.enablePrivateNodes", value=False)
    endpoints = "controlPlaneEndpointsConfig"
    yield CLUSTER(f"{endpoints}.dnsEndpointConfig.allowExternalTraffic", value=True)
    yield CLUSTER(f"{endpoints}.ipEndpointsConfig.enabled", value=False)
    yield CLUSTER("masterAuthorizedNetworksConfig.cidrBlocks[0].displayName", "elsewhere")
    yield CLUSTER("authenticatorGroupsConfig.securityGroup", "gke-security-groups@example.com")
    yield CLUSTER("releaseChannel.channel", "REGULAR")
    yield CLUSTER("nodeLocations[0]", "us-central1-a")
    yield CLUSTER("maintenancePolicy.recurringWindow", WINDOW)
    yield CLUSTER("workloadIdentityConfig.workloadPool", "rehearsal-project-2.svc.id.goog")
    yield CLUSTER("costManagementConfig.enabled", value=False)
    yield CLUSTER("monitoringConfig.enableComponents[0]", "APISERVER")
    yield CLUSTER("monitoringConfig.managedPrometheus.enabled", value=False)
    yield CLUSTER("enableShieldedNodes", value=False, only_preview=NOT_EMULATED)


def pools() -> Iterator[InputChange]:
    """Node pools of every kind."""
    yield FIXED("name", "other", only_preview=BY_NAME)
    yield FIXED("cluster", "elsewhere", only_preview=NO_SUCH)
    yield FIXED("location", "us-central1-a", only_preview=NO_SUCH)
    yield AUTO("maxPodsPerNode", 64)
    yield AUTO("initialNodeCount", 1)
    yield SCHEDULERS("nodeConfig.machineType", "n1-standard-8")
    yield FIXED("nodeCount", 3, direction="grows")
    yield FIXED("nodeCount", 1, direction="shrinks")
    yield AUTO("autoscaling.minNodeCount", 1)
    yield AUTO("autoscaling.maxNodeCount", 4)
    yield AUTO("nodeLocations[0]", "us-central1-a", only_preview=NOT_EMULATED)
    yield SCHEDULERS("upgradeSettings.maxUnavailable", 2)
    yield AUTO("nodeConfig.diskSizeGb", 250)
    yield FIXED("nodeConfig.diskType", "pd-ssd")
    yield SYSTEM("nodeConfig.imageType", "UBUNTU_CONTAINERD")
    yield FIXED("nodeConfig.gcfsConfig.enabled", value=True)
    yield AUTO("nodeConfig.workloadMetadataConfig.mode", "GCE_METADATA")
    yield AUTO('nodeConfig.linuxNodeConfig.sysctls["net.core.somaxconn"]', "2048")
    yield AUTO("nodeConfig.labels.extra", "yes")
    extra = {"key": "extra", "value": "yes", "effect": "PREFER_NO_SCHEDULE"}
    yield AUTO("nodeConfig.taints[1]", extra)
    yield SCHEDULERS("nodeConfig.resourceLabels.environment", "other")
    driver = "nodeConfig.guestAccelerators[0].gpuDriverInstallationConfig.gpuDriverVersion"
    yield AUTO(driver, "LATEST")
    yield AUTO("nodeConfig.spot", value=True)
    yield AUTO("nodeConfig.serviceAccount", "nobody@example.com", only_preview=NO_SUCH)
    yield AUTO("nodeConfig.oauthScopes[1]", "https://www.googleapis.com/auth/userinfo.email")
    yield SYSTEM("nodeConfig.shieldedInstanceConfig.enableSecureBoot", value=False)


def providers() -> Iterator[InputChange]:
    """The two ways out of the program."""
    yield GOOGLE("project", "other-project", only_preview=ALL_ANEW)
    yield GOOGLE("addPulumiAttributionLabel", "true", only_preview="The stand-in adds no label.")
    yield KUBERNETES("clusterIdentifier", "elsewhere", only_preview=ALL_ANEW)


def team() -> Iterator[InputChange]:
    """A team's namespace and what is in it."""
    yield NAMESPACE("metadata.name", "other", only_preview=BY_NAME)
    yield NAMESPACE("metadata.labels.extra", "yes")
    for make in (IDENTITY, QUOTA, DEFAULTS, POLICY, ROLE, MEMBERS, ADDRESS):
        yield make("metadata.name", "other")
        yield make("metadata.namespace", "default")
    yield IDENTITY("automountServiceAccountToken", value=True)
    yield BUCKET("bucket", "other-data")
    yield BUCKET("role", "roles/storage.objectUser")
    yield BUCKET("member", "user:somebody@example.com")
    yield QUOTA('spec.hard["requests.nvidia.com/gpu"]', "7")
    yield DEFAULTS("spec.limits[0].default.memory", "2Gi")
    yield POLICY("spec.policyTypes[1]", "Ingress")
    yield ROLE("rules[0].verbs[2]", "list")
    yield MEMBERS("subjects[0].name", "bob@example.com")
    yield MEMBERS("roleRef.name", "other")
    # Not the port's number: the provider hands managed fields over in an update only, so that the
    # dry run of a preview sees two ports of one name (pulumi-kubernetes, fixCSAFieldManagers).
    yield ADDRESS("spec.ports[0].targetPort", 8790)
    yield ADDRESS('spec.selector["dask.org/component"]', "worker")
    yield ADDRESS("spec.type", "NodePort")


def dask() -> Iterator[InputChange]:
    """A Dask cluster, a further group of its workers, and its bounds."""
    yield DASK("metadata.name", "other", only_preview=BY_NAME)
    yield DASK("metadata.namespace", "default", only_preview=BY_NAME)
    yield DASK("metadata.labels.extra", "yes")
    yield GROUP("metadata.name", "other", only_preview=BY_NAME)
    yield GROUP("metadata.namespace", "default", only_preview=BY_NAME)
    yield GROUP("metadata.labels.extra", "yes")
    yield GROUP("spec.cluster", "elsewhere", only_preview=NO_SUCH)
    yield GROUP("spec.worker.spec.terminationGracePeriodSeconds", 61)
    counted = "The program writes the number once it is true."
    yield GROUP("spec.worker.replicas", 1, only_preview=counted)
    bounds = ((t.AUTOSCALER, "genomics-autoscaler"),)
    yield OTHER_DASK("spec.idleTimeout", 86400, replaced_with_it=bounds)
    yield DASK("spec.scheduler.spec.terminationGracePeriodSeconds", 31)
    grace = "spec.worker.spec.terminationGracePeriodSeconds"
    yield OTHER_DASK(grace, 61, replaced_with_it=bounds)
    yield OTHER_DASK("spec.worker.replicas", 2, operation="same")
    room = QUOTA('spec.hard["requests.nvidia.com/gpu"]', "4")
    told = ALERTS("spec.groups[0].interval", "2m")  # an alert has the number of workers
    yield DASK("spec.worker.replicas", 3, along=(room, told), is_workers=True)
    yield AUTOSCALER("spec.minimum", 2)
    yield AUTOSCALER("spec.maximum", 3)
    yield AUTOSCALER("spec.cluster", "elsewhere", only_preview=NO_SUCH)
    yield AUTOSCALER("metadata.name", "other")
    yield AUTOSCALER("metadata.namespace", "default", only_preview=NO_SUCH)
    yield AUTOSCALER("metadata.labels.extra", "yes")


def software() -> Iterator[InputChange]:
    """The driver's installer, and the operator with its definitions."""
    yield INSTALLER("spec.template.spec.containers[0].image", "registry.k8s.io/pause:3.9")
    yield INSTALLER("metadata.name", "other", only_preview=NO_ROOM)
    yield INSTALLER("metadata.namespace", "default", only_preview=NO_ROOM)
    yield INSTALLER("metadata.labels.extra", "yes")
    selector = 'spec.selector.matchLabels["app.kubernetes.io/part-of"]'
    labels = 'spec.template.metadata.labels["app.kubernetes.io/part-of"]'
    same = INSTALLER(labels, "other")
    yield INSTALLER(selector, "other", along=(same,), only_preview=NO_ROOM)
    yield INSTALLER("spec.updateStrategy.type", "RollingUpdate")
    waits = "It only says what `up` waits for."
    skip = 'metadata.annotations["pulumi.com/skipAwait"]'
    yield INSTALLER(skip, "false", only_preview=waits)
    yield OPERATOR("values.resources.requests.cpu", "110m")
    yield OPERATOR("name", "other")
    yield OPERATOR("namespace", "default", only_preview="The rehearsal knows the operator by it.")
    yield OPERATOR("chart", "./manifests/dask-crds", only_preview="There is no other operator.")
    repository = "https://charts.example"
    yield OPERATOR("repositoryOpts.repo", repository, only_preview="There is no network.")
    yield OPERATOR("timeout", 700)
    yield OPERATOR("atomic", value=False)
    yield OPERATOR("skipCrds", value=False)
    yield CRDS("values.definitions", "other")
    yield CRDS("compat", "false")
    for path in ("name", "namespace"):
        yield CRDS(path, "other", only_preview=ALL_ANEW)
    operator = "./.rehearsal/charts/dask-kubernetes-operator"
    yield CRDS("chart", operator, only_preview="There are no other definitions.")


def sleep() -> Iterator[InputChange]:
    """The controller that lets workers go and brings them back."""
    for make in (SLEEP_IDENTITY, SLEEP_ROLE, SLEEP_BINDING, SLEEP_PROGRAM, SLEEP):
        yield make("metadata.name", "other", only_preview=ALL_ANEW)
        yield make("metadata.namespace", "default", only_preview=ALL_ANEW)
    for labelled in (SLEEP_IDENTITY, SLEEP_PROGRAM, SLEEP):
        yield labelled("metadata.labels.extra", "yes")
    yield SLEEP_ROLE("rules[0].verbs[0]", "get")
    yield SLEEP_PROGRAM('data["rules.json"]', "{}", only_preview=ALL_ANEW)
    yield SLEEP("spec.replicas", 0)
    yield SLEEP("spec.strategy.type", "RollingUpdate", only_preview=ALL_ANEW)
    yield SLEEP("spec.template.spec.terminationGracePeriodSeconds", 6)
    component = '["app.kubernetes.io/component"]'
    same = SLEEP(f"spec.template.metadata.labels{component}", "other")
    selector = f"spec.selector.matchLabels{component}"
    yield SLEEP(selector, "other", along=(same,), only_preview=ALL_ANEW)


def ephemeral() -> Iterator[InputChange]:
    """Clusters of the members' own."""
    yield ADMISSION("metadata.name", "other", only_preview="The binding names it.")
    yield ADMISSION("spec.failurePolicy", "Ignore")
    yield ADMITTED("metadata.name", "other")
    yield ADMITTED("spec.validationActions[0]", "Warn")
    yield SPEC("metadata.name", "other")
    yield SPEC("metadata.namespace", "default")
    yield SPEC('data["cluster.yaml"]', "kind: DaskCluster")


def prepull() -> Iterator[InputChange]:
    """The pods that pull images."""
    yield PULLING("metadata.name", "other", only_preview="The other objects are in it.")
    yield CLOSED("metadata.name", "other")
    yield CLOSED("metadata.namespace", "default", only_preview=ALL_ANEW)
    yield PULL("spec.template.spec.containers[0].image", "registry.k8s.io/pause:3.9")
    yield PULL("spec.updateStrategy.rollingUpdate.maxUnavailable", "50%")
    yield PULL("metadata.name", "other", only_preview=ALL_ANEW)
    yield PULL("metadata.namespace", "default", only_preview=ALL_ANEW)
    instance = 'metadata.labels["app.kubernetes.io/instance"]'
    same = PULL(f"spec.template.{instance}", "other")
    selector = 'spec.selector.matchLabels["app.kubernetes.io/instance"]'
    yield PULL(selector, "other", along=(same,), only_preview=ALL_ANEW)


def tls() -> Iterator[InputChange]:
    """A team's certificates."""
    yield KEY("ecdsaCurve", "P384")
    yield KEY("algorithm", "RSA", only_preview="The stand-in makes no other keys.")
    other = "The value is no such thing."
    yield REQUEST("subject.commonName", "somebody else")
    yield REQUEST("privateKeyPem", "other", only_preview=other)
    yield AUTHORITY("subject.commonName", "somebody else")
    yield AUTHORITY("validityPeriodHours", 24000, only_preview=ALL_ANEW)
    yield AUTHORITY("allowedUses[1]", "crl_signing", only_preview=ALL_ANEW)
    yield AUTHORITY("isCaCertificate", value=False, only_preview=ALL_ANEW)
    yield AUTHORITY("privateKeyPem", "other", only_preview=other)
    yield CERTIFICATE("validityPeriodHours", 24000)
    yield CERTIFICATE("allowedUses[0]", "key_agreement", only_preview=ALL_ANEW)
    for path in ("certRequestPem", "caPrivateKeyPem", "caCertPem"):
        yield CERTIFICATE(path, "other", only_preview=other)
    yield FILES("metadata.labels.extra", "yes")
    yield FILES("metadata.name", "other", only_preview=BY_NAME)
    yield FILES("metadata.namespace", "default", only_preview=BY_NAME)
    yield FILES("type", "Opaque", only_preview=ALL_ANEW)
    yield FILES('data["ca.crt"]', "b3RoZXI=", only_preview=ALL_ANEW)


def jupyter() -> Iterator[InputChange]:
    """A team's JupyterLab."""
    skip = 'metadata.annotations["pulumi.com/skipAwait"]'
    for make in (JUPYTER, JUPYTER_NAME, JUPYTER_HOME, JUPYTER_CONFIG, JUPYTER_SECRET):
        yield make("metadata.name", "other", only_preview=BY_NAME)
        yield make("metadata.namespace", "default", only_preview=BY_NAME)
    for make in (JUPYTER_NAME, JUPYTER_HOME):
        yield make(skip, "false", only_preview="It only says what `up` waits for.")
    yield JUPYTER("metadata.labels.extra", "yes")
    yield JUPYTER("spec.progressDeadlineSeconds", 900)
    yield JUPYTER("spec.template.spec.terminationGracePeriodSeconds", 31)
    yield JUPYTER("spec.replicas", 0)
    yield JUPYTER("spec.strategy.type", "RollingUpdate", only_preview=ALL_ANEW)
    component = '["app.kubernetes.io/component"]'
    same = JUPYTER(f"spec.template.metadata.labels{component}", "other")
    selector = f"spec.selector.matchLabels{component}"
    yield JUPYTER(selector, "other", along=(same,), only_preview=ALL_ANEW)
    yield JUPYTER_NAME("spec.ports[0].targetPort", 8890)
    yield JUPYTER_NAME(f"spec.selector{component}", "other")
    yield JUPYTER_HOME("spec.resources.requests.storage", "60Gi", only_preview="No way back.")
    yield JUPYTER_HOME("spec.accessModes[0]", "ReadWriteMany", only_preview=ALL_ANEW)
    yield JUPYTER_HOME("spec.storageClassName", "premium-rwo", only_preview=ALL_ANEW)
    yield JUPYTER_CONFIG("data.lab", "{}", only_preview=ALL_ANEW)
    yield JUPYTER_SECRET("data.token", "b3RoZXI=", only_preview=ALL_ANEW)
    yield JUPYTER_TOKEN("length", 50, only_preview=ALL_ANEW)
    yield JUPYTER_TOKEN("special", value=True, only_preview="The stand-in has no other letters.")


def monitoring() -> Iterator[InputChange]:
    """What is measured of a team, and its alerts."""
    for make in (READ, ALERTS):
        yield make("metadata.name", "other")
        yield make("metadata.namespace", "default")
        yield make("metadata.labels.extra", "yes")
    yield READ("spec.endpoints[0].interval", "60s")
    yield ALERTS("spec.groups[0].interval", "2m")


def input_changes() -> tuple[InputChange, ...]:
    """All of them."""
    return (
        *network(),
        *cluster(),
        *pools(),
        *providers(),
        *team(),
        *dask(),
        *software(),
        *ephemeral(),
        *sleep(),
        *prepull(),
        *tls(),
        *monitoring(),
        *jupyter(),
    )


TYPE_IS_THE_KIND = "The type token is made of it: another value is another resource to the engine."

NOT_HERE = {
    "apiVersion": TYPE_IS_THE_KIND,
    "kind": TYPE_IS_THE_KIND,
    "spec.externalTrafficPolicy": NO_LOAD_BALANCER,
    "spec.loadBalancerSourceRanges": NO_LOAD_BALANCER,
    'metadata.annotations["networking.gke.io/load-balancer-type"]': NO_LOAD_BALANCER,
    "kubeconfig": "There is one way to the cluster here, and a preview takes it.",
    "version": "The charts are local, and a local chart has the version in its Chart.yaml.",
}
"""Paths of rows for which there can be no other value, and why."""
