"""Pure: a whole stack file for what was found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from daskfleet.platform.drafting.found import Found
from daskfleet.platform.drafting.google_answers import Cluster, Endpoints
from daskfleet.platform.drafting.pools_draft import PoolsDraft, Settings, draft_pools
from daskfleet.platform.drafting.teams_draft import draft_team, left_out
from daskfleet.settings.cluster import Cluster as ClusterSettings
from daskfleet.settings.google_names import POOL_NAME_MAX_LENGTH

BESIDE = "-fleet"
"""What the name of the fleet's cluster ends in, which comes beside the other one."""

EVERYBODY = "0.0.0.0/0"
GOOGLES_LABEL = "goog-"
"""How the labels begin that Google sets by itself."""

NO_SCHEDULER_POOL = (
    "No pool is labelled dedicated=scheduler. Without this setting a fleet has one n1-standard-2 "
    "with a T4."
)

DRIVERS_OF_GKE = frozenset({"DEFAULT", "LATEST"})


@dataclass(frozen=True, kw_only=True)
class StackDraft:
    """A stack file that nobody has looked at yet."""

    settings: Mapping[str, JsonValue]
    """As in ``Stack``; it need not be a fleet."""

    remarks: Mapping[str, tuple[str, ...]]
    """What to know of a setting, also of one that is left out."""

    pool_names: Mapping[str, str]
    """What each pool is called in the stack file, by its name in GKE."""


def draft_stack(found: Found) -> StackDraft:
    """Write a stack file for a fleet that has what the cluster has."""
    cluster = found.cluster
    zone = _zone(found)
    pools = draft_pools(found.pools, zone=zone)
    remarks: dict[str, tuple[str, ...]] = {
        "cluster": (*_cluster_remarks(cluster),),
        "scheduler_pool": _scheduler_remarks(pools),
        "worker_pools": pools.remarks,
        "driver": (*_driver_remarks(found),),
        "teams": (*_team_remarks(found),),
    }
    settings: Settings = {"project": found.project, "location": cluster.location}
    if cluster.location != zone:
        settings["node_zone"] = zone
    settings["cluster"] = _cluster(cluster)
    further: Settings = {
        "system_pool": pools.system,
        "scheduler_pool": pools.scheduler,
        "worker_pools": [*pools.workers],
        "driver": _driver(found),
        "labels": _labels(cluster),
    }
    settings |= {key: value for key, value in further.items() if value}
    dask = found.dask
    if dask and dask.clusters:
        settings["teams"] = [draft_team(each, dask, pools) for each in dask.clusters]
    return StackDraft(
        settings=settings,
        remarks={key: said for key, said in remarks.items() if said},
        pool_names=pools.names,
    )


def _zone(found: Found) -> str:
    """Return the zone of the GPUs; a zonal cluster's own where no pool says one."""
    with_gpus = sorted(found.pools, key=lambda each: (not each.gpus, each.is_for_schedulers))
    return next(
        (zone for each in with_gpus for zone in each.pool.locations), found.cluster.location
    )


def _cluster(cluster: Cluster) -> Settings:
    name = cluster.name[: POOL_NAME_MAX_LENGTH - len(BESIDE)].rstrip("-") + BESIDE
    settings: Settings = {"name": name}
    channel = cluster.release_channel.channel
    if channel and channel != ClusterSettings().release_channel:
        settings["release_channel"] = channel
    if recurring := cluster.maintenance_policy.window.recurring_window:
        settings["maintenance_window"] = {
            "start_time": recurring.window.start_time,
            "end_time": recurring.window.end_time,
            "recurrence": recurring.recurrence,
        }
    if exclusions := cluster.maintenance_policy.window.maintenance_exclusions:
        settings["maintenance_exclusions"] = [
            {
                "name": name_of,
                "start_time": each.start_time,
                "end_time": each.end_time,
                "scope": each.maintenance_exclusion_options.scope or "NO_UPGRADES",
            }
            for name_of, each in exclusions.items()
        ]
    if endpoint := _endpoint(cluster.control_plane_endpoints_config):
        settings["endpoint"] = endpoint
    if group := cluster.authenticator_groups_config.security_group:
        settings["security_group"] = group
    return settings


def _endpoint(ways: Endpoints) -> Settings:
    """Return how clients reach it, unless that is by its name or is open to everybody."""
    addresses = ways.ip_endpoints_config
    blocks = addresses.authorized_networks_config.cidr_blocks
    if ways.dns_endpoint_config.allow_external_traffic or not addresses.enabled:
        return {}
    if addresses.enable_public_endpoint and not blocks:
        return {}
    return {
        "kind": "ip" if addresses.enable_public_endpoint else "private",
        "authorized_networks": [
            {"name": each.display_name or each.cidr_block, "cidr": each.cidr_block}
            for each in blocks
        ],
    }


def _driver(found: Found) -> Settings:
    (version, *others) = _driver_versions(found) or [""]
    if others or version not in DRIVERS_OF_GKE:
        return {}
    return {"install": "gke", "channel": version}


def _driver_versions(found: Found) -> list[str]:
    """What GKE installs on pools with GPUs, each once."""
    return sorted(
        {
            each.gpus.gpu_driver_installation_config.gpu_driver_version
            for each in found.pools
            if each.gpus
        }
    )


def _driver_remarks(found: Found) -> Iterator[str]:
    versions = _driver_versions(found)
    if len(versions) > 1:
        yield (
            "Pools have different drivers: "
            f"{', '.join(each or 'nothing said' for each in versions)}. A fleet has one: without "
            "this setting daskfleet's DaemonSet installs it."
        )


def _labels(cluster: Cluster) -> Settings:
    return {
        key: value
        for key, value in sorted(cluster.resource_labels.items())
        if not key.startswith(GOOGLES_LABEL)
    }


def _cluster_remarks(cluster: Cluster) -> Iterator[str]:
    yield f"Another name than {cluster.name}, which stays what it is."
    addresses = cluster.control_plane_endpoints_config.ip_endpoints_config
    networks = addresses.authorized_networks_config
    by_name = cluster.control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic
    if addresses.enable_public_endpoint and not networks.cidr_blocks and not by_name:
        yield (
            f"The address of {cluster.name} is open to everybody. A fleet's control plane is "
            "reached by a name that IAM guards, unless `endpoint` says something else."
        )
    if any(each.cidr_block == EVERYBODY for each in networks.cidr_blocks):
        yield f"{EVERYBODY} is everybody, and is refused: name networks that you know."


def _scheduler_remarks(pools: PoolsDraft) -> tuple[str, ...]:
    if pools.scheduler is not None:
        return ()
    return (NO_SCHEDULER_POOL,)


def _team_remarks(found: Found) -> Iterator[str]:
    if found.dask is None:
        yield f"DaskClusters were not looked at: {found.not_looked_at}"
        return
    if not found.dask.clusters:
        yield "The cluster has no DaskCluster. A fleet needs one team at least."
    for each in found.dask.clusters:
        for what in left_out(each, found.dask):
            yield f"{each.metadata.name}: left out is {what}."
