"""UpdateNodePool and its siblings: what each field of a request changes. Pure.

Every field is consumed exactly once; one that is left over is refused, so nothing that a client
asks for is dropped silently.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.node_pool_spec import (
    check_config,
    config_defaults,
    defaults,
    settle_accelerators,
)
from rehearsal.emulator.node_template import GPU_TAINT
from rehearsal.emulator.not_emulated import not_implemented
from rehearsal.emulator.proto3 import field_message, named
from rehearsal.emulator.upgrade_settings import settle_upgrade
from rehearsal.emulator.world import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

    from rehearsal.emulator.document import Document

ADDRESS = ("name", "projectId", "zone", "clusterId", "nodePoolId", "clusterName")
"""Repeats of the path."""

_NOTHING_NAMED = (
    "At least one of ['node_version', 'image_type', 'updated_node_pool', 'locations', "
    "'workload_metadata_config', 'upgrade_settings', 'kubelet_config', 'linux_node_config', "
    "'tags', 'taints', 'labels', 'node_network_config', 'gcfs_config', 'gvnic', "
    "'confidential_nodes', 'logging_config', 'fast_socket', 'resource_labels', 'accelerators', "
    "'windows_node_config', 'machine_type', 'disk_type', 'disk_size_gb', 'containerd_config', "
    "'resource_manager_tags'] must be specified."
)
"""GKE's words, which Google's Terraform provider gets when it takes the last label from a pool: it
names no field then (terraform-provider-google issue 15848)."""


@dataclass(frozen=True, kw_only=True)
class PoolUpdate:
    """The pool after an update and what the update does to its machines."""

    document: Document
    rolls_nodes: bool
    """Machines are replaced one batch after the other."""
    marks_nodes: bool
    """Labels or taints are written onto the nodes, which go on as they are."""


def _config(field: str) -> Callable[[Document, Any], None]:
    schema = field_message("NodeConfig", field)

    def write(pool: Document, value: Any) -> None:
        default = defaults("node_pool")["config"].get(field, {})
        # What is sent takes the place of what there was, as a new pool would be made with it.
        pool["config"][field] = (
            named(schema, value, standing=default, defaults=default) if schema else value
        )

    return write


def _collection(field: str) -> Callable[[Document, Any], None]:
    """Build the write of a list or map, which travels in a message of its own."""

    def write(pool: Document, value: Any) -> None:
        pool["config"].pop(field, None)
        if value.get(field):
            pool["config"][field] = value[field]

    return write


def _taints(pool: Document, value: Any) -> None:
    taints = value.get("taints", [])
    # An edit sends only the configured taints; the one that GKE added itself stays.
    own = [taint for taint in pool["config"].get("taints", []) if taint == GPU_TAINT]
    keys = {taint["key"] for taint in taints}
    kept = [taint for taint in own if taint["key"] not in keys]
    _collection("taints")(pool, {"taints": [*taints, *kept]})


def _disk(field: str, boot_field: str) -> Callable[[Document, Any], None]:
    def write(pool: Document, value: Any) -> None:
        config = pool["config"]
        config[field] = int(value) if field == "diskSizeGb" else value
        config["bootDisk"] = config["bootDisk"] | {boot_field: str(value)}

    return write


def _boot_disk(pool: Document, value: Any) -> None:
    config = pool["config"]
    filled_in = config_defaults(config["machineType"])
    default = {"diskType": filled_in["diskType"], "sizeGb": str(filled_in["diskSizeGb"])}
    config["bootDisk"] = named("BootDisk", value, standing={}, defaults=default)
    config["diskSizeGb"] = int(config["bootDisk"]["sizeGb"])
    config["diskType"] = config["bootDisk"]["diskType"]


def _accelerators(pool: Document, value: Any) -> None:
    pool["config"]["accelerators"] = settle_accelerators(value)


def _node_network(pool: Document, value: Any) -> None:
    standing = pool["networkConfig"]
    # Its texts were filled in when the pool was made, and are immutable.
    pool["networkConfig"] = named("NodeNetworkConfig", value, standing=standing, defaults=standing)


def _top(field: str) -> Callable[[Document, Any], None]:
    schema = field_message("NodePool", field)

    def write(pool: Document, value: Any) -> None:
        standing = pool.get(field, {})
        pool[field] = named(schema, value, standing=standing, defaults={}) if schema else value

    return write


def _resource_labels(pool: Document, value: Any) -> None:
    config = pool["config"]
    own = {k: v for k, v in config["resourceLabels"].items() if k.startswith("goog-gke-")}
    config["resourceLabels"] = own | value.get("labels", {})


_ROLLING: dict[str, Callable[[Document, Any], None]] = {
    "accelerators": _accelerators,
    "confidentialNodes": _config("confidentialNodes"),
    "containerdConfig": _config("containerdConfig"),
    "bootDisk": _boot_disk,
    "diskSizeGb": _disk("diskSizeGb", "sizeGb"),
    "diskType": _disk("diskType", "diskType"),
    "fastSocket": _config("fastSocket"),
    "gcfsConfig": _config("gcfsConfig"),
    "gvnic": _config("gvnic"),
    "imageType": _config("imageType"),
    "kubeletConfig": _config("kubeletConfig"),
    "linuxNodeConfig": _config("linuxNodeConfig"),
    "loggingConfig": _config("loggingConfig"),
    "machineType": _config("machineType"),
    "nodeNetworkConfig": _node_network,
    "nodeVersion": _top("version"),
    "storagePools": _config("storagePools"),
    "tags": _collection("tags"),
    "workloadMetadataConfig": _config("workloadMetadataConfig"),
    # Labels of machines (gcloud container node-pools update --labels: it re-creates the nodes).
    "resourceLabels": _resource_labels,
}
"""Fields whose change replaces the machines (the API's default nodeConfigUpdateMode)."""

_MARKING: dict[str, Callable[[Document, Any], None]] = {
    "labels": _collection("labels"),
    "taints": _taints,
}
"""Fields that GKE writes onto the nodes that there are
(cloud.google.com/kubernetes-engine/docs/how-to/update-existing-nodepools)."""

_IN_PLACE: dict[str, Callable[[Document, Any], None]] = {
    "locations": _top("locations"),
    "maintenancePolicy": _top("maintenancePolicy"),
    "nodeDrainConfig": _top("nodeDrainConfig"),
    "resourceManagerTags": _config("resourceManagerTags"),
    "upgradeSettings": lambda pool, value: pool.__setitem__(
        "upgradeSettings", settle_upgrade(value)
    ),
}

FIELDS = {**_ROLLING, **_MARKING, **_IN_PLACE}
"""What makes each change of a pool that an update can ask for."""

NOT_EMULATED = {
    "consolidationDelay": "an autoscaler that waits longer for some pools",
    "flexStart": "machines that start when there is capacity",
    "image": "images of a client's own for nodes",
    "imageProject": "images of a client's own for nodes",
    "maxRunDuration": "machines that live for a limited time",
    "nodeConfigUpdateMode": "ways of its own to roll a pool",
    "nodes": "upgrades of single nodes",
    "queuedProvisioning": "pools that begin or end to queue; a new pool can",
    "taintConfig": "taints for machines with Arm",
    "windowsNodeConfig": "Windows",
}
"""The other fields of UpdateNodePoolRequest, and what the emulator lacks for each."""


def updated(pool: Document, request: Document) -> PoolUpdate:
    """Return what an UpdateNodePoolRequest makes of ``pool``.

    Raises InvalidArgumentError for a request that GKE refuses, UnimplementedError for a field
    that the emulator does not model.
    """
    document = copy.deepcopy(pool)
    # A text, a list or a number that is empty or zero is as good as absent.
    fields = {
        key: value
        for key, value in request.items()
        if key not in ADDRESS and value not in ("", [], "0")
    }
    etag = fields.pop("etag", None)
    if etag is not None and etag != fingerprint(pool):
        raise InvalidArgumentError(f"The etag {etag} is not the current one; read the pool again.")
    if not fields:
        raise InvalidArgumentError(_NOTHING_NAMED)
    for field, value in fields.items():
        if field not in FIELDS:
            raise not_implemented("UpdateNodePoolRequest", field, NOT_EMULATED)
        FIELDS[field](document, value)
    check_config(document["config"], zones=document["locations"])
    return PoolUpdate(
        document=document,
        rolls_nodes=any(field in _ROLLING for field in fields),
        marks_nodes=any(field in _MARKING for field in fields),
    )
