"""Pure: which upgrades GKE has in store, when it may, and what they touch."""

import re
from collections.abc import Iterator, Sequence

from daskfleet.contract.seen import NodeRow, PodRow
from daskfleet.platform.report.running.google_cluster import (
    Cluster,
    MaintenanceWindow,
    UpgradeInfo,
)
from daskfleet.platform.report.running.model import TouchedRow, Upgrades

NUMBERS = re.compile(r"\d+")


def upgrades_of(
    cluster: Cluster,
    info: UpgradeInfo,
    *,
    nodes: Sequence[NodeRow] | None,
    pods: Sequence[PodRow] | None,
) -> Upgrades:
    """Say what is due, and whose pods are on the nodes that are made anew.

    Args:
        cluster: as GKE has it.
        info: what GKE upgrades by itself.
        nodes: None where they could not be read.
        pods: with the pools of their nodes; None where one of the two could not be read.
    """
    now = cluster.current_master_version
    target = max((now, info.patch_target_version, info.minor_target_version), key=_order)
    window = cluster.maintenance_policy.window
    return Upgrades(
        channel=cluster.release_channel.channel,
        control_plane=now,
        patch_target=info.patch_target_version,
        minor_target=info.minor_target_version,
        paused=tuple(reason.replace("_", " ").lower() for reason in info.paused_reason),
        support_ends=info.end_of_standard_support_timestamp,
        window=_window(window),
        exclusions=tuple(
            f"{name}: {each.start_time} to {each.end_time}, "
            f"{each.maintenance_exclusion_options.scope.replace('_', ' ').lower()}"
            for name, each in window.maintenance_exclusions.items()
        ),
        control_plane_is_due=_order(target) > _order(now),
        touched=tuple(_touched(cluster, target, nodes, pods)),
    )


def _touched(
    cluster: Cluster,
    target: str,
    nodes: Sequence[NodeRow] | None,
    pods: Sequence[PodRow] | None,
) -> Iterator[TouchedRow]:
    """Return the pools that are older than what comes; nodes follow their control plane."""
    for pool in cluster.node_pools:
        if _order(pool.version) >= _order(target):
            continue
        yield TouchedRow(
            pool=pool.name,
            version=pool.version,
            nodes=None if nodes is None else sum(node.pool == pool.name for node in nodes),
            teams=None
            if pods is None
            else tuple(sorted({pod.team for pod in pods if pod.pool == pool.name})),
        )


def _window(window: MaintenanceWindow) -> str:
    if recurring := window.recurring_window:
        span = f"{recurring.window.start_time} to {recurring.window.end_time}"
        return f"{span}, again by {recurring.recurrence}"
    if daily := window.daily_maintenance_window:
        length = f" for {daily.duration}" if daily.duration else ""
        return f"each day from {daily.start_time} GMT{length}"
    return "at any time"


def _order(version: str) -> tuple[int, ...]:
    """Return what versions such as 1.33.2-gke.1240000 are ordered by."""
    return tuple(int(number) for number in NUMBERS.findall(version))
