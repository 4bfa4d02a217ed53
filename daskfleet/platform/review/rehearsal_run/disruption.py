"""What a change does to nodes, Dask pods, namespaces and the platform: foretold, and seen."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from daskfleet.catalog.changes import ChangeClass
from daskfleet.contract.nodes import PREPULL_NAMESPACE
from daskfleet.planning.changes.consequence import Consequence, Reason
from daskfleet.planning.plan import FleetPlan
from daskfleet.platform.review.rehearsal_run.fleet import Fleet, Members, Part, Uids

KeyT = TypeVar("KeyT")
Extent = Literal["some", "all"]

PARTS: Mapping[str, Part] = {"operator": "operator", "driver": "driver installer"}
"""By kind of subject."""


@dataclass(frozen=True, kw_only=True)
class Disruption:
    """What goes while a change is carried out; what only comes is no disruption."""

    nodes: Mapping[str, Extent]
    """By pool."""

    dask_pods: Mapping[Members, Extent]
    namespaces: frozenset[str]
    platform: frozenset[Part]
    unsure: frozenset[Members | str] = frozenset()
    """Pods, pools and parts of which some may have gone or not, because somebody else chose: GKE
    the nodes of a pool that shrinks, the autoscaler when nodes come and go, the Dask operator when
    an adaptive team's workers do."""


def seen(before: Fleet, after: Fleet) -> Disruption:
    """What went between two looks."""
    installed = _gone(before.platform, after.platform)
    return Disruption(
        nodes=_gone(before.nodes, after.nodes),
        dask_pods=_gone(before.dask_pods, after.dask_pods),
        namespaces=frozenset(_gone(before.namespaces, after.namespaces)),
        platform=frozenset(part for part, _ in installed),
    )


def _gone(before: Mapping[KeyT, Uids], after: Mapping[KeyT, Uids]) -> dict[KeyT, Extent]:
    gone: dict[KeyT, Extent] = {}
    for key, uids in before.items():
        left = uids & after.get(key, frozenset())
        if left != uids:
            gone[key] = "some" if left else "all"
    return gone


def pool_names(consequences: Iterable[Consequence], plan: FleetPlan) -> frozenset[str]:
    """The pools' names in the stack file, those that a change removes included."""
    stack = plan.stack
    pools = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
    return frozenset(
        {pool.name for pool in pools}
        | {each.subject.name for each in consequences if each.subject.kind == "pool"}
    )


def foretold(consequences: Collection[Consequence], before: Fleet, plan: FleetPlan) -> Disruption:
    """What consequences say will go of a fleet whose pools are named as in the stack file.

    ``plan`` is the fleet as it will be.
    """
    told = _Foretold(before, plan)
    for each in consequences:
        told.take(each)
    told.take_fewer_workers()
    return told.disruption()


def _replaces_workers(reason: Reason) -> bool:
    """Whether a group of workers goes, or is replaced, while its Dask cluster goes on."""
    return (
        reason.resource.startswith("DaskWorkerGroup ")
        and reason.change_class is ChangeClass.IN_PLACE
        and reason.path != "spec.worker.replicas"
    )


class _Foretold:
    """Consequences added up."""

    def __init__(self, before: Fleet, plan: FleetPlan) -> None:
        self._before = before
        self._plan = plan
        self._nodes: dict[str, Extent] = {}
        self._dask_pods: dict[Members, Extent] = {}
        self._namespaces: set[str] = set()
        self._platform: set[Part] = set()
        self._unsure: set[Members | str] = set()

    def take(self, told: Consequence) -> None:
        if any(each.change_class is ChangeClass.RESTARTS_PLATFORM for each in told.reasons):
            self._platform |= {PARTS[told.subject.kind]} if told.subject.kind in PARTS else set()
        if told.subject.kind == "images" and not self._plan.stack.image_prepull:
            self._namespaces |= {PREPULL_NAMESPACE}
        if told.change_class < ChangeClass.ROLLS_DASK_CLUSTER:
            if told.subject.kind == "team" and any(map(_replaces_workers, told.reasons)):
                self._dask_pods.setdefault((told.subject.name, "worker"), "some")
            return
        goes = told.change_class >= ChangeClass.REPLACES_CLUSTER
        if told.subject.kind == "team":
            self._pods_go(told.teams)
            self._namespaces |= {told.subject.name} if goes else set()
        elif told.subject.kind == "pool":
            self._pool_goes(told)
        elif goes:
            self._pods_go(self._before.teams)
            self._nodes_go(self._before.nodes)
            self._namespaces |= set(self._before.namespaces)
        else:
            self._pods_go(told.teams)
            self._nodes_go(
                self._before.nodes if told.change_class >= ChangeClass.REPLACES_POOL else ()
            )

    def take_fewer_workers(self) -> None:
        """Workers are retired in place: of the class it is nothing, and yet pods go."""
        for each in self._plan.teams:
            workers: Members = (each.team.name, "worker")
            running = len(self._before.dask_pods.get(workers, ()))
            fewest = each.team.minimum_workers_of_all_groups
            if fewest >= running or workers in self._dask_pods:
                continue
            if each.team.adaptive:
                self._unsure |= {workers}
            else:
                self._dask_pods[workers] = "some" if fewest else "all"

    def disruption(self) -> Disruption:
        """The sum; only what is there can go."""
        return Disruption(
            nodes={pool: how for pool, how in self._nodes.items() if pool in self._before.nodes},
            dask_pods={
                members: how
                for members, how in self._dask_pods.items()
                if members in self._before.dask_pods
            },
            namespaces=frozenset(self._namespaces & self._before.namespaces.keys()),
            platform=frozenset(
                self._platform
                | {part for part, pool in self._before.platform if self._nodes.get(pool) == "all"}
            ),
            unsure=frozenset(self._unsure | self._autoscaled()),
        )

    def _pool_goes(self, told: Consequence) -> None:
        pool = told.subject.name
        is_for_schedulers = pool == self._plan.stack.scheduler_pool.name
        role = "scheduler" if is_for_schedulers else "worker"
        if told.gke_picks_nodes:
            self._nodes[pool] = "some"
            self._unsure |= {(team, role) for team in told.teams} | self._parts_on(pool)
        else:
            self._nodes_go([pool])
            self._pods_go(told.teams, roles=(role,))

    def _nodes_go(self, pools: Iterable[str]) -> None:
        self._nodes |= dict.fromkeys(pools, "all")

    def _pods_go(
        self, teams: Iterable[str], *, roles: tuple[str, ...] = ("scheduler", "worker")
    ) -> None:
        for team in teams:
            self._dask_pods |= dict.fromkeys([(team, role) for role in roles], "all")

    def _autoscaled(self) -> set[Members | str]:
        """Pools that may lose nodes that are idle, with what is on them."""
        stack = self._plan.stack
        pools = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
        names = {pool.name for pool in pools if pool.autoscaling and pool.name not in self._nodes}
        return {*names}.union(*(self._parts_on(name) for name in names))

    def _parts_on(self, pool: str) -> set[Members | str]:
        return {part for part, place in self._before.platform if place == pool}
