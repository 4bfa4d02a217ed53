"""Pure: on which nodes scheduler and workers may run."""

from collections.abc import Sequence
from typing import Any

from daskfleet.contract.nodes import (
    DEDICATED_LABEL,
    GPU_TAINT,
    POOL_LABEL,
    SCHEDULER,
    SCHEDULER_TAINT,
    WORKER_TAINT,
    Taint,
)
from daskfleet.planning.plan import JupyterPlan, TeamPlan, WorkerGroup

Placement = dict[str, Any]
"""The ``affinity`` and ``tolerations`` of a PodSpec."""

MOST_WEIGHT = 100
"""Kubernetes' most for one preference. Its scheduler scales what a node has of them to 100 and
counts it twice, where free resources and images that are there count once."""

NODE_LOST_S = 60
"""How long the scheduler waits for a lost node to come back. Kubernetes' default of 300 s is five
minutes in which no client of the team can work, and the cluster's state is gone either way."""


def scheduler_placement(plan: TeamPlan) -> Placement:
    """On the scheduler pool; with ``fallback: worker-pool`` also on the team's own workers' pool.

    Without fallback the affinity is required: a scheduler that finds the pool full waits and
    makes an autoscaled pool grow. A preferred one would take a worker's GPU instead, and keep it
    for as long as it lives. A pool with ``replacement: surge`` is meant by its generation: while
    there are two, both are dedicated to schedulers, and the old one is about to go.
    """
    pool = plan.scheduler_generation
    on_scheduler_pool = (
        _node_is(POOL_LABEL, pool.name)
        if pool.is_numbered
        else _node_is(DEDICATED_LABEL, SCHEDULER)
    )
    affinity: dict[str, Any]
    if plan.team.scheduler.fallback == "none":
        affinity = {"requiredDuringSchedulingIgnoredDuringExecution": _any_of(on_scheduler_pool)}
    else:
        affinity = {
            "requiredDuringSchedulingIgnoredDuringExecution": _any_of(
                _node_is(POOL_LABEL, pool.name, plan.worker_generation.name)
            ),
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "preference": {"matchExpressions": [on_scheduler_pool]}}
            ],
        }
    return {
        "affinity": {"nodeAffinity": affinity},
        "tolerations": [
            *([tolerate(GPU_TAINT)] if plan.scheduler.gpus else []),
            tolerate(SCHEDULER_TAINT),
            *(
                {
                    "key": f"node.kubernetes.io/{condition}",
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": NODE_LOST_S,
                }
                for condition in ("unreachable", "not-ready")
            ),
        ],
    }


def worker_placement(group: WorkerGroup) -> Placement:
    """On the pools of the group and nowhere else; of a chain's, the first is preferred.

    Kubernetes' scheduler weighs the preference among nodes that exist. Which pool grows when none
    has room, the cluster autoscaler decides, which reads no preference (decision 0056).
    """
    names = [step.generation.name for step in group.steps]
    return {
        "affinity": {
            "nodeAffinity": {**only_on(*names), **_preferring(names)},
        },
        "tolerations": [tolerate(GPU_TAINT if group.has_gpu else WORKER_TAINT)],
    }


def jupyter_placement(jupyter: JupyterPlan, *, system_pool: str) -> Placement:
    """On a worker pool where it has a GPU, else on the system pool."""
    generation = jupyter.generation
    if generation is None:
        return {"affinity": {"nodeAffinity": only_on(system_pool)}}
    return {
        "affinity": {"nodeAffinity": only_on(generation.name)},
        "tolerations": [tolerate(GPU_TAINT)],
    }


def required_pools(plan: TeamPlan) -> tuple[str, ...]:
    """Return the pools, by their names in the stack file, without which the cluster cannot run.

    No other team's: a zone that is out of its GPU must not stop this one. And not the scheduler
    pool when the team has a fallback for just that case; unless it is replaced by surge, when the
    team would leave the old generation at once, for a worker's GPU, instead of waiting for the new.
    """
    scheduler = plan.scheduler_generation
    workers = tuple(
        dict.fromkeys(step.generation.pool for group in plan.groups for step in group.steps)
    )
    if plan.team.scheduler.fallback == "worker-pool" and not scheduler.is_numbered:
        return workers
    return (scheduler.pool, *workers)


def only_on(*pools: str) -> dict[str, Any]:
    """Return the node affinity that binds a pod to a pool, or to one of several, by GKE's names."""
    return {"requiredDuringSchedulingIgnoredDuringExecution": _any_of(_node_is(POOL_LABEL, *pools))}


def _preferring(names: Sequence[str]) -> dict[str, Any]:
    """Return preferences that fall evenly from the first name to the last, which has none."""
    steps = len(names) - 1
    if not steps:
        return {}
    return {
        "preferredDuringSchedulingIgnoredDuringExecution": [
            {
                "weight": MOST_WEIGHT * (steps - place) // steps,
                "preference": {"matchExpressions": [_node_is(POOL_LABEL, name)]},
            }
            for place, name in enumerate(names[:-1])
        ]
    }


def _node_is(key: str, *values: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": list(values)}


def _any_of(expression: dict[str, Any]) -> dict[str, Any]:
    return {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}


def tolerate(taint: Taint) -> dict[str, str]:
    """Return the toleration of a taint."""
    return {
        "key": taint.key,
        "operator": "Equal",
        "value": taint.value,
        "effect": taint.effect,
    }
