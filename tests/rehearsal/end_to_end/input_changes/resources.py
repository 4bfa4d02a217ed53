"""Makers of changes, one for each resource of the rehearsal's stack."""

from collections.abc import Callable
from typing import Any

from components.gpu_health import program as health_program
from components.idle_controller import program
from daskfleet.planning.prepull import pulls_of
from daskfleet.settings.stack import Stack
from manifests.program_files import digest_of
from tests.daskfleet.planning.documents import planned
from tests.rehearsal.end_to_end.input_changes import types as t
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.project import with_more_inputs

Maker = Callable[..., InputChange]


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


def _planned() -> Stack:
    """What the program reads in the settings: some names are digests of it."""
    settings = {key.removeprefix("daskfleet:"): each for key, each in with_more_inputs().items()}
    return planned(settings).stack


def _pulled() -> str:
    """The name of one of the DaemonSets that pull images."""
    return pulls_of(_planned())[0].name


def _program() -> str:
    """The digest in the name of the idle controller's program."""
    return digest_of(program(_planned()))


def _health_program() -> str:
    """The same of the controller of sick GPUs."""
    stack = _planned()
    assert stack.gpu_health is not None
    return digest_of(health_program(stack, stack.gpu_health))


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
OPERATORS_RIGHTS = _of(t.BINDING, "climate-operators-rights", "dask:Team", "climate")
MEMBERS = _of(t.BINDING, "climate-members", "dask:Team", "climate")
ADDRESS = _of(t.ADDRESS, "climate-address", "dask:DaskCluster", "climate")
DASK = _of(t.DASK, "climate-dask-cluster", "dask:DaskCluster", "climate")
OTHER_DASK = _of(t.DASK, "genomics-dask-cluster", "dask:DaskCluster", "genomics")
GROUP = _of(t.GROUP, "physics-group-memory", "dask:DaskCluster", "physics")
AUTOSCALER = _of(t.AUTOSCALER, "genomics-autoscaler", "dask:DaskAutoscaler", "genomics")
_OWN = ("dask:EphemeralClusters", "genomics")
ADMISSION = _of(t.ADMISSION, "genomics-cluster-admission", *_OWN)
ADMITTED = _of(t.ADMITTED, "genomics-cluster-admission-binding", *_OWN)
NOTICE = _of(t.CONFIG, "climate-notice", "dask:TeamNotice", "climate")
SPEC = _of(t.CONFIG, "genomics-cluster-spec", *_OWN)
INSTALLER = _of(t.INSTALLER, "nvidia-driver-installer", "gke:NvidiaDriver", "nvidia-driver")
PULLING = _of(t.NAMESPACE, "image-prepull", "gke:ImagePrepull", "image-prepull")
CLOSED = _of(t.POLICY, "image-prepull-closed", "gke:ImagePrepull", "image-prepull")
PULL = _of(t.INSTALLER, f"image-prepull-{_pulled()}", "gke:ImagePrepull", "image-prepull")
JUPYTER = _of(t.DEPLOYMENT, "climate-jupyter", "dask:Jupyter", "climate")
JUPYTER_NAME = _of(t.ADDRESS, "climate-jupyter", "dask:Jupyter", "climate")
JUPYTER_HOME = _of(t.HOME, "climate-jupyter-home", "dask:Jupyter", "climate")
_SLEEP = ("dask:IdleController", "idle-controller")
SLEEP_IDENTITY = _of(t.IDENTITY, "idle-controller-service-account", *_SLEEP)
SLEEP_ROLE = _of(t.ROLE, "idle-controller-climate-role", *_SLEEP)
SLEEP_BINDING = _of(t.BINDING, "idle-controller-climate", *_SLEEP)
SLEEP_PROGRAM = _of(t.CONFIG, f"idle-controller-program-{_program()}", *_SLEEP)
SLEEP = _of(t.DEPLOYMENT, "idle-controller-deployment", *_SLEEP)
RECYCLE_ADMISSION = _of(t.ADMISSION, "idle-controller-admission", *_SLEEP)
RECYCLE_ADMITTED = _of(t.ADMITTED, "idle-controller-admission-binding", *_SLEEP)
JUPYTER_CONFIG = _of(t.CONFIG, "climate-jupyter-config", "dask:Jupyter", "climate")
JUPYTER_SECRET = _of(t.SECRET, "climate-jupyter-token", "dask:Jupyter", "climate")
JUPYTER_TOKEN = _of(t.PASSWORD, "climate-jupyter-token", "dask:Jupyter", "climate")
_TLS = "climate-tls-1-365d"
KEY = _of(t.TLS_KEY, f"{_TLS}-worker", "dask:TeamTls", "climate")
REQUEST = _of(t.TLS_REQUEST, f"{_TLS}-worker", "dask:TeamTls", "climate")
AUTHORITY = _of(t.TLS_AUTHORITY, f"{_TLS}-authority", "dask:TeamTls", "climate")
CERTIFICATE = _of(t.TLS_CERTIFICATE, f"{_TLS}-worker", "dask:TeamTls", "climate")
FILES = _of(t.SECRET, f"{_TLS}-worker", "dask:TeamTls", "climate")
READ = _of(t.MONITORED, "climate-dask-worker-metrics", "dask:TeamMonitoring", "climate")
ALERTS = _of(t.RULES, "climate-alerts", "dask:TeamMonitoring", "climate")
_RIGHTS = ("dask:OperatorRights", "operator-rights")
WATCH_ROLE = _of(t.CLUSTER_ROLE, "operator-rights-watch-role", *_RIGHTS)
TEAM_ROLE = _of(t.CLUSTER_ROLE, "operator-rights-team-role", *_RIGHTS)
WATCH = _of(t.CLUSTER_BINDING, "operator-rights-watch", *_RIGHTS)
TEAMS_ADMISSION = _of(t.ADMISSION, "operator-rights-admission", *_RIGHTS)
TEAMS_ADMITTED = _of(t.ADMITTED, "operator-rights-admission-binding", *_RIGHTS)
OPERATOR = _of(t.RELEASE, "dask-release", "dask:DaskOperator", "dask")
CRDS = _of(t.RELEASE, "dask-crds", "dask:DaskOperator", "dask")
_HEALTH = ("dask:GpuHealth", "gpu-health")
HEALTH_IDENTITY = _of(t.IDENTITY, "gpu-health-service-account", *_HEALTH)
HEALTH_ADMISSION = _of(t.ADMISSION, "gpu-health-admission", *_HEALTH)
HEALTH_ADMITTED = _of(t.ADMITTED, "gpu-health-admission-binding", *_HEALTH)
HEALTH_NODES_ROLE = _of(t.CLUSTER_ROLE, "gpu-health-nodes-role", *_HEALTH)
HEALTH_NODES = _of(t.CLUSTER_BINDING, "gpu-health-nodes", *_HEALTH)
HEALTH_ROLE = _of(t.ROLE, "gpu-health-climate-role", *_HEALTH)
HEALTH_BINDING = _of(t.BINDING, "gpu-health-climate", *_HEALTH)
HEALTH_PROGRAM = _of(t.CONFIG, f"gpu-health-program-{_health_program()}", *_HEALTH)
HEALTH = _of(t.DEPLOYMENT, "gpu-health-deployment", *_HEALTH)
