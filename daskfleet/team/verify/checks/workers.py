"""Pure: the workers are as many, and started as declared."""

from collections.abc import Mapping

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.checks.groups import (
    are_as_declared,
    declared_workers,
    in_words,
    workers_by_group,
)
from daskfleet.team.verify.checks.wording import (
    Workers,
    by_address,
    counted,
    everyone,
    words,
    worker_name,
)
from daskfleet.team.verify.facts import BoundTask, TeamFacts, WorkerFacts
from daskfleet.team.verify.model import Check, failed, not_measured, passed

COUNT = "workers"
THREADS = "threads per worker"
RESOURCES = "resources"
NOT_TOLD = "the stack's outputs do not say"
RUN_UP = "Run `pulumi up` with this release of the program; it changes no cluster."
RECREATE = (
    "Workers get it from their DaskCluster when they are made: `daskfleet drift` says who "
    "changed what; delete the worker's Deployment and run `pulumi up`, which has the operator make "
    "it again."
)


def worker_count(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """As many workers are connected as are declared."""
    groups = workers_by_group(team, (each.name for each in facts.dask.workers))
    expected = f"{declared_workers(team)} connected to the scheduler"
    seen = f"{len(facts.dask.workers)} connected{in_words(groups)}"
    if are_as_declared(team, groups):
        return passed(COUNT, expected=expected, seen=seen)
    names = ", ".join(each.name or each.address for each in facts.dask.workers)
    return failed(
        COUNT,
        expected=expected,
        seen=f"{seen} ({names})" if names else seen,
        next_step="A worker whose pod is ready but who is not connected says why in "
        f"`kubectl logs --namespace {team.namespace} <pod>`. If the number differs, a user may "
        f"have called `scale()`: `daskfleet drift` tells.",
    )


def threads_per_worker(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Each worker has the declared number of threads."""
    if team.threads_per_worker is None:
        return not_measured(THREADS, expected="as declared", seen=NOT_TOLD, next_step=RUN_UP)
    declared = dict.fromkeys(each.threads_per_worker or 1 for each in team.all_groups)
    expected = ", ".join(counted(threads, "thread") for threads in declared)
    answering = [each for each in facts.dask.workers if each.threads is not None]
    if not answering:
        return not_measured(THREADS, expected=expected, seen="no worker answers")
    wrong = [
        f"worker {each.name} has {each.threads}"
        for each in answering
        if each.threads != team.group_of(each.name).threads_per_worker
    ]
    if wrong:
        return failed(
            THREADS,
            expected=expected,
            seen="; ".join(wrong),
            next_step=f"{_of_one_thread(team)}{RECREATE}",
        )
    return passed(THREADS, expected=expected, seen=everyone(len(answering), "worker"))


def resources(team: DeclaredTeam, facts: TeamFacts) -> Check:
    """Each worker has the declared resources, and tasks that ask for them run there alone."""
    if team.worker_resources is None:
        return not_measured(RESOURCES, expected="as declared", seen=NOT_TOLD, next_step=RUN_UP)
    asked = " or ".join(dict.fromkeys(_said(each) for each in team.kinds_of_resources)) or "none"
    expected = f"{asked} on each worker" + (
        ", where tasks that ask for it run" if team.kinds_of_resources else ""
    )
    answering = [each for each in facts.dask.workers if each.threads is not None]
    if not answering:
        return not_measured(RESOURCES, expected=expected, seen="no worker answers")
    lacking = [
        each
        for each in answering
        if each.resources != (team.group_of(each.name).worker_resources or {})
    ]
    wrong = [f"worker {each.name} has {_said(each.resources)}" for each in lacking]
    workers = by_address(facts.dask)
    problems = (_problem(task, workers) for task in facts.dask.bound_tasks)
    wrong += filter(None, problems)
    if wrong:
        return failed(
            RESOURCES,
            expected=expected,
            seen="; ".join(dict.fromkeys(wrong)),
            next_step=RECREATE
            if lacking
            else f"See what the workers say: `kubectl logs --namespace {team.namespace} "
            "--selector dask.org/component=worker`.",
        )
    if busy := [task for task in facts.dask.bound_tasks if not task.ran_on]:
        return not_measured(
            RESOURCES,
            expected=expected,
            seen=f"{everyone(len(answering), 'worker')} with it; "
            f"{counted(len(busy), 'task')} of ours did not get a turn beside the team's work",
            next_step="Ask again when the cluster is idle.",
        )
    return passed(
        RESOURCES,
        expected=expected,
        seen=f"{everyone(len(answering), 'worker')} with it, and ran such a task"
        if team.worker_resources
        else f"{everyone(len(answering), 'worker')} without",
    )


def _of_one_thread(team: DeclaredTeam) -> str:
    """Return why it is one thread, where it is."""
    is_one = team.threads_per_worker == 1
    return (
        "Two tasks at a time would share one GPU's memory, and neither would know. "
        if is_one
        else ""
    )


def _lacks(worker: WorkerFacts, asked: Mapping[str, float]) -> bool:
    return any(worker.resources.get(name, 0) < amount for name, amount in asked.items())


def _problem(task: BoundTask, workers: Workers) -> str | None:
    asked = _said(task.asked)
    if task.raised:
        return f"a task that asked for {asked} failed: {words(task.raised)}"
    if task.ran_on in workers and _lacks(workers[task.ran_on], task.asked):
        ran = worker_name(workers, task.ran_on)
        return f"a task that asked for {asked} ran on {ran}, without it"
    if task.meant_for and task.ran_on and task.ran_on != task.meant_for:
        meant, ran = worker_name(workers, task.meant_for), worker_name(workers, task.ran_on)
        return f"a task for {meant} that asked for {asked} ran on {ran}"
    if not task.ran_on and task.state == "no-worker":
        return (
            f"a task that asks for {asked} would wait for ever: no worker has it (the scheduler "
            "says no-worker; ours was cancelled)"
        )
    return None


def _said(amounts: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={amount:g}" for name, amount in sorted(amounts.items())) or "none"
