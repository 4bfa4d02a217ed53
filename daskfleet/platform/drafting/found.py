"""What was found: a cluster, its pools with their sizes, and its Dask clusters."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.contract.nodes import DEDICATED_LABEL, SCHEDULER
from daskfleet.platform.drafting.dask_answers import (
    DaskAutoscaler,
    DaskCluster,
    DaskWorkerGroup,
    Metadata,
)
from daskfleet.platform.drafting.google_answers import Accelerator, Cluster, NodePool


@dataclass(frozen=True, kw_only=True)
class FoundPool:
    """A pool, and how many nodes it has now."""

    pool: NodePool
    nodes: int

    @property
    def gpus(self) -> Accelerator | None:
        """Its GPUs; a node has one kind."""
        return self.pool.gpus

    @property
    def is_for_schedulers(self) -> bool:
        """Whether it has the label by which RAPIDS' guide keeps a pool for schedulers."""
        return self.pool.config.labels.get(DEDICATED_LABEL) == SCHEDULER


@dataclass(frozen=True, kw_only=True)
class FoundDask:
    """What the operator of the cluster looks after."""

    clusters: tuple[DaskCluster, ...] = ()
    autoscalers: tuple[DaskAutoscaler, ...] = ()
    groups: tuple[DaskWorkerGroup, ...] = ()

    def groups_of(self, cluster: DaskCluster) -> Iterator[DaskWorkerGroup]:
        """Its further groups: the operator makes the first one, and calls it default."""
        first = f"{cluster.metadata.name}-default"
        for group in self.groups:
            if _is_of(group.metadata, group.spec.cluster, cluster) and group.metadata.name != first:
                yield group

    def autoscaler_of(self, cluster: DaskCluster) -> DaskAutoscaler | None:
        """What scales it."""
        for each in self.autoscalers:
            if _is_of(each.metadata, each.spec.cluster, cluster):
                return each
        return None


def _is_of(metadata: Metadata, named: str, cluster: DaskCluster) -> bool:
    """Whether an object is of a Dask cluster that it names, in its own namespace."""
    return (metadata.namespace, named) == (cluster.metadata.namespace, cluster.metadata.name)


@dataclass(frozen=True, kw_only=True)
class Found:
    """A cluster as it is."""

    project: str
    cluster: Cluster
    pools: tuple[FoundPool, ...]
    dask: FoundDask | None
    """None where Kubernetes was not looked at."""

    not_looked_at: str = ""
    """Why it was not."""
