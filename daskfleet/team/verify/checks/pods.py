"""Pure: the pods, by the Kubernetes API."""

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.checks.groups import (
    are_as_declared,
    declared_workers,
    in_words,
    workers_by_group,
)
from daskfleet.team.verify.checks.wording import counted
from daskfleet.team.verify.facts import PodFacts, TeamFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

READY = "pods ready"
POOLS = "pods on their pools"
IMAGES = "image of every pod"


def pods_ready(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """One scheduler and the declared workers are ready."""
    schedulers = sum(pod.role == "scheduler" and pod.is_ready for pod in facts.pods)
    workers = [pod.name for pod in facts.pods if pod.role == "worker" and pod.is_ready]
    groups = workers_by_group(team, workers)
    expected = f"1 scheduler and {declared_workers(team)} ready"
    seen = f"{counted(schedulers, 'scheduler')} and {counted(len(workers), 'worker')} ready"
    seen += in_words(groups)
    if schedulers == 1 and are_as_declared(team, groups):
        return passed(READY, expected=expected, seen=seen)
    others = [f"{pod.name}: {pod.state}" for pod in facts.pods if not pod.is_ready]
    return failed(
        READY,
        expected=expected,
        seen="; ".join([seen, *others]),
        next_step=f"Look at them with `kubectl get pods --namespace {team.namespace}` and "
        "`kubectl describe pod`; `daskfleet drift` says whether somebody has changed their "
        "number, and `pulumi up` makes the operator create what is missing.",
    )


def pods_on_their_pools(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Every pod runs on a node of the pool that it belongs to."""
    of_workers = dict.fromkeys(" or ".join(group.pools) for group in team.all_groups)
    expected = (
        f"the scheduler on {' or '.join(team.scheduler_pools)}, workers on {', '.join(of_workers)}"
    )
    if any(pod.pool is None for pod in facts.pods):
        return not_measured(
            POOLS,
            expected=expected,
            seen="nodes may not be read, as by members of a team",
            next_step="Pods require their pool of Kubernetes, so one that is ready is on it; "
            "platform engineers see it with `--stack`.",
        )
    wrong = [
        f"{pod.role} {pod.name} is on {_place(pod)}"
        for pod in facts.pods
        if pod.pool not in _allowed(team, pod)
    ]
    if wrong or not facts.pods:
        return failed(
            POOLS,
            expected=expected,
            seen="; ".join(wrong) or "no pods",
            next_step="What steers them is on the pods' Deployments and the nodes' labels: "
            "`daskfleet drift` names who edited them. When they are as declared, delete the pod, "
            "and its Deployment makes it where it belongs.",
        )
    return passed(
        POOLS, expected=expected, seen=f"all {len(facts.pods)} pods{_of_chains(team, facts)}"
    )


def _of_chains(team: DeclaredTeam, facts: TeamFacts) -> str:
    """How many workers each pool of a chain carries, which nothing else tells."""
    counts: dict[str, int] = {}
    for group in team.all_groups:
        if group.worker_pools:
            counts |= dict.fromkeys(group.worker_pools, 0)
    for pod in facts.pods:
        if pod.role == "worker" and pod.pool in counts:
            counts[pod.pool] += 1
    return "".join(f", {counted(count, 'worker')} on {pool}" for pool, count in counts.items())


def image_of_every_pod(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Every pod runs the image that the stack declares."""
    wrong = [f"{pod.name} runs {pod.image}" for pod in facts.pods if pod.image != team.image]
    if wrong or not facts.pods:
        return failed(
            IMAGES,
            expected=team.image,
            seen="; ".join(wrong) or "no pods",
            next_step="Somebody has changed the pods outside of Pulumi, or an `up` did not end: "
            "`daskfleet drift` tells which; `pulumi up` puts it back, and where that is not "
            "enough `kubectl rollout undo deployment`, as drift says.",
        )
    return passed(IMAGES, expected=team.image, seen=f"all {len(facts.pods)} pods")


def _allowed(team: DeclaredTeam, pod: PodFacts) -> tuple[str, ...]:
    if pod.role == "scheduler":
        return team.scheduler_pools
    return team.group_of(pod.name).pools


def _place(pod: PodFacts) -> str:
    if not pod.node:
        return f"no node ({pod.state})"
    return f"pool {pod.pool} (node {pod.node})" if pod.pool else f"node {pod.node} of no pool"
