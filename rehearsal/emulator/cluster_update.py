"""UpdateCluster: what each ``desired*`` field changes. Pure.

Every field is consumed exactly once; one that is left over is refused, so nothing that a client
asks for is dropped silently.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from rehearsal.emulator.cluster_spec import resolve_version
from rehearsal.emulator.document import Document, merged
from rehearsal.emulator.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    UnimplementedError,
)
from rehearsal.emulator.node_pool_spec import check_autoscaling
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.world import Cluster

_SAME_NAME = (
    "addonsConfig",
    "anonymousAuthenticationConfig",
    "authenticatorGroupsConfig",
    "binaryAuthorization",
    "controlPlaneEndpointsConfig",
    "costManagementConfig",
    "databaseEncryption",
    "enterpriseConfig",
    "fleet",
    "identityServiceConfig",
    "locations",
    "loggingConfig",
    "loggingService",
    "masterAuthorizedNetworksConfig",
    "meshCertificates",
    "monitoringConfig",
    "monitoringService",
    "nodeCreationConfig",
    "notificationConfig",
    "podAutoscaling",
    "protectConfig",
    "rbacBindingConfig",
    "releaseChannel",
    "resourceUsageExportConfig",
    "secretManagerConfig",
    "securityPostureConfig",
    "shieldedNodes",
    "verticalPodAutoscaling",
    "workloadIdentityConfig",
)
"""``desiredX`` becomes the cluster's ``x``."""


def _write(path: str) -> Callable[[Document, Any], None]:
    *parents, field = path.split(".")

    def write(cluster: Document, value: Any) -> None:
        at = cluster
        for parent in parents:
            at = at.setdefault(parent, {})
        old = at.get(field)
        if isinstance(old, dict) and isinstance(value, dict):
            at[field] = merged(old, value)
        else:
            at[field] = value

    return write


def _master_version(cluster: Document, value: Any) -> None:
    cluster["currentMasterVersion"] = resolve_version(value)


def _private_nodes(cluster: Document, value: Any) -> None:
    cluster["networkConfig"]["defaultEnablePrivateNodes"] = value
    cluster.setdefault("privateClusterConfig", {})["enablePrivateNodes"] = value


_FIELDS: dict[str, Callable[[Document, Any], None]] = {
    **{f"desired{name[0].upper()}{name[1:]}": _write(name) for name in _SAME_NAME},
    "desiredClusterAutoscaling": _write("autoscaling"),
    "desiredDefaultEnablePrivateNodes": _private_nodes,
    "desiredDefaultSnatStatus": _write("networkConfig.defaultSnatStatus"),
    "desiredDnsConfig": _write("networkConfig.dnsConfig"),
    "desiredGatewayApiConfig": _write("networkConfig.gatewayApiConfig"),
    "desiredGcfsConfig": _write("nodePoolDefaults.nodeConfigDefaults.gcfsConfig"),
    "desiredIntraNodeVisibilityConfig": _write("networkConfig.intraNodeVisibilityConfig"),
    "desiredL4ilbSubsettingConfig": _write("networkConfig.l4ilbSubsettingConfig"),
    "desiredMasterVersion": _master_version,
    "desiredServiceExternalIpsConfig": _write("networkConfig.serviceExternalIpsConfig"),
}


def apply(cluster: Cluster, update: Document) -> Callable[[], None]:
    """Check an update and return the step that makes it.

    Raises NotFoundError or InvalidArgumentError as GKE does, UnimplementedError for a field that
    the emulator does not model.
    """
    fields = dict(update)
    etag = fields.pop("etag", None)
    if etag is not None and etag != cluster.answer()["etag"]:
        raise FailedPreconditionError(
            f"The etag {etag} is not the current one; read the cluster again."
        )
    if not fields:
        raise InvalidArgumentError("Must specify a field to update.")
    pool_name = fields.pop("desiredNodePoolId", None)
    autoscaling = fields.pop("desiredNodePoolAutoscaling", None)
    document = copy.deepcopy(cluster.document)
    for field, value in fields.items():
        if field not in _FIELDS:
            raise UnimplementedError(f"The emulator does not implement ClusterUpdate.{field}.")
        _FIELDS[field](document, value)
    if autoscaling is None:
        if pool_name is not None:
            raise InvalidArgumentError("desiredNodePoolId is set, but nothing for that pool.")
        return lambda: cluster.document.update(document)
    check_autoscaling(autoscaling)
    pool = cluster.pool(pool_name or "")

    def write() -> None:
        cluster.document.update(document)
        pool.document["autoscaling"] = {
            key: value for key, value in autoscaling.items() if autoscaling.get("enabled")
        }

    return write


def labelled(cluster: Document, request: Document) -> Document:
    """Return the cluster with the labels of a SetLabelsRequest.

    Raises FailedPreconditionError when the request's fingerprint is not the current one.
    """
    current = fingerprint(cluster.get("resourceLabels"))
    given = request.get("labelFingerprint", "")
    if given != current:
        raise FailedPreconditionError(
            f"Labels could not be set due to fingerprint mismatch: {given!r}, current {current!r}."
        )
    return cluster | {"resourceLabels": request.get("resourceLabels", {})}
