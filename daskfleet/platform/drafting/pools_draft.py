"""Pure: the pools of a cluster as a stack file has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue

from daskfleet.platform.drafting.found import FoundPool
from daskfleet.platform.drafting.google_answers import Accelerator
from daskfleet.settings.pools import NO_ACCELERATOR, SchedulerPool, SystemPool, WorkerPool

GOOGLES_OWN = "default-pool"
"""GKE makes a pool of this name with each cluster, and daskfleet removes it."""

Settings = dict[str, JsonValue]


@dataclass(frozen=True, kw_only=True)
class PoolsDraft:
    """Settings of pools, and what they are made of."""

    system: Settings | None
    """None where the cluster has no pool without GPUs; so with the others."""

    scheduler: Settings | None
    workers: tuple[Settings, ...]
    names: Mapping[str, str]
    """What each pool is called in the stack file, by its name in GKE."""

    accelerators: Mapping[str, str]
    """GPUs of the worker pools, by their name in the stack file."""

    remarks: tuple[str, ...]


def draft_pools(pools: Sequence[FoundPool], *, zone: str) -> PoolsDraft:
    """Return the pools' settings; ``zone`` is the one of nodes of which no zone is said."""
    scheduler = next((each for each in pools if each.is_for_schedulers), None)
    others = [each for each in pools if each is not scheduler]
    without_gpus = [each for each in others if not each.gpus]
    names = {each.pool.name: _name(each) for each in pools}
    return PoolsDraft(
        system=_unlike(SystemPool, _common(without_gpus[0], names, zone)) if without_gpus else None,
        scheduler=(
            _unlike(SchedulerPool, _scheduler(scheduler, names, zone)) if scheduler else None
        ),
        workers=tuple(
            _unlike(WorkerPool, _worker(each, each.gpus, names, zone))
            for each in others
            if each.gpus
        ),
        names=names,
        accelerators={
            names[each.pool.name]: each.gpus.accelerator_type for each in others if each.gpus
        },
        remarks=tuple(
            f"Pool {each.pool.name} has no GPUs and is left out. If Dask workers run there, add an "
            f"entry with accelerator: {NO_ACCELERATOR}."
            for each in without_gpus[1:]
        ),
    )


def _name(found: FoundPool) -> str:
    if found.pool.name != GOOGLES_OWN:
        return found.pool.name
    if found.gpus is None:
        return "system"
    return found.gpus.accelerator_type.removeprefix("nvidia-").removeprefix("tesla-")


def _unlike(kind: type[BaseModel], settings: Settings) -> Settings:
    """Leave out what the settings are by default, but for a pool's name and machine."""
    return {
        key: value
        for key, value in settings.items()
        if key in {"name", "machine_type"} or value != kind.model_fields[key].default
    }


def _common(found: FoundPool, names: Mapping[str, str], zone: str) -> Settings:
    config = found.pool.config
    settings: Settings = {
        "name": names[found.pool.name],
        "machine_type": config.machine_type,
        "disk_size_gb": config.disk_size_gb,
        **_size(found),
    }
    if found.pool.locations and found.pool.locations != (zone,):
        settings["zones"] = list(found.pool.locations)
    return settings


def _size(found: FoundPool) -> Settings:
    """Bounds of the pool as a whole: GKE keeps those of each zone, or totals."""
    bounds = found.pool.autoscaling
    if not bounds.enabled:
        return {"node_count": found.nodes}
    zones = len(found.pool.locations) or 1
    return {
        "autoscaling": {
            "min_nodes": bounds.total_min_node_count or bounds.min_node_count * zones,
            "max_nodes": bounds.total_max_node_count or bounds.max_node_count * zones,
        }
    }


def _scheduler(found: FoundPool, names: Mapping[str, str], zone: str) -> Settings:
    common = {**_common(found, names, zone), "spot": found.pool.config.spot}
    if found.gpus is None:
        return {**common, "accelerator": NO_ACCELERATOR}
    return {
        **common,
        **_gpus(found.gpus),
        "schedulers_per_gpu": found.gpus.gpu_sharing_config.max_shared_clients_per_gpu or 1,
    }


def _worker(found: FoundPool, gpus: Accelerator, names: Mapping[str, str], zone: str) -> Settings:
    return {
        **_common(found, names, zone),
        "spot": found.pool.config.spot,
        **_gpus(gpus),
        "gpu_partition_size": gpus.gpu_partition_size or None,
        "workers_per_gpu": gpus.gpu_sharing_config.max_shared_clients_per_gpu or 1,
    }


def _gpus(gpus: Accelerator) -> Settings:
    return {"accelerator": gpus.accelerator_type, "gpus_per_node": gpus.accelerator_count}
