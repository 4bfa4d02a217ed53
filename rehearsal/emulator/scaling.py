"""The autoscaler's decision: which zones of which pools gain or lose machines. Pure.

GKE's meaning of the bounds: ``minNodeCount``/``maxNodeCount`` count per zone,
``totalMinNodeCount``/``totalMaxNodeCount`` over all zones of the pool.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rehearsal.emulator.pod_fit import Resources, allows, fits, requests, take

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rehearsal.emulator.document import Document


@dataclass(frozen=True, kw_only=True)
class NodeView:
    """A machine that exists, or one that a pool could add (then without a name)."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Document, ...]
    free: Resources
    idle_s: float = 0.0
    """How long it has run nothing but DaemonSets."""


@dataclass(frozen=True, kw_only=True)
class ZoneView:
    """One zone of a pool."""

    nodes: tuple[NodeView, ...]
    template: NodeView
    is_out_of_stock: bool = False
    """Whether it had no machine a short while ago: it is not asked again yet."""


@dataclass(frozen=True, kw_only=True)
class PoolView:
    """A pool as the autoscaler sees it."""

    name: str
    zones: Mapping[str, ZoneView]
    autoscaling: Document
    """The API's NodePoolAutoscaling; empty or not enabled: the pool's size is fixed."""
    is_spot: bool = False

    @property
    def is_scaled(self) -> bool:
        """Whether the autoscaler owns the pool's size."""
        return bool(self.autoscaling.get("enabled"))

    @property
    def sizes(self) -> dict[str, int]:
        """Its machines by zone."""
        return {zone: len(view.nodes) for zone, view in self.zones.items()}

    def bound(self, end: str, sizes: Mapping[str, int], zone: str) -> tuple[int, int]:
        """Return (present, limit) that ``zone`` is held to; ``end`` is ``Min`` or ``Max``."""
        total = self.autoscaling.get("totalMaxNodeCount", 0)
        if total:
            return sum(sizes.values()), int(self.autoscaling.get(f"total{end}NodeCount", 0))
        return sizes[zone], int(self.autoscaling.get(f"{end.lower()}NodeCount", 0))

    def zones_to_grow_in(self, sizes: Mapping[str, int]) -> list[str]:
        """Return the zones that may have a machine, the smallest first."""
        in_stock = (zone for zone in sizes if not self.zones[zone].is_out_of_stock)
        return sorted(in_stock, key=lambda zone: sizes[zone])


@dataclass(frozen=True, kw_only=True)
class Removal:
    """One machine to drain and remove."""

    pool: str
    zone: str
    node: str


@dataclass(kw_only=True)
class Decision:
    """What to do now."""

    targets: dict[str, dict[str, int]] = field(default_factory=dict)
    """Wanted machines by pool and zone, for pools that grow."""
    helped: dict[str, list[Document]] = field(default_factory=dict)
    """The pods that will have room on new machines, by the pool that grows."""
    unhelped: list[Document] = field(default_factory=list)
    """Those that no pool has a machine for, or none more."""
    removals: list[Removal] = field(default_factory=list)


@dataclass(kw_only=True)
class _Plan:
    """Sizes and free room while the decision is being made."""

    sizes: dict[str, dict[str, int]]
    room: list[NodeView]
    new: list[tuple[NodeView, str]] = field(default_factory=list)
    """Machines that are to come, each with its pool."""
    used: set[str] = field(default_factory=set)

    def place(self, pod_spec: Document) -> NodeView | None:
        wanted = requests(pod_spec)
        for node in self.room:
            if fits(wanted, node.free) and allows(pod_spec, labels=node.labels, taints=node.taints):
                take(node.free, wanted)
                self.used.add(node.name)
                return node
        return None

    def add(self, pool: PoolView, zone: str) -> None:
        self.sizes[pool.name][zone] += 1
        node = copy.deepcopy(pool.zones[zone].template)
        self.room.append(node)
        self.new.append((node, pool.name))

    def pool_of_new(self, node: NodeView) -> str | None:
        return next((pool for added, pool in self.new if added is node), None)


def decide(
    pools: Sequence[PoolView], *, pending: Sequence[Document], scale_down_after_s: float
) -> Decision:
    """Return which pools grow for ``pending`` pods and which empty machines go.

    Pods that fit free room on existing machines are left to the scheduler. A pod for which no
    pool has a fitting machine changes nothing. Of several that have, GKE takes the least expensive
    (kubernetes-engine/docs/concepts/cluster-autoscaler); of prices, only spot is known here.
    Preferred affinity is not looked at: nor does GKE's (kubernetes/autoscaler#2804).
    """
    plan = _Plan(
        sizes={pool.name: pool.sizes for pool in pools},
        room=[
            copy.deepcopy(node)
            for pool in pools
            for view in pool.zones.values()
            for node in view.nodes
        ],
    )
    before = copy.deepcopy(plan.sizes)
    scaled = [pool for pool in pools if pool.is_scaled]
    cheapest_first = sorted(scaled, key=lambda pool: not pool.is_spot)
    for pool in scaled:
        _reach_minimum(pool, plan)
    decision = Decision()
    for pod in pending:
        node = plan.place(pod["spec"]) or _grow_for(pod["spec"], cheapest_first, plan)
        if node is None:
            decision.unhelped.append(pod)
        elif pool_name := plan.pool_of_new(node):
            decision.helped.setdefault(pool_name, []).append(pod)
    for pool in scaled:
        if plan.sizes[pool.name] != before[pool.name]:
            decision.targets[pool.name] = plan.sizes[pool.name]
        else:
            decision.removals.extend(_removals(pool, plan, scale_down_after_s))
    return decision


def _reach_minimum(pool: PoolView, plan: _Plan) -> None:
    sizes = plan.sizes[pool.name]

    def is_below(zone: str) -> bool:
        present, minimum = pool.bound("Min", sizes, zone)
        return present < minimum

    while zone := next(filter(is_below, pool.zones_to_grow_in(sizes)), None):
        plan.add(pool, zone)


def _grow_for(pod_spec: Document, pools: Sequence[PoolView], plan: _Plan) -> NodeView | None:
    wanted = requests(pod_spec)
    for pool in pools:
        sizes = plan.sizes[pool.name]
        for zone in pool.zones_to_grow_in(sizes):
            present, maximum = pool.bound("Max", sizes, zone)
            node = pool.zones[zone].template
            if (
                present < maximum
                and fits(wanted, node.free)
                and allows(pod_spec, labels=node.labels, taints=node.taints)
            ):
                plan.add(pool, zone)
                return plan.place(pod_spec)
    return None


def _removals(pool: PoolView, plan: _Plan, scale_down_after_s: float) -> list[Removal]:
    sizes = dict(plan.sizes[pool.name])
    removals = []
    for zone, view in pool.zones.items():
        for node in view.nodes:
            present, minimum = pool.bound("Min", sizes, zone)
            is_idle = node.idle_s >= scale_down_after_s and node.name not in plan.used
            if is_idle and present > minimum:
                removals.append(Removal(pool=pool.name, zone=zone, node=node.name))
                sizes[zone] -= 1
    return removals
