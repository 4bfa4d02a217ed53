"""Pure: what the members of a team may do in its namespace, and in no other."""

from typing import Any

from daskfleet.contract.notice import CONFIG_MAP
from daskfleet.settings.tls import Tls
from manifests.dask_tls import secret_name

PolicyRule = dict[str, list[str]]
"""A ``rbac.authorization.k8s.io/v1`` PolicyRule."""

Subject = dict[str, Any]
"""A ``rbac.authorization.k8s.io/v1`` Subject."""

RBAC = "rbac.authorization.k8s.io"
READ = ["get", "list", "watch"]

KINDS = {"user": "User", "serviceAccount": "User", "group": "Group"}
"""GKE knows a Google service account as a user, by its address."""

SCALE: PolicyRule = {
    "apiGroups": ["kubernetes.dask.org"],
    "resources": ["daskworkergroups/scale"],
    "verbs": ["get", "update", "patch"],
}


NOTICE: PolicyRule = {
    "apiGroups": [""],
    "resources": ["configmaps"],
    "resourceNames": [CONFIG_MAP],
    "verbs": ["get"],
}
"""What the program posts for them, and no other ConfigMap: others are the pods'."""


def member_rules(tls: Tls | None = None, *, may_scale: bool) -> list[PolicyRule]:
    """See what runs and why it does not, read logs and the notice, reach the scheduler; scale.

    With TLS also: read the one Secret that has a client's certificate, by its name.

    Rights are added up, so nothing is said of what is left out: no exec, no other Secret, no pods
    of one's own, no deletion. Scaling is ``kubectl scale``: who may patch a whole DaskWorkerGroup,
    as ``KubeCluster.scale`` does (kr8s, ``APIObject.scale``), may write its pods' template too, and
    mount any Secret of the namespace. With several groups of workers it is left out: the operator
    would take workers of whichever group (``retirement``).
    """
    return [
        {
            "apiGroups": [""],
            "resources": ["pods", "pods/log", "services", "events", "resourcequotas"],
            "verbs": READ,
        },
        # Older API servers ask for get when kubectl opens a WebSocket, newer ones for create too
        # (KEP-4006; AuthorizePodWebsocketUpgradeCreatePermission).
        {"apiGroups": [""], "resources": ["pods/portforward"], "verbs": ["get", "create"]},
        {
            "apiGroups": ["kubernetes.dask.org"],
            "resources": ["daskclusters", "daskworkergroups"],
            "verbs": READ,
        },
        NOTICE,
        *([SCALE] if may_scale else []),
        *([_client_certificate(tls)] if tls else []),
    ]


def _client_certificate(tls: Tls) -> PolicyRule:
    return {
        "apiGroups": [""],
        "resources": ["secrets"],
        "resourceNames": [secret_name(tls, "client")],
        "verbs": ["get"],
    }


def subject(member: str) -> Subject:
    """Translate a member from IAM's spelling to Kubernetes'."""
    kind, _, address = member.partition(":")
    return {"apiGroup": RBAC, "kind": KINDS[kind], "name": address}
