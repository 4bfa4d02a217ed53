"""A scheduler pool without GPUs: what is refused on it, and which teams get a warning."""

from collections.abc import Iterator, Sequence

from daskfleet.planning.resources import GroupRequest, first_groups
from daskfleet.settings.pools import NO_ACCELERATOR
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.stack import Stack

GIVE_IT_A_GPU = f"give scheduler_pool an accelerator other than {NO_ACCELERATOR}"


def cpu_scheduler_problems(stack: Stack, requests: Sequence[GroupRequest]) -> Iterator[Problem]:
    """Teams whose schedulers need a GPU, or would take a worker's without asking for it."""
    if stack.scheduler_pool.has_gpus:
        return
    for request in requests:
        # Workers without GPUs are refused UCX by themselves.
        if request.settings.protocol == "ucx" and request.worker.gpus:
            yield Problem(
                key=f"{request.key}.worker.protocol",
                value=request.settings.protocol,
                reason="The scheduler connects to these workers by UCX, which needs a GPU on both "
                f"ends, and pool {stack.scheduler_pool.name} has none.",
                allowed=f"tcp with scheduler_pool.accelerator: {NO_ACCELERATOR}",
                next_step=f"remove protocol from all of the team's workers, or {GIVE_IT_A_GPU}.",
            )
    for request in first_groups(requests):
        if request.team.scheduler.fallback == "worker-pool":
            yield Problem(
                key=f"{request.key}.scheduler.fallback",
                value=request.team.scheduler.fallback,
                reason="A scheduler that falls back takes the place of a worker with its GPU, and "
                f"schedulers of pool {stack.scheduler_pool.name} ask for none.",
                allowed=f"none with scheduler_pool.accelerator: {NO_ACCELERATOR}",
                next_step=f"remove the key, and raise the pool's size where it is full; or "
                f"{GIVE_IT_A_GPU}.",
            )


def cpu_scheduler_warnings(stack: Stack, requests: Sequence[GroupRequest]) -> Iterator[str]:
    """Teams whose workers have GPUs, so that their graphs may carry objects of a GPU."""
    if stack.scheduler_pool.has_gpus:
        return
    teams = list(dict.fromkeys(each.team.name for each in requests if each.worker.gpus))
    if teams:
        yield (
            f"Pool {stack.scheduler_pool.name} has no GPUs, and workers of {listed(teams)} have. "
            "Since dask 2023.4.0 the scheduler unpacks the graphs of its clients: one that holds "
            "cuDF or CuPy objects fails there. Let tasks read the data, or give the pool an "
            "accelerator."
        )
