"""The node agent in a thread, where a test has a control plane and no supervisor."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rehearsal.control_plane import ControlPlane
from rehearsal.dask_pods.agent import NodeAgent
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.kubernetes_changes import Changes


@contextmanager
def kubelets(control_plane: ControlPlane, directory: Path) -> Iterator[Path]:
    """Play the kubelets; give the file with the cluster's names for a process that is no pod."""
    loop, ending = asyncio.new_event_loop(), asyncio.Event()
    kubeconfig = control_plane.admin_kubeconfig
    changes = Changes(kubeconfig, NodeAgent.FOLLOWED)
    api = PodApi(kubeconfig, shares=directory / "shares")
    agent = NodeAgent(api, changes=changes, directory=directory / "pods")

    async def run() -> None:
        following = [asyncio.create_task(run) for run in (changes.follow(), agent.run())]
        await ending.wait()
        for task in following:
            task.cancel()
        await asyncio.wait(following)
        await agent.stop()

    # As in a supervisor, whose main thread waits for child processes.
    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        yield agent.operators_hosts_file
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join()
        loop.close()
