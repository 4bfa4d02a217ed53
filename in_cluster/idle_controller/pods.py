"""Pure: the pods of a Dask cluster, as far as their age and their size are concerned."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

COMPONENT = "dask.org/component"
WORKER_NAME = "DASK_WORKER_NAME"
"""Variable in which the operator tells a worker its name (dask-kubernetes 2026.3.0)."""

FINISHED = {"Succeeded", "Failed"}
BYTES = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
BYTES |= {f"{prefix}i": 2 ** (10 * power) for power, prefix in enumerate("KMGT", start=1)}
_QUANTITY = re.compile(r"(\d+)([kMGT]|[KMGT]i|)")

Document = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Pod:
    """A pod of the scheduler or of a worker that has not finished."""

    name: str
    uid: str
    worker: str | None
    """Name of its worker; None of the scheduler's."""

    started: datetime | None
    """Since when its process runs; None while it does not. A container that starts again in its pod
    counts anew."""

    is_ready: bool
    limit_bytes: int | None
    """Memory that it may use; None where nobody says."""

    @classmethod
    def of(cls, pod: Document) -> Self:
        """Read a pod. Raises KeyError, TypeError or ValueError where it is none."""
        metadata, status = pod["metadata"], pod.get("status") or {}
        container = pod["spec"]["containers"][0]
        states = [each.get("state") or {} for each in status.get("containerStatuses") or ()]
        running = [state["running"]["startedAt"] for state in states if "running" in state]
        environment = {each["name"]: each.get("value") for each in container.get("env") or ()}
        is_worker = metadata["labels"][COMPONENT] == "worker"
        limits = (container.get("resources") or {}).get("limits") or {}
        return cls(
            name=metadata["name"],
            uid=metadata["uid"],
            worker=environment[WORKER_NAME] if is_worker else None,
            started=datetime.fromisoformat(min(running)) if running else None,
            is_ready="deletionTimestamp" not in metadata and _is_ready(status),
            limit_bytes=_bytes(limits.get("memory")),
        )


def pods_of(listed: Document) -> tuple[Pod, ...]:
    """Return the pods of a list that run or are about to; raises as ``Pod.of``."""
    return tuple(
        Pod.of(pod)
        for pod in listed["items"]
        if pod["metadata"]["labels"][COMPONENT] in {"scheduler", "worker"}
        and (pod.get("status") or {}).get("phase") not in FINISHED
    )


def _is_ready(status: Document) -> bool:
    return any(
        each["type"] == "Ready" and each["status"] == "True"
        for each in status.get("conditions") or ()
    )


def _bytes(quantity: str | None) -> int | None:
    match = _QUANTITY.fullmatch(quantity or "")
    return int(match[1]) * BYTES[match[2]] if match else None
