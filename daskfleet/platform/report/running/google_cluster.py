"""Reading the cluster at Google's API: versions, window, and what GKE upgrades by itself."""

import asyncio
from collections.abc import Mapping

from pydantic import Field

from daskfleet.platform.doctor.answers import Answer
from daskfleet.platform.doctor.google_api import GoogleApi


class Window(Answer):
    """Between two moments."""

    start_time: str = ""
    end_time: str = ""


class ExclusionOptions(Answer):
    """What an exclusion holds back; GKE leaves out the default."""

    scope: str = "NO_UPGRADES"


class Exclusion(Window):
    """When GKE leaves upgrades."""

    maintenance_exclusion_options: ExclusionOptions = ExclusionOptions()


class Recurring(Answer):
    """A window that comes again."""

    window: Window = Window()
    recurrence: str = ""
    """RFC 5545."""


class Daily(Answer):
    """A window of each day."""

    start_time: str = ""
    duration: str = ""


class MaintenanceWindow(Answer):
    """When GKE may work on the cluster, and when not."""

    recurring_window: Recurring | None = None
    daily_maintenance_window: Daily | None = None
    maintenance_exclusions: Mapping[str, Exclusion] = Field(default_factory=dict)


class MaintenancePolicy(Answer):
    """The cluster's part of it."""

    window: MaintenanceWindow = MaintenanceWindow()


class ReleaseChannel(Answer):
    """Who chooses versions."""

    channel: str = ""


class Pool(Answer):
    """A node pool and its version."""

    name: str
    version: str = ""


class Cluster(Answer):
    """The cluster as GKE has it."""

    name: str
    current_master_version: str = ""
    release_channel: ReleaseChannel = ReleaseChannel()
    maintenance_policy: MaintenancePolicy = MaintenancePolicy()
    node_pools: tuple[Pool, ...] = ()


class UpgradeInfo(Answer):
    """What GKE upgrades by itself (``fetchClusterUpgradeInfo``)."""

    patch_target_version: str = ""
    minor_target_version: str = ""
    paused_reason: tuple[str, ...] = ()
    end_of_standard_support_timestamp: str = ""


async def read_google_cluster(google: GoogleApi, path: str) -> tuple[Cluster, UpgradeInfo]:
    """Ask GKE about the cluster at ``projects/P/locations/L/clusters/C``.

    Raises:
        NotLookedAtError: GKE refuses, or does not answer.

    """
    return await asyncio.gather(
        google.get("container", path, Cluster),
        google.get("container", f"{path}:fetchClusterUpgradeInfo", UpgradeInfo),
    )
