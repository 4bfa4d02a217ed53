"""Pure: a team's DaskCluster, as the operator's schema wants it.

That schema embeds the PodSpec of Kubernetes 1.21 without ``int-or-string``: quantities are
strings, and the ports of probes and Services are names. A field that the schema does not know
is an error under server-side apply, and so is a null.
"""

import json
from typing import Any

from components.dask_contract import (
    CLUSTER_LABEL,
    COMM_PORT,
    COMPONENT_LABEL,
    DASHBOARD_PORT,
    PART_OF,
    PART_OF_LABEL,
    SERVICE_ACCOUNT,
    WORKER_RESOURCES,
    WORKER_THREADS,
)
from components.placement import scheduler_placement, worker_placement
from planning.node_contract import GPU_RESOURCE
from planning.plan import PodResources, TeamPlan

DaskClusterManifest = dict[str, Any]
"""A ``kubernetes.dask.org/v1`` DaskCluster."""

API_VERSION = "kubernetes.dask.org/v1"
KIND = "DaskCluster"
WORKER_DASHBOARD_PORT = 8788

DRIVER_LIBRARIES = "/usr/local/nvidia/lib64:/usr/local/cuda/lib64"
"""Where GKE mounts the driver's libraries, and where images have CUDA's. The first has not been in
the images' own search path since NVIDIA's CUDA base images 12.8.1 (NVIDIA/dcgm-exporter#484), and
without it RAPIDS finds no libcuda on GKE (rapidsai/deployment#698)."""

HTTP_ROUTES = (
    "distributed.http.scheduler.prometheus",
    "distributed.http.scheduler.info",
    "distributed.http.scheduler.json",
    "distributed.http.health",
    "distributed.http.proxy",
    "distributed.http.statics",
    "distributed.http.scheduler.api",
)
"""Dask's default routes and ``scheduler.api``, through which the operator retires the workers
that a smaller ``workers`` costs; without it the operator picks its victims blindly."""

_FIND_DRIVER = ({"name": "LD_LIBRARY_PATH", "value": DRIVER_LIBRARIES},)


def dask_cluster_manifest(plan: TeamPlan, *, name: str) -> DaskClusterManifest:
    """Describe a team's Dask cluster under a name; ``dask_generation`` knows which."""
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "metadata": {
            "name": name,
            "namespace": plan.team.name,
            # The operator copies these to every object that it makes, pods included.
            "labels": {
                **plan.team.labels,
                CLUSTER_LABEL: name,
                PART_OF_LABEL: PART_OF,
            },
        },
        "spec": {
            "idleTimeout": 0,  # anything else lets the operator delete the cluster
            "scheduler": {
                "spec": {
                    **_pod(grace_period_s=30),
                    **scheduler_placement(plan),
                    **_containers(_scheduler_container(plan), shm_gib=1),
                },
                "service": {
                    "type": "ClusterIP",
                    "selector": scheduler_selector(name),
                    "ports": service_ports(),
                },
            },
            "worker": {
                "replicas": plan.team.workers,
                "spec": {
                    **_pod(grace_period_s=60),
                    **worker_placement(plan),
                    **_containers(_worker_container(plan), shm_gib=plan.team.worker.shm_gib),
                },
            },
        },
    }


def scheduler_selector(cluster_name: str) -> dict[str, str]:
    """Labels that the operator puts on the scheduler's pod."""
    return {CLUSTER_LABEL: cluster_name, COMPONENT_LABEL: "scheduler"}


def service_ports() -> list[dict[str, Any]]:
    """The scheduler's two ports; the operator finds them by these names."""
    return [
        {"name": "tcp-comm", "protocol": "TCP", "port": COMM_PORT, "targetPort": "tcp-comm"},
        {
            "name": "http-dashboard",
            "protocol": "TCP",
            "port": DASHBOARD_PORT,
            "targetPort": "http-dashboard",
        },
    ]


