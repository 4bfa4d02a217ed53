"""What pools take of a project's quota, and what a ``surge`` replacement asks beyond that."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.catalog.machines import machines
from daskfleet.catalog.quotas import ALL_GPUS, quotas
from daskfleet.planning.boot_disks import boot_disk
from daskfleet.planning.pools import dask_pools
from daskfleet.settings.pools import GpuPool, Pool
from daskfleet.settings.stack import Stack


@dataclass(frozen=True, kw_only=True)
class NodeShape:
    """What all nodes of a pool are alike in, as far as quotas count it."""

    machine_type: str
    accelerator: str | None
    gpus: int
    disk_type: str
    disk_size_gb: int
    spot: bool


@dataclass(frozen=True, kw_only=True)
class Amount:
    """So much of one thing that Compute Engine counts."""

    amount: int
    what: str
    """In words, for things of which the catalog knows no metric."""

    metric: str | None
    on_demand_metric: str | None
    """What counts spot capacity where the project has no quota of its own for it."""


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
    return tuple(_quota(pool) for _, pool in dask_pools(stack) if pool.replacement == "surge")


def shape_of(pool: Pool) -> NodeShape:
    """What each node of a pool takes."""
    with_gpus = pool if isinstance(pool, GpuPool) and pool.has_gpus else None
    return NodeShape(
        machine_type=pool.machine_type,
        accelerator=with_gpus.accelerator if with_gpus else None,
        gpus=with_gpus.gpus_per_node if with_gpus else 0,
        disk_type=boot_disk(pool),
        disk_size_gb=pool.disk_size_gb,
        spot=isinstance(pool, GpuPool) and pool.spot,
    )


def amounts(shape: NodeShape, *, nodes: int) -> Iterator[Amount]:
    """What so many nodes take."""
    for item, what, each in _items(shape):
        quota = quotas().get(item)
        on_demand = quota.metric if quota else None
        spot = quota.spot_metric if quota else None
        yield Amount(
            amount=nodes * each,
            what=what,
            metric=spot if shape.spot else on_demand,
            on_demand_metric=on_demand,
        )


def _quota(pool: GpuPool) -> SurgeQuota:
    needed = list(amounts(shape_of(pool), nodes=pool.max_nodes))
    return SurgeQuota(
        pool=pool.name,
        metrics={each.metric: each.amount for each in needed if each.metric},
        uncounted={each.what: each.amount for each in needed if not each.metric},
    )


def _items(shape: NodeShape) -> Iterator[tuple[str, str, int]]:
    """Each item of the catalog's quotas, what it is in words, and how much of it a node has."""
    if shape.accelerator:
        yield shape.accelerator, f"{shape.accelerator} GPUs", shape.gpus
        if not shape.spot:
            yield ALL_GPUS, "GPUs", shape.gpus
    if machine := machines().get(shape.machine_type):
        family = shape.machine_type.partition("-")[0]
        yield family, f"vCPUs of {family} machines", machine.vcpus
    yield shape.disk_type, "GB of boot disk", shape.disk_size_gb
