"""What changes mean for one node pool, and for the teams whose pods are on it."""

from collections.abc import Iterator, Sequence

from daskfleet.catalog.accelerators import gpu_name
from daskfleet.catalog.changes import ChangeClass
from daskfleet.catalog.durations import durations
from daskfleet.planning.changes.consequence import (
    Consequence,
    Reason,
    Subject,
    TimeSpan,
    only_shrinks,
)
from daskfleet.planning.changes.property_path import keys_of
from daskfleet.planning.changes.resource_change import ResourceChange
from daskfleet.planning.changes.zone_words import ZONES, moves, where
from daskfleet.planning.plan import FleetPlan, WorkerGroup
from daskfleet.settings.pools import GpuPool, Pool
from daskfleet.settings.stack import Stack

SIZES = {("nodeCount",), ("autoscaling",), ZONES}
"""Inputs that say how many nodes there are, and where."""


def consequence(
    subject: Subject, changes: Sequence[ResourceChange], reasons: Sequence[Reason], plan: FleetPlan
) -> Consequence:
    """What happens to a pool's nodes, and to what runs on them."""
    pool = _pool(subject.name, plan.stack)
    is_beside = {change.operation for change in changes} >= {"create", "delete"}
    worst = reasons[0].change_class
    takes_nodes = worst >= ChangeClass.ROLLS_NODES
    nodes = pool.max_nodes if pool and takes_nodes else 0
    gpus = nodes * pool.gpus_per_node if isinstance(pool, GpuPool) else 0
    on_it = _teams_on(subject.name, plan) if takes_nodes else {}
    return Consequence(
        subject=subject,
        change_class=worst,
        headline=f"{subject}: {_happens(worst, pool, reasons, is_beside=is_beside)}",
        details=(
            *_losses(subject.name, on_it, plan),
            *(_notebooks(subject.name, plan) if takes_nodes else ()),
            *_guards(worst, pool, plan, is_beside=is_beside),
            *dict.fromkeys(reason.what for reason in reasons if not is_beside),
        ),
        reasons=tuple(reasons),
        teams=tuple(on_it),
        workers=sum(on_it.values()),
        nodes=nodes,
        gpus=gpus,
        duration=_duration(worst, pool) if takes_nodes else None,
    )


def _pool(name: str, stack: Stack) -> Pool | None:
    pools: tuple[Pool, ...] = (stack.system_pool, stack.scheduler_pool, *stack.worker_pools)
    return next((pool for pool in pools if pool.name == name), None)


def _teams_on(pool: str, plan: FleetPlan) -> dict[str, int]:
    """Teams with pods on a pool, each with the number of its workers there, at most."""
    schedulers = pool == plan.stack.scheduler_pool.name
    return {
        each.team.name: sum(group.workers for group in each.groups if _may_be_on(pool, group))
        for each in plan.teams
        if schedulers or any(_may_be_on(pool, group) for group in each.groups)
    }


def _may_be_on(pool: str, group: WorkerGroup) -> bool:
    """Whether the workers may run there: those of a chain may all be on any of its pools."""
    return any(step.pool.name == pool for step in group.steps)


def _happens(
    worst: ChangeClass, pool: Pool | None, reasons: Sequence[Reason], *, is_beside: bool
) -> str:
    size = _size(pool) if pool else "its nodes"
    every_node, verb = _every_node(pool)
    gpus = _gpus(pool)
    if is_beside:
        return f"a new generation comes beside the old one ({size}{gpus}), then the old one goes"
    phrases = {
        ChangeClass.NOTHING: "nothing happens",
        ChangeClass.ADDS: f"new, {size}{gpus}",
        ChangeClass.ROLLS_NODES: (
            f"its nodes are shared out anew ({size}{where(pool)}); those of zones that go, and "
            "those of which a zone has too many, are drained"
            if moves(reasons)
            else f"it shrinks to {size}; GKE picks the nodes that go"
            if only_shrinks(reasons)
            else f"{every_node} {verb} re-created{_in_turn(pool)}{gpus}"
        ),
        ChangeClass.REPLACES_POOL: (
            f"{_all_go_first(pool)}, then the pool comes anew"
            if pool
            else "it goes with all its nodes"
        ),
    }
    if worst is ChangeClass.IN_PLACE and pool and _is_resized(reasons):
        in_zones = where(pool) if moves(reasons) else ""
        return f"{size} from now on{in_zones}{gpus}; what runs stays"
    return phrases.get(worst, "changed in place; nodes and pods stay")


