"""Pure: the Job by which a platform engineer asks Dask in a team's namespace."""

from collections.abc import Mapping, Sequence
from typing import Any

from daskfleet.contract.dask import (
    CLUSTER_LABEL,
    COMPONENT_LABEL,
    KUBERNETES_COMPONENT_LABEL,
    PART_OF,
    PART_OF_LABEL,
)
from daskfleet.contract.declared import DeclaredTeam
from daskfleet.contract.nodes import GPU_TAINT, SCHEDULER_TAINT
from manifests.dask_pod import PodSpec, restricted
from manifests.dask_tls import CA_FILE, CERT_FILE, DIRECTORY, KEY_FILE, READABLE, VOLUME
from manifests.placement import Placement, only_on, tolerate

Job = dict[str, Any]
"""A ``batch/v1`` Job."""

NAME_PREFIX = "daskfleet-verify-"
"""Kubernetes adds the rest, so that several may ask at once."""

LABELS = {PART_OF_LABEL: PART_OF, KUBERNETES_COMPONENT_LABEL: "verify"}
CONTAINER = "verify"

DEADLINE_S = 300
"""For all of it, the wait for a node and the image included: who asks waits no longer."""

KEPT_S = 300
"""How long it stays when it has ended, where whoever asked can no longer delete it."""

CPU_M = 1
MEMORY_MIB = 8
"""What it requests: planning may leave no more of a node. It takes what idle cores there are. Where
memory runs out it goes first, before any pod that uses no more than it has asked for."""

MEMORY_LIMIT_GIB = 4

SECURITY = {
    "tls_ca_file": f"{DIRECTORY}/{CA_FILE}",
    "tls_client_cert": f"{DIRECTORY}/{CERT_FILE}",
    "tls_client_key": f"{DIRECTORY}/{KEY_FILE}",
}
"""Where the pod finds a client's certificate, as ``distributed.Security`` names it."""


def verify_job(team: DeclaredTeam, *, arguments: Sequence[str]) -> Job:
    """Run the image's Python with these arguments, once, beside the team's scheduler.

    It is one of the team's pods, with the service account that has no rights, and no token. The
    scheduler lets it in as any of them (``network_policy.scheduler_clients``). The image's own
    entrypoint starts it, as it starts scheduler and workers.
    """
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "generateName": NAME_PREFIX,
            "namespace": team.namespace,
            "labels": LABELS,
        },
        "spec": {
            "backoffLimit": 0,
            "activeDeadlineSeconds": DEADLINE_S,
            "ttlSecondsAfterFinished": KEPT_S,
            "template": {
                "metadata": {"labels": LABELS},
                "spec": {
                    **restricted(grace_period_s=1),
                    **_beside_the_scheduler(team),
                    **_certificate(team),
                    "restartPolicy": "Never",
                    "containers": [_container(team, arguments)],
                },
            },
        },
    }


def _container(team: DeclaredTeam, arguments: Sequence[str]) -> Mapping[str, Any]:
    mount = {"name": VOLUME, "mountPath": DIRECTORY, "readOnly": True}
    return {
        "name": CONTAINER,
        "image": team.image,
        "imagePullPolicy": "IfNotPresent",
        "args": ["python", *arguments],
        "resources": {
            "requests": {"cpu": f"{CPU_M}m", "memory": f"{MEMORY_MIB}Mi"},
            "limits": {"memory": f"{MEMORY_LIMIT_GIB}Gi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        },
        **({"volumeMounts": [mount]} if team.tls_client_secret else {}),
    }


def _certificate(team: DeclaredTeam) -> PodSpec:
    if team.tls_client_secret is None:
        return {}
    secret = {"secretName": team.tls_client_secret, "defaultMode": READABLE}
    return {"volumes": [{"name": VOLUME, "secret": secret}]}


def _beside_the_scheduler(team: DeclaredTeam) -> Placement:
    """Where the scheduler may be, and best on its node: the image is there, and cores are idle.

    It asks for no GPU, so it takes none from anybody.
    """
    scheduler = {CLUSTER_LABEL: team.dask_cluster, COMPONENT_LABEL: "scheduler"}
    return {
        "affinity": {
            "nodeAffinity": only_on(*team.scheduler_pools),
            "podAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": 100,
                        "podAffinityTerm": {
                            "labelSelector": {"matchLabels": scheduler},
                            "topologyKey": "kubernetes.io/hostname",
                        },
                    }
                ]
            },
        },
        "tolerations": [tolerate(GPU_TAINT), tolerate(SCHEDULER_TAINT)],
    }
