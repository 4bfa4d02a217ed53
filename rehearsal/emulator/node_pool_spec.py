"""From a requested NodePool to the one that GKE answers: checks and defaults. Pure."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

import yaml

from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.machines import DATA, boot_disk_type, check_accelerators, check_boot_disk
from rehearsal.emulator.node_sizing import gpu_units
from rehearsal.emulator.node_template import GPU_TAINT
from rehearsal.emulator.not_emulated import (
    NODE_CONFIG,
    NODE_POOL,
    check_emulated,
    check_image,
)
from rehearsal.emulator.proto3 import created
from rehearsal.emulator.upgrade_settings import settle_upgrade

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rehearsal.emulator.document import Document

NAME = re.compile(r"[a-z]([-a-z0-9]{0,38}[a-z0-9])?")
_MAX_SHARED_CLIENTS = 48


@functools.cache
def defaults(part: str) -> Document:
    """Return one part of ``data/defaults.yaml``: what GKE fills in."""
    data: Document = yaml.safe_load((DATA / "defaults.yaml").read_text(encoding="utf-8"))
    part_data: Document = data[part]
    return part_data


def check_name(name: str, *, what: str) -> None:
    """Raise InvalidArgumentError unless ``name`` has the form of a cluster or pool name."""
    if not NAME.fullmatch(name):
        raise InvalidArgumentError(
            f"Invalid value for field \"{what}.name\": '{name}'. Must be a match of regex "
            f"'{NAME.pattern}' (40 characters at most)."
        )


def check_config(config: Document, *, zones: Iterable[str]) -> None:
    """Raise unless every zone can have machines of this NodeConfig.

    InvalidArgumentError where GKE refuses it, UnimplementedError where the emulator does not know.
    """
    check_image(config["imageType"])
    check_emulated(config, NODE_CONFIG, what="nodeConfig")
    accelerators = config.get("accelerators", [])
    if len(accelerators) > 1:
        raise InvalidArgumentError("A node pool can have one kind of accelerator.")
    accelerator = accelerators[0] if accelerators else {}
    sharing = accelerator.get("gpuSharingConfig", {})
    clients = int(sharing.get("maxSharedClientsPerGpu", "1"))
    if clients > _MAX_SHARED_CLIENTS or (sharing and clients < 1):
        raise InvalidArgumentError(
            f"maxSharedClientsPerGpu is {clients}; allowed: 1 to {_MAX_SHARED_CLIENTS}."
        )
    gpu_units(config)
    check_boot_disk(config["machineType"], disk_type=config["diskType"])
    for zone in zones:
        check_accelerators(
            config["machineType"],
            accelerator=accelerator.get("acceleratorType", ""),
            count=int(accelerator.get("acceleratorCount", "0")),
            zone=zone,
        )
    _check_taints(config.get("taints", []))


def _check_taints(taints: Sequence[Document]) -> None:
    seen = [(taint.get("key"), taint.get("effect")) for taint in taints]
    repeated = {str(key) for key, effect in seen if seen.count((key, effect)) > 1}
    if repeated:
        raise InvalidArgumentError(
            f"Found more than one taint with key {', '.join(sorted(repeated))} and same effect."
        )


def check_autoscaling(autoscaling: Document) -> None:
    """Raise InvalidArgumentError unless the bounds make sense."""
    per_zone = (autoscaling.get("minNodeCount", 0), autoscaling.get("maxNodeCount", 0))
    total = (autoscaling.get("totalMinNodeCount", 0), autoscaling.get("totalMaxNodeCount", 0))
    if not autoscaling.get("enabled"):
        return
    if any(per_zone) and any(total):
        raise InvalidArgumentError(
            "Autoscaling: set min/max node count per zone or in total, not both."
        )
    low, high = total if any(total) else per_zone
    if high < 1 or low > high:
        raise InvalidArgumentError(
            f"Autoscaling: min_node_count {low}, max_node_count {high}; the maximum must be at "
            "least 1 and not less than the minimum."
        )


def channel_of(cluster: Document) -> str:
    """Return the release channel of a cluster, ``UNSPECIFIED`` for none."""
    channel: str = cluster.get("releaseChannel", {}).get("channel", "UNSPECIFIED")
    return channel


def check_management(management: Document, *, channel: str) -> None:
    """Raise InvalidArgumentError for what a release channel forbids (text seen from GKE)."""
    off = [field for field in ("autoUpgrade", "autoRepair") if not management.get(field)]
    if off and channel != "UNSPECIFIED":
        what = {"autoUpgrade": "Auto_upgrade", "autoRepair": "Auto_repair"}[off[0]]
        both = " and auto_repair" if len(off) > 1 else ""
        raise InvalidArgumentError(
            f"{what}{both} cannot be false when release_channel {channel} is set."
        )


def settle_accelerators(accelerators: Sequence[Document]) -> list[Document]:
    """Return accelerators with a driver, which is installed since GKE 1.30.1-gke.1156000."""
    driver = {"gpuDriverVersion": "DEFAULT"}
    return [{"gpuDriverInstallationConfig": driver, **each} for each in accelerators]


def config_defaults(machine_type: str) -> Document:
    """Return what GKE fills in of the NodeConfig of a pool with such machines."""
    usual = defaults("node_pool")["config"]
    return {**usual, "diskType": boot_disk_type(machine_type, usual=usual["diskType"])}


def settle_config(config: Document, *, gpu_taint: bool) -> Document:
    """Return a NodeConfig with GKE's defaults.

    With ``gpu_taint``, GPU nodes that lack the taint ``nvidia.com/gpu`` get it: GKE does so at
    creation if the cluster has a pool without GPUs at that moment.
    """
    machine_type = config.get("machineType", "")
    config = created("NodeConfig", config, defaults=config_defaults(machine_type))
    if "bootDisk" in config:
        config["diskSizeGb"] = int(config["bootDisk"].get("sizeGb", config["diskSizeGb"]))
        config["diskType"] = config["bootDisk"].get("diskType", config["diskType"])
    config["bootDisk"] = config.get("bootDisk", {}) | {
        "diskType": config["diskType"],
        "sizeGb": str(config["diskSizeGb"]),
    }
    model = "spot" if config.get("spot") else "on-demand"
    config["resourceLabels"] = {
        "goog-gke-node-pool-provisioning-model": model,
        **config.get("resourceLabels", {}),
    }
    if "accelerators" in config:
        config["accelerators"] = settle_accelerators(config["accelerators"])
    taints = config.get("taints", [])
    lacks_taint = all(taint["key"] != GPU_TAINT["key"] for taint in taints)
    if gpu_taint and config.get("accelerators") and lacks_taint:
        config["taints"] = [*taints, dict(GPU_TAINT)]
    return config


def settle(requested: Document, *, cluster: Document, cluster_has_cpu_pool: bool) -> Document:
    """Return the NodePool document that GKE makes of a request (without status and links).

    Raises InvalidArgumentError or UnimplementedError, as GKE or the emulator refuses it.
    """
    check_name(requested.get("name", ""), what="node_pool")
    check_emulated(requested, NODE_POOL, what="nodePool")
    pool = created("NodePool", requested, defaults=defaults("node_pool"))
    pool["config"] = settle_config(requested.get("config", {}), gpu_taint=cluster_has_cpu_pool)
    pool.setdefault("locations", list(cluster["locations"]))
    pool.setdefault("initialNodeCount", 0)
    pool.setdefault("autoscaling", {})
    pool["upgradeSettings"] = settle_upgrade(requested.get("upgradeSettings", {}))
    pool.setdefault("maxPodsConstraint", cluster["defaultMaxPodsConstraint"])
    pool.setdefault("version", cluster["currentMasterVersion"])
    network = cluster["networkConfig"]
    addresses = cluster["ipAllocationPolicy"]
    # Both have presence: a pool is silent about what its cluster never spoke of, or does not have.
    private = _renamed(network, "defaultEnablePrivateNodes", "enablePrivateNodes")
    pod_range = _renamed(addresses, "clusterSecondaryRangeName", "podRange")
    pool["networkConfig"] = {
        **private,
        **pod_range,
        "podIpv4CidrBlock": addresses["clusterIpv4CidrBlock"],
        "subnetwork": network["subnetwork"],
    } | pool["networkConfig"]
    check_config(pool["config"], zones=pool["locations"])
    check_autoscaling(pool["autoscaling"])
    check_management(pool["management"], channel=channel_of(cluster))
    return pool


def _renamed(message: Document, field: str, name: str) -> Document:
    return {name: message[field]} if field in message else {}


def initial_sizes(pool: Document) -> dict[str, int]:
    """Return machines per zone right after creation, which no autoscaling minimum raises.

    A pool created with none stays at none until a pod needs a node
    (terraform-provider-google#8270).
    """
    count: int = pool["initialNodeCount"]
    return dict.fromkeys(pool["locations"], count)
