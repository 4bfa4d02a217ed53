"""Reading Google's API: the cluster, and what GKE does to it, each of which may fail alone."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from daskfleet.access.errors import AccessError
from daskfleet.google_cloud.access import get_access
from daskfleet.platform.doctor.google_api import GoogleApi
from daskfleet.platform.report.running.google_cluster import (
    Cluster,
    UpgradeInfo,
    read_google_cluster,
)
from daskfleet.platform.report.running.model import SourceName
from daskfleet.platform.report.running.operations import Operations, untold
from daskfleet.platform.report.running.reading import Reading, failed, read


@dataclass(frozen=True, kw_only=True)
class InGoogle:
    """What GKE has of the fleet."""

    cluster: Reading[tuple[Cluster, UpgradeInfo]]
    operations: Reading[Operations]


async def read_in_google(path: str, environment: Mapping[str, str]) -> InGoogle:
    """Read, with one token; ``path`` is ``projects/P/locations/L/clusters/C``, or empty."""
    if not path:
        return _unread(AccessError("The state has no GKE cluster."))
    try:
        access = await asyncio.to_thread(get_access, environment)
    except Exception as error:  # noqa: BLE001 - whatever it is, both say it and others are read
        return _unread(error)
    location = path.rpartition("/clusters/")[0]
    async with httpx.AsyncClient() as http:
        google = GoogleApi(http, environment=environment, access=access)
        operations = google.get("container", f"{location}/operations", Operations)
        cluster, found = await asyncio.gather(
            read(SourceName.CLUSTER, read_google_cluster(google, path)),
            read(SourceName.OPERATIONS, operations, lacks=untold),
        )
    return InGoogle(cluster=cluster, operations=found)


def _unread(error: Exception) -> InGoogle:
    return InGoogle(
        cluster=failed(SourceName.CLUSTER, error),
        operations=failed(SourceName.OPERATIONS, error),
    )
