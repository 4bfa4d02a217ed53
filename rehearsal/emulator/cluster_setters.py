"""Methods of clusters that set one thing: setAddons, updateMaster and the like. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rehearsal.emulator.cluster_spec import settle_maintenance
from rehearsal.emulator.cluster_update import apply
from rehearsal.emulator.errors import FailedPreconditionError
from rehearsal.emulator.node_pool_spec import defaults
from rehearsal.emulator.proto3 import named
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Cluster

    Check = Callable[[Cluster, Document], Callable[[], None]]


@dataclass(frozen=True, kw_only=True)
class Setter:
    """One method."""

    operation: str
    """``operationType`` of what it starts."""
    prepare: Check
    """Check a request and return the step that makes the change. Raises GoogleError."""


def _as_update(field: str, update_field: str) -> Check:
    def prepare(cluster: Cluster, request: Document) -> Callable[[], None]:
        update = {update_field: request[field]} if field in request else {}
        return apply(cluster, update)

    return prepare


def _message(field: str, schema: str) -> Check:
    def prepare(cluster: Cluster, request: Document) -> Callable[[], None]:
        value = named(
            schema,
            request.get(field, {}),
            standing=cluster.document.get(field, {}),
            defaults=defaults("cluster").get(field, {}),
        )
        return lambda: cluster.document.update({field: value})

    return prepare


def _legacy_abac(cluster: Cluster, request: Document) -> Callable[[], None]:
    value = {"enabled": True} if request.get("enabled") else {}
    return lambda: cluster.document.update({"legacyAbac": value})


def _labels(cluster: Cluster, request: Document) -> Callable[[], None]:
    current = fingerprint(cluster.document.get("resourceLabels"))
    given = request.get("labelFingerprint", "")
    if given != current:
        raise FailedPreconditionError(
            f"Labels could not be set due to fingerprint mismatch: {given!r}, current {current!r}."
        )
    labels = request.get("resourceLabels", {})
    return lambda: cluster.document.update({"resourceLabels": labels})


def _maintenance(cluster: Cluster, request: Document) -> Callable[[], None]:
    wished = request.get("maintenancePolicy", {})
    version = cluster.document["maintenancePolicy"]["resourceVersion"]
    if wished.get("resourceVersion") not in (None, "", version):
        raise FailedPreconditionError(
            f"maintenancePolicy.resourceVersion is not the current one, {version!r}."
        )
    policy = settle_maintenance(wished)
    return lambda: cluster.document.update({"maintenancePolicy": policy})


SETTERS = {
    "setAddons": Setter(
        operation="UPDATE_CLUSTER", prepare=_as_update("addonsConfig", "desiredAddonsConfig")
    ),
    # The kinds of operations that the API's document lists have none for this.
    "setLegacyAbac": Setter(operation="UPDATE_CLUSTER", prepare=_legacy_abac),
    "setLocations": Setter(
        operation="UPDATE_CLUSTER", prepare=_as_update("locations", "desiredLocations")
    ),
    "setLogging": Setter(
        operation="UPDATE_CLUSTER", prepare=_as_update("loggingService", "desiredLoggingService")
    ),
    "setMaintenancePolicy": Setter(operation="SET_MAINTENANCE_POLICY", prepare=_maintenance),
    "setMonitoring": Setter(
        operation="UPDATE_CLUSTER",
        prepare=_as_update("monitoringService", "desiredMonitoringService"),
    ),
    "setNetworkPolicy": Setter(
        operation="SET_NETWORK_POLICY", prepare=_message("networkPolicy", "NetworkPolicy")
    ),
    "setResourceLabels": Setter(operation="SET_LABELS", prepare=_labels),
    "updateMaster": Setter(
        operation="UPGRADE_MASTER", prepare=_as_update("masterVersion", "desiredMasterVersion")
    ),
}
"""By the method's name."""
