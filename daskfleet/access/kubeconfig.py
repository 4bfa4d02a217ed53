"""The kubeconfig with which `pulumi up` works, as the program leaves it in Pulumi's state."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_state import State, state_resources

WAY_IN = "daskfleet:gke:KubernetesProvider"
"""The component whose output it is."""

NO_PROVIDER = (
    "The state has no Kubernetes provider: the last `pulumi up` did not get as far as the cluster. "
    "Run it again."
)

Kubeconfig = dict[str, Any]
"""A ``v1`` ``Config`` document as kubectl reads it."""


def kubeconfig_in(state: State) -> Kubeconfig | None:
    """Return how the Kubernetes provider reaches the cluster; None when there is no provider.

    Raises:
        AccessError: the state holds something that this program does not write.

    """
    for resource in state_resources(state):
        if resource["type"] == WAY_IN:
            return _parsed(resource.get("outputs") or {})
    return None


def required_kubeconfig(state: State) -> Kubeconfig:
    """Return how the Kubernetes provider reaches the cluster.

    Raises:
        AccessError: there is no provider, or it holds something that this program does not write.

    """
    kubeconfig = kubeconfig_in(state)
    if kubeconfig is None:
        raise AccessError(NO_PROVIDER)
    return kubeconfig


def _parsed(outputs: Mapping[str, Any]) -> Kubeconfig:
    try:
        kubeconfig: Kubeconfig = json.loads(outputs["kubeconfig"])
    except (KeyError, TypeError, ValueError) as error:
        raise AccessError(
            "The state does not say how the cluster is reached: run `pulumi up` once with this "
            "version of the program."
        ) from error
    return kubeconfig


def server_of(kubeconfig: Kubeconfig) -> str:
    """Return where the API server answers."""
    server: str = kubeconfig["clusters"][0]["cluster"]["server"]
    return server


def with_certificate_file(kubeconfig: Kubeconfig, directory: Path) -> Kubeconfig:
    """Return the kubeconfig with its authority in a file: kr8s would leave one behind."""
    (named,) = kubeconfig["clusters"]
    cluster = dict(named["cluster"])
    if encoded := cluster.pop("certificate-authority-data", None):
        file = directory / "certificate-authority.pem"
        file.write_bytes(base64.b64decode(encoded))
        cluster["certificate-authority"] = str(file)
    return {**kubeconfig, "clusters": [{**named, "cluster": cluster}]}
