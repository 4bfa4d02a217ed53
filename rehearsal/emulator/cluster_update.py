"""UpdateCluster: what each ``desired*`` field changes. Pure.

Every field is consumed exactly once; one that is left over is refused, so nothing that a client
asks for is dropped silently.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from rehearsal.emulator.cluster_fields import NOT_EMULATED, OTHER_NAMES, SAME_NAME
from rehearsal.emulator.cluster_spec import (
    one_authorization,
    one_encryption,
    one_endpoint,
    without_far_reach,
)
from rehearsal.emulator.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    UnimplementedError,
)
from rehearsal.emulator.node_pool_spec import check_autoscaling, check_config, defaults
from rehearsal.emulator.not_emulated import not_implemented
from rehearsal.emulator.proto3 import field_message, named
from rehearsal.emulator.versions import resolve_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Cluster, Pool


def _write(update_field: str, path: str) -> Callable[[Document, Any], None]:
    *parents, field = path.split(".")

    def write(cluster: Document, value: Any) -> None:
        at, filled_in = cluster, defaults("cluster")
        for parent in parents:
            at, filled_in = at.setdefault(parent, {}), filled_in.get(parent, {})
        schema = field_message("ClusterUpdate", update_field)
        if schema is None:
            at[field] = value
        else:
            at[field] = named(
                schema, value, standing=at.get(field, {}), defaults=filled_in.get(field, {})
            )

    return write


def _locations(cluster: Document, value: Any) -> None:
    zone = cluster["location"]
    if zone.count("-") > 1 and zone not in value:
        raise InvalidArgumentError(
            f"desiredLocations is {', '.join(value)}; it must have the cluster's own zone, {zone}."
        )
    cluster["locations"] = value


def _master_version(cluster: Document, value: Any) -> None:
    cluster["currentMasterVersion"] = resolve_version(value)


def _private_nodes(cluster: Document, value: Any) -> None:
    cluster["networkConfig"]["defaultEnablePrivateNodes"] = value
    cluster.setdefault("privateClusterConfig", {})["enablePrivateNodes"] = value


def _private_endpoint(cluster: Document, value: Any) -> None:
    cluster.setdefault("privateClusterConfig", {})["enablePrivateEndpoint"] = value
    cluster.update(one_endpoint(cluster))


def _switch(field: str) -> Callable[[Document, Any], None]:
    """Build the write of a message that is one boolean of the cluster's network."""

    def write(cluster: Document, value: Any) -> None:
        cluster["networkConfig"][field] = value.get("enabled", False)

    return write


def _endpoints(cluster: Document, value: Any) -> None:
    _write("desiredControlPlaneEndpointsConfig", "controlPlaneEndpointsConfig")(cluster, value)
    private = cluster.get("privateClusterConfig", {})
    is_public = cluster["controlPlaneEndpointsConfig"]["ipEndpointsConfig"]["enablePublicEndpoint"]
    if "enablePrivateEndpoint" in private:
        private["enablePrivateEndpoint"] = not is_public
    cluster.update(one_authorization(cluster))
    cluster.update(without_far_reach(cluster))


def _authorized_networks(cluster: Document, value: Any) -> None:
    _write(
        "desiredMasterAuthorizedNetworksConfig",
        "controlPlaneEndpointsConfig.ipEndpointsConfig.authorizedNetworksConfig",
    )(cluster, value)
    cluster.update(one_authorization(cluster))


def _secrets_encryption(cluster: Document, value: Any) -> None:
    _write("desiredDatabaseEncryption", "databaseEncryption")(cluster, value)
    cluster.update(one_encryption(cluster))


FIELDS: dict[str, Callable[[Document, Any], None]] = {
    **{
        update_field: _write(update_field, path)
        for update_field, path in [
            *((f"desired{name[0].upper()}{name[1:]}", name) for name in SAME_NAME),
            *OTHER_NAMES.items(),
        ]
    },
    "desiredControlPlaneEndpointsConfig": _endpoints,
    "desiredDatabaseEncryption": _secrets_encryption,
    "desiredDefaultEnablePrivateNodes": _private_nodes,
    "desiredEnablePrivateEndpoint": _private_endpoint,
    "desiredIntraNodeVisibilityConfig": _switch("enableIntraNodeVisibility"),
    "desiredL4ilbSubsettingConfig": _switch("enableL4ilbSubsetting"),
    "desiredLocations": _locations,
    "desiredMasterAuthorizedNetworksConfig": _authorized_networks,
    "desiredMasterVersion": _master_version,
}


_NODE_FIELDS = {"desiredImageType": "imageType", "desiredNodeVersion": "nodeVersion"}
"""Fields of ClusterUpdate that are about the nodes of one pool, as UpdateNodePoolRequest has them;
Google's Terraform provider changes the image in this way."""


def nodes_update(update: Document) -> Document:
    """Return what of an update is about a pool's nodes, as an UpdateNodePoolRequest.

    Raises UnimplementedError where it is about the cluster as well.
    """
    found = {_NODE_FIELDS[key]: value for key, value in update.items() if key in _NODE_FIELDS}
    others = update.keys() - _NODE_FIELDS.keys() - {"desiredNodePoolId"}
    if found and others:
        raise UnimplementedError(
            f"The emulator does not change nodes and {', '.join(sorted(others))} in one update."
        )
    return found


def named_pool(cluster: Cluster, update: Document) -> Pool:
    """Return the pool that an update is about; it need not be named where there is one only.

    Raises NotFoundError, and InvalidArgumentError where it has to be named.
    """
    name = update.get("desiredNodePoolId")
    if not name and len(cluster.pools) == 1:
        return next(iter(cluster.pools.values()))
    if not name:
        raise InvalidArgumentError(
            f"desiredNodePoolId must be set: the cluster has {len(cluster.pools)} node pools."
        )
    return cluster.pool(name)


def apply(cluster: Cluster, update: Document) -> Callable[[], None]:
    """Check an update and return the step that makes it.

    Raises NotFoundError or InvalidArgumentError as GKE does, UnimplementedError for a field that
    the emulator does not model.
    """
    # A text or a list that is empty is as good as absent.
    fields = {field: value for field, value in update.items() if value not in ("", [])}
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
        if field not in FIELDS:
            raise not_implemented("ClusterUpdate", field, NOT_EMULATED)
        FIELDS[field](document, value)
    if document["locations"] != cluster.document["locations"]:
        for moved in cluster.pools.values():
            check_config(moved.document["config"], zones=document["locations"])
    if autoscaling is None:
        if pool_name is not None:
            raise InvalidArgumentError("desiredNodePoolId is set, but nothing for that pool.")
        return lambda: cluster.document.update(document)
    check_autoscaling(autoscaling)
    pool = named_pool(cluster, update)

    def write() -> None:
        cluster.document.update(document)
        pool.document["autoscaling"] = {
            key: value for key, value in autoscaling.items() if autoscaling.get("enabled")
        }

    return write
