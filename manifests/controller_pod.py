"""Pure: one small controller of this project's, which runs in the operator's namespace."""

from collections.abc import Mapping, Sequence
from typing import Any

from daskfleet.contract.dask import KUBERNETES_COMPONENT_LABEL, PART_OF, PART_OF_LABEL
from daskfleet.contract.nodes import POOL_LABEL
from manifests.program_files import PROGRAM_PATH

ACCESS_PATH = "/run/daskfleet"
RULES_KEY = "rules.json"
"""What a controller is told, beside its program."""

TOKEN_LIFETIME_S = 3600
OPERATORS_USER = 1000
"""User of the operator's image (its Dockerfile, dask-kubernetes 2026.3.0)."""


def labels(name: str) -> dict[str, str]:
    """Labels of all that is a controller's."""
    return {
        PART_OF_LABEL: PART_OF,
        "app.kubernetes.io/name": name,
        KUBERNETES_COMPONENT_LABEL: name,
    }


def deployment_spec(
    name: str,
    *,
    module: str,
    image: str,
    pool: str,
    config_map: str,
    files: Mapping[str, str],
) -> dict[str, Any]:
    """Run one controller, never two, on the system pool.

    Args:
        name: the controller's, and its service account's.
        module: what Python runs.
        image: the operator's, which is on the system pool's nodes already, with Python and httpx
            (by kr8s).
        pool: the system pool.
        config_map: what has its files.
        files: their paths by key.
    """
    return {
        "replicas": 1,
        "strategy": {"type": "Recreate"},
        "selector": {"matchLabels": labels(name)},
        "template": {
            "metadata": {"labels": labels(name)},
            "spec": {
                "serviceAccountName": name,
                "automountServiceAccountToken": False,
                "enableServiceLinks": False,
                "terminationGracePeriodSeconds": 5,
                "nodeSelector": {POOL_LABEL: pool},
                "securityContext": {
                    "runAsNonRoot": True,
                    "runAsUser": OPERATORS_USER,
                    "fsGroup": OPERATORS_USER,  # may read the token
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "containers": [_container(name, image=image, module=module)],
                "volumes": [
                    {
                        "name": "program",
                        "configMap": {
                            "name": config_map,
                            "items": [{"key": key, "path": path} for key, path in files.items()],
                        },
                    },
                    {"name": "access", "projected": {"sources": _access()}},
                ],
            },
        },
    }


def _container(name: str, *, image: str, module: str) -> dict[str, Any]:
    return {
        "name": name,
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["python", "-m", module, f"{PROGRAM_PATH}/{RULES_KEY}"],
        "env": [
            {"name": "PYTHONPATH", "value": PROGRAM_PATH},
            {"name": "PYTHONDONTWRITEBYTECODE", "value": "1"},
            {"name": "DASKFLEET_TOKEN_FILE", "value": f"{ACCESS_PATH}/token"},
            {"name": "DASKFLEET_CA_FILE", "value": f"{ACCESS_PATH}/ca.crt"},
        ],
        "resources": {
            "requests": {"cpu": "20m", "memory": "64Mi"},
            "limits": {"memory": "128Mi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "program", "mountPath": PROGRAM_PATH, "readOnly": True},
            {"name": "access", "mountPath": ACCESS_PATH, "readOnly": True},
        ],
    }


def _access() -> Sequence[dict[str, Any]]:
    return [
        {"serviceAccountToken": {"path": "token", "expirationSeconds": TOKEN_LIFETIME_S}},
        {
            "configMap": {
                "name": "kube-root-ca.crt",
                "items": [{"key": "ca.crt", "path": "ca.crt"}],
            }
        },
    ]
