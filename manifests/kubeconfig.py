"""Pure: the kubeconfig of a GKE cluster, as a structure."""

from typing import Any

Kubeconfig = dict[str, Any]
"""A ``v1`` ``Config`` document as kubectl reads it."""


def kubeconfig_for(*, name: str, host: str, ca_certificate: str | None) -> Kubeconfig:
    """Describe how to reach a cluster; holds no credential.

    ``host`` is an address or a DNS name without scheme. ``ca_certificate`` is base64-encoded
    PEM; None stands for a certificate that public authorities vouch for, as the DNS endpoint
    has. Tokens come from ``gke-gcloud-auth-plugin`` at the moment of use: a token written here
    would be expired in the state by the time of the next refresh or destroy.
    """
    cluster = {"server": f"https://{host}"}
    if ca_certificate is not None:
        cluster["certificate-authority-data"] = ca_certificate
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [
            {
                "name": name,
                "user": {
                    "exec": {
                        "apiVersion": "client.authentication.k8s.io/v1beta1",
                        "command": "gke-gcloud-auth-plugin",
                        "installHint": (
                            "Install gke-gcloud-auth-plugin: "
                            "gcloud components install gke-gcloud-auth-plugin"
                        ),
                        "interactiveMode": "Never",
                        "provideClusterInfo": True,
                    }
                },
            }
        ],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
