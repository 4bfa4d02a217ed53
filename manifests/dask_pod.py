"""Pure: what scheduler and worker pods have in common."""

from collections.abc import Mapping
from typing import Any

from daskfleet.contract.dask import SERVICE_ACCOUNT
from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.planning.plan import PodResources

PodSpec = dict[str, Any]
"""A PodSpec as the operator's schema embeds it."""

Container = dict[str, Any]
"""The one container of such a pod."""

DRIVER_LIBRARIES = "/usr/local/nvidia/lib64:/usr/local/cuda/lib64"
"""Where GKE mounts the driver's libraries, and where images have CUDA's. The first has not been in
the images' own search path since NVIDIA's CUDA base images 12.8.1 (NVIDIA/dcgm-exporter#484), and
without it RAPIDS finds no libcuda on GKE (rapidsai/deployment#698)."""

FIND_DRIVER = ({"name": "LD_LIBRARY_PATH", "value": DRIVER_LIBRARIES},)


def restricted(*, grace_period_s: int) -> PodSpec:
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


def with_room(container: Container, *, shm_gib: float) -> PodSpec:
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


def literal_variables(environment: Mapping[str, str]) -> list[dict[str, str]]:
    """Each variable as the stack file has it: Kubernetes replaces ``$(NAME)`` in values."""
    return [
        {"name": name, "value": value.replace("$", "$$")}
        for name, value in sorted(environment.items())
    ]


def resources(pod: PodResources) -> dict[str, Any]:
    """Memory and GPUs are limited to what is requested; CPU is not, so that idle cores help."""
    gpus = {GPU_RESOURCE: str(pod.gpus)} if pod.gpus else {}
    exact = {"memory": memory(pod.memory_gib), **gpus}
    return {"requests": {"cpu": cpu(pod.cpu), **exact}, "limits": exact}


def cpu(cores: float) -> str:
    """Cores as a quantity: ``2`` or ``1500m``."""
    millicores = round(cores * 1000)
    return f"{millicores}m" if millicores % 1000 else str(millicores // 1000)


def memory(gib: float) -> str:
    """Memory as a quantity, rounded down to whole MiB: ``4Gi`` or ``1536Mi``."""
    mebibytes = int(gib * 1024)
    return f"{mebibytes}Mi" if mebibytes % 1024 else f"{mebibytes // 1024}Gi"


def cores_of(quantity: str) -> float:
    """The cores that ``cpu`` wrote."""
    return int(quantity[:-1]) / 1000 if quantity.endswith("m") else float(quantity)


def gib_of(quantity: str) -> float:
    """The GiB that ``memory`` wrote."""
    amount = int(quantity.removesuffix("Mi").removesuffix("Gi"))
    return amount / 1024 if quantity.endswith("Mi") else amount
