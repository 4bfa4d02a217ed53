"""What a ``surge`` replacement asks of the project's quota beyond what the fleet already has."""

from collections.abc import Iterator
from dataclasses import dataclass

from catalog.machines import machines
from catalog.quotas import ALL_GPUS, quotas
from planning.pools import gpu_pools
from settings.pools import BOOT_DISK, GpuPool
from settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class SurgeQuota:
    """What one pool needs once more while two generations of it exist."""

    pool: str
    """The pool's name in the stack file."""

    metrics: dict[str, int]
    """Amount by quota metric, when both generations are at their largest."""

    uncounted: dict[str, int]
    """Amount by what it is, where the catalog knows no metric."""

    @property
    def notice(self) -> str:
        """What the preview says."""
        needed = [f"{amount} {metric}" for metric, amount in self.metrics.items()]
        needed += [
            f"{amount} {what} (look up the name of its quota)"
            for what, amount in self.uncounted.items()
        ]
        return (
            f"Pool {self.pool} (replacement: surge): while two generations exist, the project "
            f"needs quota for up to {', '.join(needed)} more. A preview cannot know whether the "
            "zone has them."
        )


def surge_quotas(stack: Stack) -> tuple[SurgeQuota, ...]:
    """What each pool with ``replacement: surge`` needs."""
    return tuple(_quota(pool) for _, pool in gpu_pools(stack) if pool.replacement == "surge")


def _quota(pool: GpuPool) -> SurgeQuota:
    metrics: dict[str, int] = {}
    uncounted: dict[str, int] = {}
    for item, what, amount in _amounts(pool):
        quota = quotas().get(item)
        metric = quota and (quota.spot_metric if pool.spot else quota.metric)
        if metric:
            metrics[metric] = amount
        else:
            uncounted[what] = amount
    return SurgeQuota(pool=pool.name, metrics=metrics, uncounted=uncounted)


def _amounts(pool: GpuPool) -> Iterator[tuple[str, str, int]]:
    """Each item of the catalog's quotas, what it is in words, and how much of it."""
    nodes = pool.max_nodes
    gpus = nodes * pool.gpus_per_node
    yield pool.accelerator, f"{pool.accelerator} GPUs", gpus
    if not pool.spot:
        yield ALL_GPUS, "GPUs", gpus
    if machine := machines().get(pool.machine_type):
        family = pool.machine_type.partition("-")[0]
        yield family, f"vCPUs of {family} machines", nodes * machine.vcpus
    yield BOOT_DISK, "GB of boot disk", nodes * pool.disk_size_gb
