"""Pure: what a worker's pod says of itself."""

from collections.abc import Iterable, Mapping
from typing import Any

CLUSTER = "dask.org/cluster-name"
NAME_VARIABLE = "DASK_WORKER_NAME"
"""The operator sets it in every worker's container; it is the name that the scheduler knows."""

Document = Mapping[str, Any]


def cluster_of(pod: Document) -> str:
    """Return the name of its Dask cluster, or nothing."""
    return str((pod["metadata"].get("labels") or {}).get(CLUSTER, ""))


def node_of(pod: Document) -> str:
    """Return the name of its node; empty before it has one."""
    return str(pod["spec"].get("nodeName") or "")


def worker_of(pod: Document) -> str:
    """Return the name of its Dask worker; empty where none is set."""
    variables = [each for c in pod["spec"]["containers"] for each in c.get("env") or []]
    return next((str(v.get("value", "")) for v in variables if v["name"] == NAME_VARIABLE), "")


def worker_names(pod: Document, connected: Iterable[str]) -> list[str]:
    """Return which of the connected workers are its: one, or one for each of its GPUs.

    ``dask cuda worker`` with several GPUs adds their numbers to the name.
    """
    name = worker_of(pod)
    return [
        each
        for each in connected
        if name
        and (each == name or (each.startswith(f"{name}-") and each[len(name) + 1 :].isdecimal()))
    ]
