"""What GKE does to the cluster, or did of late: its own upgrades and repairs among it."""

from itertools import pairwise

from daskfleet.platform.doctor.answers import Answer
from daskfleet.platform.report.running.model import OperationRow

MOST_OPERATIONS = 30
"""That are told, the newest ones, beside those that have not ended."""


class Failure(Answer):
    """Why an operation failed."""

    message: str = ""


class Operation(Answer):
    """One of GKE's (container v1, ``Operation``)."""

    operation_type: str = ""
    status: str = ""
    target_link: str = ""
    start_time: str = ""
    end_time: str = ""
    error: Failure = Failure()


class Operations(Answer):
    """Those of a location (``projects.locations.operations.list``)."""

    operations: tuple[Operation, ...] = ()
    missing_zones: tuple[str, ...] = ()
    """Of which GKE cannot tell at the moment."""


def of_cluster(found: Operations, path: str) -> tuple[OperationRow, ...]:
    """Pure: those on the cluster at ``path``, what runs first, then the newest."""
    name = path.rpartition("/")[2]
    rows = [
        _row(each, pool)
        for each in found.operations
        for cluster, pool in [_target(each.target_link)]
        if cluster == name
    ]
    newest = sorted(rows, key=lambda row: row.began_at, reverse=True)
    under_way = [row for row in newest if not row.ended_at]
    return (*under_way, *[row for row in newest if row.ended_at][:MOST_OPERATIONS])


def untold(found: Operations) -> tuple[str, ...]:
    """Return of which zones GKE does not tell."""
    zones = ", ".join(found.missing_zones)
    return (f"GKE does not answer for {zones}",) if zones else ()


def _row(operation: Operation, pool: str) -> OperationRow:
    return OperationRow(
        kind=_words(operation.operation_type),
        about=f"pool {pool}" if pool else "the cluster",
        began_at=operation.start_time,
        ended_at=operation.end_time,
        state="failed" if operation.error.message else _words(operation.status),
        failure=operation.error.message,
    )


def _target(link: str) -> tuple[str, str]:
    """Return the cluster and the pool of ``…/clusters/C/nodePools/P``; empty: none."""
    parts = link.split("/")
    named = dict(pairwise(parts))
    return named.get("clusters", ""), named.get("nodePools", "")


def _words(name: str) -> str:
    return name.replace("_", " ").lower() or "not told"
