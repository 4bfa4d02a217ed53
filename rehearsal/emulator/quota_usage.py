"""What of a project's quota its machines, disks and networks take. Pure."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING

import yaml

from rehearsal.emulator.machines import DATA, machine_type, region_of

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document
    from rehearsal.emulator.world import Pool, Project

_FOLDERS = {"NETWORKS": "/networks/", "ROUTERS": "/routers/", "SUBNETWORKS": "/subnetworks/"}


@functools.cache
def quota_table() -> Document:
    """Return limits and names of metrics."""
    table: Document = yaml.safe_load((DATA / "quotas.yaml").read_text(encoding="utf-8"))
    return table


def region_usage(project: Project, region: str) -> Counter[str]:
    """Return what is used in a region, by metric."""
    used: Counter[str] = Counter()
    for pool in _pools(project):
        for zone, instances in pool.instances.items():
            if region_of(zone) == region:
                used += _machines_usage(pool, zone, len(instances))
    gateways = _gateways(project, region)
    return used + Counter({"IN_USE_ADDRESSES": gateways, "STATIC_ADDRESSES": gateways})


def project_usage(project: Project) -> Counter[str]:
    """Return what is used in all regions together, by metric."""
    used: Counter[str] = Counter()
    for pool in _pools(project):
        config = pool.document["config"]
        for zone, instances in pool.instances.items():
            nodes = len(instances)
            used["CPUS_ALL_REGIONS"] += nodes * _vcpus(config, zone)
            if not _is_preemptible(config):
                used["GPUS_ALL_REGIONS"] += nodes * sum(n for _, n in _accelerators(config))
    for metric, folder in _FOLDERS.items():
        used[metric] = sum(folder in f"/{path}" for path in project.compute)
    return used


def _pools(project: Project) -> list[Pool]:
    return [pool for cluster in project.clusters.values() for pool in cluster.pools.values()]


def _machines_usage(pool: Pool, zone: str, nodes: int) -> Counter[str]:
    table = quota_table()
    config = pool.document["config"]
    prefix = "PREEMPTIBLE_" if _is_preemptible(config) else ""
    used = Counter({"INSTANCES": nodes})
    if metric := table["disks"].get(config["diskType"]):
        used[metric] += nodes * int(config["diskSizeGb"])
    family = config["machineType"].partition("-")[0]
    if metric := table["family_cpus"].get(family):
        name = f"{prefix}{metric}" if f"{prefix}{metric}" in table["regional"] else metric
        used[name] += nodes * _vcpus(config, zone)
    for accelerator, count in _accelerators(config):
        if metric := table["accelerators"].get(accelerator):
            used[f"{prefix}{metric}"] += nodes * count
    return used


def _is_preemptible(config: Document) -> bool:
    return bool(config.get("spot") or config.get("preemptible"))


def _vcpus(config: Document, zone: str) -> int:
    return machine_type(config["machineType"], zone=zone).vcpus


def _accelerators(config: Document) -> list[tuple[str, int]]:
    return [
        (each["acceleratorType"], int(each["acceleratorCount"]))
        for each in config.get("accelerators", ())
    ]


def _gateways(project: Project, region: str) -> int:
    """Count the NATs of a region; each takes one address on its own."""
    return sum(
        len(document.get("nats", ()))
        for path, document in project.compute.items()
        if path.startswith(f"regions/{region}/routers/")
    )