def _pod(*, grace_period_s: int) -> dict[str, Any]:
    """What Pod Security ``restricted`` asks of a pod; the user is RAPIDS' own.

    The group is left to the image, whose ``/opt/conda`` only its group ``conda`` may enter: 1000 on
    Ubuntu 22.04 and 1001 on 24.04 (rapidsai/docker, ``Dockerfile`` and ``ci/compute-matrix.jq``).
    """
    return {
        "serviceAccountName": SERVICE_ACCOUNT,
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": grace_period_s,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": 1001,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def _containers(container: dict[str, Any], *, shm_gib: float) -> dict[str, Any]:
    """One container with shared memory that suits NCCL and UCX, and room to spill."""
    return {
        "containers": [
            {
                **container,
                "imagePullPolicy": "IfNotPresent",
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "capabilities": {"drop": ["ALL"]},
                },
                "volumeMounts": [
                    {"name": "shm", "mountPath": "/dev/shm"},  # noqa: S108
                    {"name": "scratch", "mountPath": "/scratch"},
                ],
            }
        ],
        "volumes": [
            {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": memory(shm_gib)}},
            {"name": "scratch", "emptyDir": {}},
        ],
    }


def _scheduler_container(plan: TeamPlan) -> dict[str, Any]:
    # A graph that takes minutes to unpack blocks the event loop that answers /health.
    health = {"httpGet": {"path": "/health", "port": "http-dashboard"}}
    return {
        "name": "scheduler",
        "image": plan.image.ref,
        "args": [
            *plan.team.scheduler.command,
            *("--host", "0.0.0.0"),  # noqa: S104  (a pod; the network policy decides who calls)
            *("--port", str(COMM_PORT)),
            *("--dashboard-address", f":{DASHBOARD_PORT}"),
        ],
        "env": [
            *_FIND_DRIVER,
            {"name": "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES", "value": json.dumps(HTTP_ROUTES)},
        ],
        "ports": [
            {"name": "tcp-comm", "containerPort": COMM_PORT, "protocol": "TCP"},
            {"name": "http-dashboard", "containerPort": DASHBOARD_PORT, "protocol": "TCP"},
        ],
        "startupProbe": {**health, "periodSeconds": 5, "failureThreshold": 60},
        "readinessProbe": {**health, "periodSeconds": 10, "timeoutSeconds": 10},
        "livenessProbe": {
            **health,
            "periodSeconds": 30,
            "timeoutSeconds": 30,
            "failureThreshold": 10,
        },
        "resources": _resources(plan.scheduler),
    }


def _worker_container(plan: TeamPlan) -> dict[str, Any]:
    """No liveness probe: the nanny restarts a dead worker, and a busy one must not be killed."""
    return {
        "name": "worker",
        "image": plan.image.ref,
        "args": [
            *plan.team.worker.command,
            *("--name", "$(DASK_WORKER_NAME)"),  # the operator scales down by this name
            *("--nthreads", str(WORKER_THREADS)),
            *("--resources", ",".join(f"{key}={n}" for key, n in WORKER_RESOURCES.items())),
            *("--dashboard-address", f":{WORKER_DASHBOARD_PORT}"),
            *("--local-directory", "/scratch"),
        ],
        "env": [*_FIND_DRIVER],
        "ports": [
            {"name": "http-dashboard", "containerPort": WORKER_DASHBOARD_PORT, "protocol": "TCP"}
        ],
        "readinessProbe": {
            "httpGet": {"path": "/health", "port": "http-dashboard"},
            "periodSeconds": 10,
            "timeoutSeconds": 10,
            "failureThreshold": 6,
        },
        "resources": _resources(plan.worker),
    }


def _resources(pod: PodResources) -> dict[str, Any]:
    """Memory and GPUs are limited to what is requested; CPU is not, so that idle cores help."""
    exact = {"memory": memory(pod.memory_gib), GPU_RESOURCE: str(pod.gpus)}
    return {"requests": {"cpu": cpu(pod.cpu), **exact}, "limits": exact}


def cpu(cores: float) -> str:
    """Cores as a quantity: ``2`` or ``1500m``."""
    millicores = round(cores * 1000)
    return f"{millicores}m" if millicores % 1000 else str(millicores // 1000)


def memory(gib: float) -> str:
    """Memory as a quantity, rounded down to whole MiB: ``4Gi`` or ``1536Mi``."""
    mebibytes = int(gib * 1024)
    return f"{mebibytes}Mi" if mebibytes % 1024 else f"{mebibytes // 1024}Gi"