def _every_node(pool: Pool | None) -> tuple[str, str]:
    """All nodes of a pool as people count them, and the verb that goes with so many."""
    if pool is None:
        return "its nodes", "are"
    if _is_elastic(pool):
        return f"its nodes ({pool.min_nodes} to {pool.max_nodes})", "are"
    return ("its only node", "is") if pool.max_nodes == 1 else (f"all {_size(pool)}", "are")


def _in_turn(pool: Pool | None) -> str:
    return "" if pool and pool.max_nodes == 1 else ", one after the other"


def _all_go_first(pool: Pool) -> str:
    every_node, verb = _every_node(pool)
    goes = "goes" if verb == "is" else "go"
    gpus = _gpus(pool).removeprefix(", ")
    return f"{every_node} {goes} first" + (f", {gpus} are given back to the zone" if gpus else "")


def _is_resized(reasons: Sequence[Reason]) -> bool:
    return all(keys_of(each.path)[:1] in SIZES for each in reasons if each.path)


def _is_elastic(pool: Pool) -> bool:
    return pool.min_nodes < pool.max_nodes


def _size(pool: Pool) -> str:
    if _is_elastic(pool):
        return f"{pool.min_nodes} to {pool.max_nodes} nodes"
    return "1 node" if pool.max_nodes == 1 else f"{pool.max_nodes} nodes"


def _gpus(pool: Pool | None) -> str:
    if not isinstance(pool, GpuPool) or not pool.has_gpus:
        return ""
    most = "up to " if _is_elastic(pool) else ""
    return f", {most}{pool.max_nodes * pool.gpus_per_node} {gpu_name(pool.accelerator)}"


def _losses(pool: str, on_it: dict[str, int], plan: FleetPlan) -> Iterator[str]:
    if not on_it:
        return
    if pool == plan.stack.scheduler_pool.name:
        yield (
            f"Schedulers of {', '.join(on_it)} run there: each restarts empty, and its team's "
            "futures, published data and running work are lost."
        )
    elif workers := [
        f"{team} ({most}{count})" for team, count, most in _counted(pool, on_it, plan)
    ]:
        yield (
            f"Workers of {', '.join(workers)} run there: their schedulers go on and compute again "
            "what was in those workers' memory; data that was only scattered there is lost."
        )


def _counted(pool: str, on_it: dict[str, int], plan: FleetPlan) -> Iterator[tuple[str, int, str]]:
    """Each team with its workers on a pool, which of a chain are that many at most."""
    chained = {
        each.team.name
        for each in plan.teams
        for group in each.groups
        if group.fallbacks and _may_be_on(pool, group)
    }
    for team, count in on_it.items():
        yield team, count, "up to " if team in chained else ""


def _notebooks(pool: str, plan: FleetPlan) -> Iterator[str]:
    """JupyterLabs that lose their node."""
    system_pool = plan.stack.system_pool.name
    teams = [
        each.team.name
        for each in plan.teams
        if (jupyter := each.jupyter)
        and pool == (jupyter.generation.pool if jupyter.generation else system_pool)
    ]
    if teams:
        yield (
            f"JupyterLab of {', '.join(teams)} runs there: running notebooks end; files at home "
            "stay."
        )


def _guards(
    worst: ChangeClass, pool: Pool | None, plan: FleetPlan, *, is_beside: bool
) -> Iterator[str]:
    if is_beside and isinstance(pool, GpuPool):
        yield (
            f"Quota and zone must have{_gpus(pool).removeprefix(',') or f' {_size(pool)}'} more, "
            "for as long as both generations exist."
        )
    elif worst is ChangeClass.REPLACES_POOL and plan.stack.long_lived:
        yield "Pulumi refuses it as long as the pool is protected (long_lived)."


def _duration(worst: ChangeClass, pool: Pool | None) -> TimeSpan | None:
    """A node and the image on it; once, or node by node where they are re-created in turn."""
    if pool is None:
        return None
    known = durations()
    image = [known["rapids-image"]] if isinstance(pool, GpuPool) else []
    steps = [*([known["gpu-node"]] if pool.has_gpus else []), *image]
    turns = pool.max_nodes if worst is ChangeClass.ROLLS_NODES else 1
    low, high = (turns * sum(getattr(s, bound) for s in steps) for bound in ("low_s", "high_s"))
    return TimeSpan(low_s=low, high_s=high) if steps else None
