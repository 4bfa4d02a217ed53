"""Objects that the tests create, and how they are read back."""

from typing import Any

from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.objects import KubernetesObject
from rehearsal.providers.protocol import Call, State

CONFIG_MAP = Kind("", "v1", "ConfigMap")
DEPLOYMENT = Kind("apps", "v1", "Deployment")
SERVICE = Kind("", "v1", "Service")


def config_map(namespace: str, name: str = "settings", **data: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace},
        "data": data,
    }


def deployment(namespace: str, *, cpu: str = "1") -> dict[str, Any]:
    """A Deployment that fits on no node: the control plane has none."""
    container = {
        "name": "c",
        "image": "does.not/exist:none",
        "resources": {"requests": {"cpu": cpu}},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": namespace},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {
                "metadata": {"labels": {"app": "web"}},
                "spec": {"containers": [container]},
            },
        },
    }


def refreshed(resource: KubernetesObject, state: State, call: Call) -> State:
    """Read a resource that must be there."""
    live = resource.read(stored=state, call=call)
    assert live is not None
    return live
