"""What tests do with pods that run."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import psutil

from rehearsal.dask_pods.pod_run import PodRun

LOOK_EVERY_S = 0.05
PATIENCE_S = 60.0

Start = Callable[..., Awaitable[PodRun]]


async def until(run: PodRun, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Look at a pod until its status is as wanted."""
    async with asyncio.timeout(PATIENCE_S):
        while not is_so(run.status()):
            await run.look()
            await asyncio.sleep(LOOK_EVERY_S)
    return run.status()


def is_ready(status: dict[str, Any]) -> bool:
    return any(c["type"] == "Ready" and c["status"] == "True" for c in status["conditions"])


def main(status: dict[str, Any]) -> dict[str, Any]:
    """The status of the pod's one container."""
    (container,) = status["containerStatuses"]
    document: dict[str, Any] = container
    return document


def is_waiting(status: dict[str, Any]) -> bool:
    return "waiting" in main(status)["state"]


def has_restarted(status: dict[str, Any], *, times: int = 1) -> bool:
    return int(main(status)["restartCount"]) == times and "running" in main(status)["state"]


def is_alive(process: psutil.Process) -> bool:
    """A zombie has ended; not every init is quick to bury it."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def process_of(run: PodRun) -> psutil.Process:
    """The leader of the pod's one process group."""
    (pid,) = run.pids
    return psutil.Process(pid)
