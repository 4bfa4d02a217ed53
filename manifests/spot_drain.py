"""Pure: a worker that is told to end hands on its results first.

For chains with a spot pool. Google's notice reaches a pod as SIGTERM, up to 15 seconds before it
is killed (cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler, "Spot VMs and
cluster autoscaler"). Dask's nanny then closes the worker with all that it holds; what only that
worker had is computed again, and what was scattered is lost. A nanny's preload is asked before
(distributed, ``Nanny.close``), and lets the scheduler move what no other worker has. ``dask cuda
worker`` closes its nannies alike (dask-cuda, ``cli.py`` and ``CUDAWorker.close``).
"""

from daskfleet.planning.plan import WorkerGroup

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


def draining(group: WorkerGroup) -> dict[str, str]:
    """The variables of workers that may come up on a spot node of a chain, unless they have it.

    Workers of one spot pool stay as they are: another variable would replace every such cluster.
    """
    is_wanted = group.fallbacks and any(step.pool.spot for step in group.steps)
    if not is_wanted or VARIABLE in group.worker.environment:
        return {}
    return {VARIABLE: PROGRAM}
