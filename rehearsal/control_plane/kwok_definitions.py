"""Definitions of the objects that tell kwok how to answer `kubectl logs`, `exec`, `port-forward`.

kwok serves the kubelet's API for the pods, and looks an object up that is named like the pod. Only
what the API server needs is here; kwok reads the objects with its own types (v0.8.0,
``pkg/apis/v1alpha1``).
"""

from typing import Any

GROUP = "kwok.x-k8s.io"
VERSION = "v1alpha1"
API_VERSION = f"{GROUP}/{VERSION}"

KINDS = {"Logs": "logs", "Exec": "execs", "PortForward": "portforwards"}
"""Kind to plural."""

DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SERVED_PATHS = tuple(f"/apis/{API_VERSION}/{plural}" for plural in KINDS.values())
"""What the API server answers once the definitions are in force."""


def definition(kind: str) -> dict[str, Any]:
    """Define a namespaced kind whose content is kwok's affair."""
    plural = KINDS[kind]
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {
                "kind": kind,
                "listKind": f"{kind}List",
                "plural": plural,
                "singular": kind.lower(),
            },
            "versions": [
                {
                    "name": VERSION,
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": schema},
                }
            ],
        },
    }
