"""Pure: what differs between a cluster and the fleet beside it, and what both cost together."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.planning.node_pool_spec import pool_specs
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.drafting.draft import StackDraft
from daskfleet.platform.drafting.fixed import (
    Fixed,
    differences_of_cluster,
    differences_of_pool,
)
from daskfleet.platform.drafting.found import Found, FoundPool
from daskfleet.settings.cluster import Network

CLUSTER_FEE = "gke-cluster"
NO_PRICE = "at a price that is not known"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of what is there. All of them stay; the fleet has its own."""

    name: str
    differs: tuple[Fixed, ...] = ()
    """Why the fleet could not take it over."""

    note: str = ""
    together: str = ""
    """What both cost while both are there, the one that is there now."""


def compared(found: Found, draft: StackDraft, plan: FleetPlan | None) -> Iterator[Part]:
    """Compare the cluster and each pool; name each Dask cluster.

    Without a ``plan`` the draft is no fleet yet, and neither pools nor costs can be compared.
    """
    yield Part(
        name=f"GKE cluster {found.cluster.name}",
        differs=differences_of_cluster(
            found.cluster, max_pods_per_node=Network().max_pods_per_node
        ),
        together=_usd(plan, CLUSTER_FEE, 1),
    )
    for pool in found.pools:
        yield _of_pool(pool, found, draft, plan)
    for each in found.dask.clusters if found.dask else ():
        yield Part(
            name=f"DaskCluster {each.metadata.namespace}/{each.metadata.name}",
            note="its team changes over, and saves first what is in memory and on disks",
        )


def _of_pool(found: FoundPool, all_of_it: Found, draft: StackDraft, plan: FleetPlan | None) -> Part:
    name = f"node pool {found.pool.name}, {found.nodes} x {found.pool.config.machine_type}"
    if plan is None:
        return Part(name=name, note="not compared: the draft is no fleet yet")
    called = draft.pool_names[found.pool.name]
    spec = next((each for each in pool_specs(plan.stack) if each.name == called), None)
    if spec is None:
        return Part(name=name, note="the draft leaves it out")
    differs = differences_of_pool(
        found.pool,
        spec,
        project=all_of_it.project,
        cluster=plan.stack.cluster.name,
        max_pods_per_node=plan.stack.network.max_pods_per_node,
    )
    parts = (_usd(plan, spec.name, found.nodes), _quota(found))
    return Part(name=name, differs=differs, together="; ".join(filter(None, parts)))


def _quota(found: FoundPool) -> str:
    gpus = found.gpus
    if gpus is None or not found.nodes:
        return ""
    return f"GPU quota for {found.nodes * gpus.accelerator_count} more {gpus.accelerator_type}"


def _usd(plan: FleetPlan | None, item: str, count: int) -> str:
    if plan is None:
        return ""
    (line,) = (each for each in plan.cost.lines if each.item == item)
    if line.usd_per_hour_each is None:
        return NO_PRICE
    return f"{line.usd_per_hour_each * count:.2f} USD per hour"
