"""The kubeconfig with which `pulumi up` works, as the program leaves it in Pulumi's state."""

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from daskfleet.access.errors import AccessError
from daskfleet.access.pulumi_state import State, state_resources
from daskfleet.files import write_private_file

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


def with_files(kubeconfig: Kubeconfig, directory: Path) -> Kubeconfig:
    """Return the kubeconfig with certificates and keys in files: kr8s would leave them behind."""
    (cluster,), (user,) = kubeconfig["clusters"], kubeconfig["users"]
    return {
        **kubeconfig,
        "clusters": [{**cluster, "cluster": _in_files(cluster["cluster"], directory)}],
        "users": [{**user, "user": _User(user["user"], directory)}],
    }


class _User(dict[str, Any]):
    """A user as kr8s keeps it, whose key is in a file of ours also when a login plugin answers it.

    kr8s 0.20 sets the answer here at each login. It would write what it then finds into a temporary
    file, and leave that behind (``_auth.py``, with ``delete=False``).
    """

    def __init__(self, given: Mapping[str, Any], directory: Path) -> None:
        super().__init__(_in_files(given, directory))
        self._directory = directory

    def __setitem__(self, key: str, value: Any) -> None:
        self.update(_in_files({key: value}, self._directory))


def _in_files(given: Mapping[str, Any], directory: Path) -> dict[str, Any]:
    inside = dict(given)
    for key in ("certificate-authority", "client-certificate", "client-key"):
        if encoded := inside.pop(f"{key}-data", None):
            file = directory / f"{key}.pem"
            is_text = "-----" in encoded  # as a plugin answers
            write_private_file(file, encoded if is_text else base64.b64decode(encoded))
            inside[key] = str(file)
    return inside
