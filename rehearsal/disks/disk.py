"""Pure: which PersistentVolume a claim gets, and what becomes of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kubernetes.utils.quantity import parse_quantity

Document = Mapping[str, Any]

DRIVER = "pd.csi.storage.gke.io"
"""The provisioner of GKE's storage classes (rehearsal/emulator/data/storage_classes.yaml)."""

ZONE = "topology.kubernetes.io/zone"
MADE_BY = "pv.kubernetes.io/provisioned-by"
ASKED_OF = "volume.kubernetes.io/storage-provisioner"
"""The volume controller writes it on a claim that somebody has to make a volume for."""
SELECTED_NODE = "volume.kubernetes.io/selected-node"
"""The scheduler writes it: where the first pod that uses the claim will be."""


def waits_for_a_disk(claim: Document) -> bool:
    """Whether it is this driver's turn: with a node, since all of GKE's classes wait for one."""
    annotations = claim["metadata"].get("annotations", {})
    return (
        claim.get("status", {}).get("phase") == "Pending"
        and "deletionTimestamp" not in claim["metadata"]
        and annotations.get(ASKED_OF) == DRIVER
        and SELECTED_NODE in annotations
    )


def volume_of(
    claim: Document, *, storage_class: Document, node: Document, directory: Path
) -> dict[str, Any]:
    """Return the volume for a claim: a directory, of the zone of the node as a disk is."""
    metadata = claim["metadata"]
    name = f"pvc-{metadata['uid']}"
    in_zone = {"key": ZONE, "operator": "In", "values": [node["metadata"]["labels"][ZONE]]}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {MADE_BY: DRIVER}},
        "spec": {
            "accessModes": claim["spec"]["accessModes"],
            "capacity": {"storage": claim["spec"]["resources"]["requests"]["storage"]},
            "claimRef": {
                "apiVersion": "v1",
                "kind": "PersistentVolumeClaim",
                "namespace": metadata["namespace"],
                "name": metadata["name"],
                "uid": metadata["uid"],
            },
            "hostPath": {"path": str(directory / name), "type": "DirectoryOrCreate"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [in_zone]}]}},
            "persistentVolumeReclaimPolicy": storage_class.get("reclaimPolicy", "Delete"),
            "storageClassName": storage_class["metadata"]["name"],
        },
    }


def asks_for_more(claim: Document) -> str | None:
    """Give the size that a bound claim has been raised to, and None for one that has its size."""
    status = claim.get("status", {})
    if status.get("phase") != "Bound":
        return None
    wanted = str(claim["spec"]["resources"]["requests"]["storage"])
    has = status.get("capacity", {}).get("storage", "0")
    return wanted if parse_quantity(wanted) > parse_quantity(has) else None


def is_to_be_deleted(volume: Document) -> bool:
    """Whether nobody claims the volume any more, and its class does not keep it."""
    is_ours: bool = volume["metadata"].get("annotations", {}).get(MADE_BY) == DRIVER
    is_released: bool = volume.get("status", {}).get("phase") == "Released"
    return is_ours and is_released and volume["spec"]["persistentVolumeReclaimPolicy"] == "Delete"
