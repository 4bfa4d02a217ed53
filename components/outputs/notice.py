"""Pure: what a team's members are told. Nothing here is secret."""

import functools
import tomllib
from collections.abc import Iterable
from importlib.metadata import version
from typing import TypeVar

from components.outputs.fleet import monitoring_output, pool_output
from components.outputs.team import team_output
from daskfleet.catalog.software import packages_inside
from daskfleet.checkout import SOURCE_DIR
from daskfleet.contract.declared import (
    Declared,
    DeclaredGroup,
    DeclaredMonitoring,
    DeclaredOwnClusters,
    DeclaredPod,
    DeclaredPool,
    DeclaredSleep,
    DeclaredTeam,
)
from daskfleet.contract.notice import FORMAT, Notice
from daskfleet.planning.node_pool_spec import NodePoolSpec
from daskfleet.planning.plan import PodResources, TeamPlan
from daskfleet.planning.sleep import sleeps
from daskfleet.settings.stack import Stack
from manifests.ephemeral_rules import SPEC_CONFIG_MAP, SPEC_KEY
from manifests.ephemeral_spec import default_name

Told = TypeVar("Told", bound=Declared)


def notice(
    plan: TeamPlan, *, stack: Stack, pools: Iterable[NodePoolSpec], stack_name: str
) -> Notice:
    """Tell a team what the stack's outputs tell of it, and what only the stack file says."""
    return Notice(
        format=FORMAT,
        stack=stack_name,
        release=release(),
        teams={plan.team.name: _team(plan)},
        pools=tuple(
            _told(DeclaredPool, pool_output(spec, quota=None))
            for spec in pools
            if spec.generation.name in _pools(plan)
        ),
        monitoring=_told(DeclaredMonitoring, monitoring_output(stack))
        if stack.monitoring
        else DeclaredMonitoring(),
    )


def notice_text(told: Notice) -> str:
    """Write it so that a difference is a few lines, and only where something differs."""
    text = told.model_dump_json(indent=2, exclude_none=True, exclude={"retired_teams"})
    return f"{text}\n"


@functools.cache
def release() -> str:
    """Return the release of this program.

    The environment of a checkout need not have the package installed; one without a checkout has.
    """
    file = SOURCE_DIR / "pyproject.toml"
    if not file.is_file():
        return version("daskfleet")
    return str(tomllib.loads(file.read_text(encoding="utf-8"))["project"]["version"])


def _told(model: type[Told], output: Told) -> Told:
    """Return of an output what a notice has of it."""
    return model.model_validate(output.model_dump(exclude_unset=True))


def _team(plan: TeamPlan) -> DeclaredTeam:
    team = _told(DeclaredTeam, team_output(plan))
    pods = {group.name: _pod(group.pod) for group in plan.further_groups}
    return team.model_copy(
        update={
            "packages": packages_inside(plan.image.rapids, plan.image.cuda),
            "worker_pod": _pod(plan.worker),
            "groups": {name: _with_pod(each, pods[name]) for name, each in team.groups.items()},
            "sleep": _sleep(plan),
            "own_clusters": _own_clusters(plan),
        }
    )


def _with_pod(group: DeclaredGroup, pod: DeclaredPod) -> DeclaredGroup:
    return group.model_copy(update={"worker_pod": pod})


def _pod(pod: PodResources) -> DeclaredPod:
    return DeclaredPod(cpu=pod.cpu, memory_gib=pod.memory_gib, gpus=pod.gpus)


def _sleep(plan: TeamPlan) -> DeclaredSleep | None:
    team = plan.team
    if not sleeps(team):
        return None
    return DeclaredSleep(
        idle_after_min=team.idle.workers_after_min if team.idle else None, hours=team.hours
    )


def _own_clusters(plan: TeamPlan) -> DeclaredOwnClusters | None:
    if plan.team.ephemeral is None:
        return None
    return DeclaredOwnClusters(
        max_workers=plan.team.ephemeral.max_workers,
        max_clusters=plan.team.ephemeral.max_clusters,
        spec_config_map=SPEC_CONFIG_MAP,
        spec_key=SPEC_KEY,
        spec_name=default_name(plan),
    )


def _pools(plan: TeamPlan) -> set[str]:
    """GKE's names of the pools on which the team's pods are."""
    jupyter = plan.jupyter.generation if plan.jupyter else None
    return {
        plan.scheduler_generation.name,
        *(step.generation.name for group in plan.groups for step in group.steps),
        *([jupyter.name] if jupyter else []),
    }
