"""One pod from its binding to its end: what a kubelet's worker for it does."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable, Mapping
from typing import Any

from rehearsal.dask_pods.model import Document
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.dask_pods.pod_run import PodRun
from rehearsal.dask_pods.reachable import ways_to_reach
from rehearsal.kubernetes_requests import UNANSWERED

LOOK_EVERY_S = 0.5
STARTING_S = 4.0
"""How long a Python that starts keeps a core busy on a loaded machine; then the next may start."""

MOUNT_AGAIN_S = 5.0

LOG = logging.getLogger(__name__)


class PodKeeper:
    """Runs one pod, tells the API server how it is, and ends it when that is asked.

    ``turns`` bounds how many pods start at once, and ``changed`` is called when the pod's processes
    or its readiness may have changed.
    """

    def __init__(
        self,
        pod: Document,
        run: PodRun,
        *,
        api: PodApi,
        turns: asyncio.Semaphore,
        changed: Callable[[], None],
    ) -> None:
        self.pod = pod
        self.run = run
        self._api = api
        self._turns = turns
        self._changed = changed
        self._written: dict[str, Any] = {}
        self._is_contradicted = False
        self._is_reachable = False
        self._mounts_again_at = 0.0
        self._grace_s: float | None = None
        self._is_vanished = False
        self._ending = asyncio.Event()
        self._hurry = asyncio.Event()

    @property
    def is_ready(self) -> bool:
        """Whether a Service leads to the pod."""
        return _readiness(self._written) == "True" and not self._ending.is_set()

    def hear(self, status: Mapping[str, Any]) -> None:
        """Tell the pod's readiness again where the API server has another.

        Kubernetes' node controller takes it from all pods of a node whose lease is late, as on a
        busy machine, and leaves it to the kubelet to give it back.
        """
        told, has = _readiness(self._written), _readiness(status)
        self._is_contradicted |= None not in (told, has) and told != has

    def end(self, *, grace_s: float) -> None:
        """Have the pod ended, with at most this grace."""
        if self._grace_s is None:
            self._grace_s = grace_s
            self._ending.set()

    def end_at_once(self) -> None:
        """Have the pod ended without grace: it is gone already, or its node is."""
        self._is_vanished = True
        self._grace_s = 0
        self._ending.set()
        self._hurry.set()

    async def keep(self) -> None:
        """Keep the pod until it has ended and is gone."""
        try:
            await self._start_in_turn()
            while not self._ending.is_set():
                await self.run.look()
                await self._mount_what_came_late()
                await self._tell()
                await _happens_within(self._ending, LOOK_EVERY_S)
        except Exception:
            # Not the pod's processes: their ends are its status. One pod must not end the others.
            LOG.exception("pod %s/%s cannot be kept", self.run.namespace, self.run.name)
            await self._ending.wait()
        await self._end()

    async def stop(self, *, grace_s: float) -> None:
        """End the processes, and say nothing to the API server: the rehearsal ends."""
        await self.run.end(grace_s=grace_s)

    async def _start_in_turn(self) -> None:
        if self.pod.get("status", {}).get("containerStatuses"):
            # Of an agent before this one, whose processes have ended: nobody is ready.
            await self._tell()
        async with self._turns:
            if self._ending.is_set():
                return
            await self.run.start()
            await self._tell()
            until = time.monotonic() + STARTING_S
            while not (self.is_ready or self._ending.is_set() or time.monotonic() > until):
                await self.run.look()
                await self._tell()
                await _happens_within(self._ending, LOOK_EVERY_S)

    async def _mount_what_came_late(self) -> None:
        """Read ConfigMaps and Secrets again while a container lacks one."""
        if self._has_started() or time.monotonic() < self._mounts_again_at:
            return
        self._mounts_again_at = time.monotonic() + MOUNT_AGAIN_S
        try:
            self.run.now_mounted(await self._api.mounted(self.pod))
        except UNANSWERED as error:
            LOG.warning("pod %s/%s: %r", self.run.namespace, self.run.name, error)

    async def _tell(self) -> None:
        """Write what has changed of the status; what the API server misses is told again."""
        self._changed()
        try:
            if not self._is_reachable and self._has_started():
                for document in ways_to_reach(self.pod, self.run):
                    await self._api.put(document)
                self._is_reachable = True
            status = self.run.status()
            if status != self._written:
                await self._api.write_status(self.pod, status_patch(self._written, status))
                self._written = status
                self._changed()
            elif self._is_contradicted:
                await self._api.write_status(self.pod, {"conditions": status["conditions"]})
                self._is_contradicted = False
        except UNANSWERED as error:
            LOG.warning("pod %s/%s: %r", self.run.namespace, self.run.name, error)

    def _has_started(self) -> bool:
        """Whether each container has been given its environment."""
        containers = self.pod["spec"]["containers"]
        return all(self.run.exec_environment(container["name"]) for container in containers)

    async def _end(self) -> None:
        self._changed()
        ended = asyncio.create_task(self.run.end(grace_s=self._grace_s or 0))
        hurried = asyncio.create_task(self._hurry.wait())
        await asyncio.wait((ended, hurried), return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()
        if not ended.done():
            ended.cancel()
            await asyncio.wait((ended,))
            await self.run.end(grace_s=0)
        await self._let_go()
        shutil.rmtree(self.run.place.directory, ignore_errors=True)
        self._changed()

    async def _let_go(self) -> None:
        """Let the pod be gone in the API as well, however often that has to be asked."""
        while True:
            try:
                if not self._is_vanished:
                    await self._tell()
                await self._api.delete_pod(self.pod)
                await self._api.delete_ways_to_reach(self.pod)
            except UNANSWERED as error:
                LOG.warning("pod %s/%s: %r", self.run.namespace, self.run.name, error)
                await asyncio.sleep(LOOK_EVERY_S)
            else:
                return


def status_patch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Pure: a patch that also takes away what is no longer said.

    Conditions are merged by type: others than the kubelet write them, too.
    """
    gone = before.keys() - after.keys()
    changed = {key: value for key, value in after.items() if before.get(key) != value}
    return {**dict.fromkeys(gone), **changed}


def _readiness(status: Mapping[str, Any]) -> str | None:
    conditions = status.get("conditions", ())
    return next((each["status"] for each in conditions if each["type"] == "Ready"), None)


async def _happens_within(event: asyncio.Event, timeout_s: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), timeout_s)
    except TimeoutError:
        return
