"""Pure: a worker that is told to end hands on its results first.

For chains with a spot pool. Google's notice reaches a pod as SIGTERM, up to 15 seconds before it
is killed (cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler, "Spot VMs and
cluster autoscaler"). Dask's nanny then closes the worker with all that it holds; what only that
worker had is computed again, and what was scattered is lost. A nanny's preload is asked before
(distributed, ``Nanny.close``), and lets the scheduler move what no other worker has. ``dask cuda
worker`` closes its nannies alike (dask-cuda, ``cli.py`` and ``CUDAWorker.close``).

The two commands take the preload from different places. ``dask cuda worker`` has no flag for it,
so that its nannies read Dask's configuration. ``dask worker`` has one, and hands its nannies an
empty tuple where the flag is not given: they read the configuration for ``None`` alone
(distributed 2026.8.0, ``cli/dask_worker.py`` and ``Nanny.__init__``).
"""

from daskfleet.planning.plan import CPU_WORKER, WorkerGroup

DRAIN_S = 12
"""Of the 15 seconds: the rest is for the worker's own end."""

VARIABLE = "DASK_DISTRIBUTED__NANNY__PRELOAD"
"""Dask's setting ``distributed.nanny.preload``, which takes a program's text as well as a name."""

PROGRAM = f"""import asyncio


async def dask_teardown(nanny):
    if nanny.worker_address:
        leaving = nanny.scheduler.retire_workers(workers=[nanny.worker_address])
        await asyncio.wait_for(leaving, {DRAIN_S})
"""


TAKE_THE_FLAG = (CPU_WORKER, ("dask-worker",))
"""Commands that heed ``--preload-nanny`` and not the variable."""


def draining_variables(group: WorkerGroup) -> dict[str, str]:
    """The variable of workers that may come up on a spot node of a chain, unless they have it.

    Workers of one spot pool stay as they are: another variable would replace every such cluster.
    """
    return {VARIABLE: PROGRAM} if _drains(group) and not _takes_the_flag(group) else {}


def draining_flags(group: WorkerGroup) -> tuple[str, ...]:
    """The same for commands that do not heed the variable."""
    return ("--preload-nanny", PROGRAM) if _drains(group) and _takes_the_flag(group) else ()


def _drains(group: WorkerGroup) -> bool:
    is_wanted = group.fallbacks and any(step.pool.spot for step in group.steps)
    return bool(is_wanted) and VARIABLE not in group.worker.environment


def _takes_the_flag(group: WorkerGroup) -> bool:
    return any(group.command[: len(words)] == words for words in TAKE_THE_FLAG)
