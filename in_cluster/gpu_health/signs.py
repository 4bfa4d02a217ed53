"""Pure: what a Node says of the health of its GPUs.

GKE runs its device plugin on every node with a GPU, whoever has installed the driver. The plugin
listens to NVML and writes two things into the Node: a condition with the XIDs that it takes for
critical, until the machine has booted anew, and fewer GPUs that can be allocated than there are
(github.com/GoogleCloudPlatform/container-engine-accelerators, ``health_checker.go`` at 992db812,
2026-06-11; pull request 497 shows the condition of a real node, 2025-06-23).
"""

import json
from collections.abc import Mapping
from typing import Any

CONDITION = "XidCriticalError"
"""Its reason is a JSON object with an XID for each key; its message, the ID of the boot."""

HARMLESS_XIDS = frozenset({"63"})
"""Of those that the plugin writes (48, 63, 64, 79, 119, 120, 123, 140). 63 says that a worn row of
memory will be replaced at the next reset: "successful recording of a row-remapping entry" (NVIDIA,
GPU memory error management, user visible statistics; read 2026-11-23)."""

GPUS = "nvidia.com/gpu"

SHARED_BY = "cloud.google.com/gke-max-shared-clients-per-gpu"
"""Label of a node whose GPUs are shared: it offers each of them as often as this says."""

MOST_XIDS = 8
"""That are told; a longer list is no plugin's."""

Document = Mapping[str, Any]
"""An object as the API server answers it."""


def reported(node: Document) -> str:
    """Return the critical errors that the condition tells; empty for none."""
    for condition in _status(node).get("conditions") or []:
        if condition.get("type") == CONDITION and condition.get("status") == "True":
            xids = _xids(condition.get("reason"))
            if xids is None:
                return "a critical error of a GPU"
            if critical := sorted(xids - HARMLESS_XIDS, key=lambda xid: (len(xid), xid)):
                return f"XID {', '.join(critical[:MOST_XIDS])}"
    return ""


def missing_gpus(node: Document) -> int:
    """Return how many GPUs there are that no pod can get.

    A plugin that restarts has none for a moment; one that has marked a GPU keeps it so. A GPU of
    which one share is missing is missing.
    """
    capacity, allocatable = (_gpus(node, key) for key in ("capacity", "allocatable"))
    return -(-max(0, capacity - allocatable) // _shares(node))


def is_whole(node: Document) -> bool:
    """Whether all its GPUs can be had. After a boot there is none until the driver is there."""
    return _gpus(node, "capacity") > 0 and not missing_gpus(node) and not reported(node)


def _xids(reason: object) -> frozenset[str] | None:
    """Return the XIDs of the condition's reason; None where it is something else."""
    try:
        told = json.loads(str(reason))
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or not all(key.isdecimal() for key in told):
        return None
    return frozenset(told)


def _shares(node: Document) -> int:
    """How often a node offers each of its GPUs: once, unless they are shared."""
    times = str((node["metadata"].get("labels") or {}).get(SHARED_BY, "1"))
    return max(1, int(times)) if times.isdecimal() else 1


def _gpus(node: Document, key: str) -> int:
    amount = str((_status(node).get(key) or {}).get(GPUS, "0"))
    return int(amount) if amount.isdecimal() else 0


def _status(node: Document) -> Document:
    status: Document = node.get("status") or {}
    return status
