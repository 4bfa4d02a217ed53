"""The node agent: what kubelets do, for the pods of one cluster that run, as processes here.

It runs what the scheduler has bound to a node; kwok leaves these pods alone in mode ``run``.
"""

import asyncio
import logging
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from httpx import HTTPStatusError

from daskfleet.files import write_private_file
from rehearsal.control_plane.pods_that_run import has_ended
from rehearsal.control_plane.ports import LOOPBACK
from rehearsal.dask_pods.addresses import claimed_block
from rehearsal.dask_pods.hosts import ServingPod, cluster_hosts, hosts_file
from rehearsal.dask_pods.left_over import records_of, write_processes
from rehearsal.dask_pods.model import RUNS_IN, Document, PodPlace
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.dask_pods.pod_keeper import LOOK_EVERY_S, PodKeeper
from rehearsal.dask_pods.pod_run import PodRun
from rehearsal.kubernetes_changes import Changes, Listed
from rehearsal.kubernetes_requests import UNANSWERED

STOP_GRACE_S = 2.0
"""For all at once when the rehearsal ends; nobody waits for their results then."""

LOG = logging.getLogger(__name__)


class NodeAgent:
    """Keeps every bound pod of a cluster that runs, below a directory of its own.

    The directory is not the control plane's: that one goes with the cluster, while these processes
    may still write.
    """

    FOLLOWED: ClassVar = {"pods": "v1", "nodes": "v1", "services": "v1"}
    """What it lists anew when that has changed, with its API version."""

    def __init__(self, api: PodApi, *, changes: Changes, directory: Path) -> None:
        self._api = api
        self._pods = Listed(api.pods_that_run, of=changes, plurals=("pods",))
        self._nodes = Listed(api.node_names, of=changes, plurals=("nodes",))
        self._all_services = Listed(api.services, of=changes, plurals=("services",))
        self._directory = directory
        self._turns = asyncio.Semaphore(os.cpu_count() or 1)
        self._keepers: dict[str, PodKeeper] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._services: list[Document] = []
        self._written: dict[Path, str] = {}
        self._recorded: list[int] = []
        self._said: dict[str, None] = {}
        self._stack = ExitStack()
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._block = self._stack.enter_context(claimed_block())

    @property
    def operators_hosts_file(self) -> Path:
        """The cluster's names, for a process that is no pod here."""
        return self._directory / "hosts" / "operator.hosts"

    @property
    def departures(self) -> tuple[str, ...]:
        """What has run differently from the pods' own words, each said once."""
        for keeper in self._keepers.values():
            self._said.update(dict.fromkeys(_of_any_pod(keeper.run)))
        return tuple(self._said)

    async def run(self) -> None:
        """Follow the cluster's pods until cancelled."""
        while True:
            try:
                await self.look()
            except UNANSWERED as error:
                LOG.warning("looking for pods: %r", error)
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Compare the pods with what runs once, and act on the difference."""
        # Before the list is read: a pod that goes after that is still in it.
        for uid in [uid for uid, task in self._tasks.items() if task.done()]:
            self._forget(uid)
            self._pods.forget()
        pods = {pod["metadata"]["uid"]: pod for pod in await self._pods.get()}
        nodes = await self._nodes.get()
        self._services = await self._all_services.get()
        for uid, pod in pods.items():
            if had := pod.get("status", {}).get("podIP"):
                self._block.keep(uid, had)
        for uid, pod in sorted(pods.items(), key=_schedulers_first):
            is_here = pod["spec"].get("nodeName") in nodes
            if uid not in self._keepers and is_here and not has_ended(pod):
                await self._take_over(pod)
        for uid, keeper in self._keepers.items():
            if uid not in pods or keeper.pod["spec"]["nodeName"] not in nodes:
                keeper.end_at_once()
            elif "deletionTimestamp" in pods[uid]["metadata"]:
                keeper.end(grace_s=pods[uid]["metadata"]["deletionGracePeriodSeconds"])
            else:
                keeper.hear(pods[uid].get("status", {}))
        self._write_files()

    async def stop(self) -> None:
        """End every process, and leave nothing."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        stops = (keeper.stop(grace_s=STOP_GRACE_S) for keeper in self._keepers.values())
        for outcome in await asyncio.gather(*stops, return_exceptions=True):
            if isinstance(outcome, BaseException):
                LOG.error("ending a pod: %r", outcome)
        self._stack.close()
        shutil.rmtree(self._directory, ignore_errors=True)

    async def _take_over(self, pod: Document) -> None:
        """Run a pod, or let it be gone if that is wanted before any process of it began.

        What the API server refuses one pod, others do not wait for: it gives no token in a
        namespace that is being deleted.
        """
        metadata = pod["metadata"]
        try:
            if "deletionTimestamp" in metadata:
                await self._api.delete_pod(pod)
                await self._api.delete_ways_to_reach(pod)
            else:
                await self._welcome(pod)
        except HTTPStatusError as error:
            LOG.warning("pod %s/%s: %r", metadata["namespace"], metadata["name"], error)

    async def _welcome(self, pod: Document) -> None:
        metadata = pod["metadata"]
        uid = metadata["uid"]
        mounted = await self._api.mounted(pod)
        place = PodPlace(
            address=self._block.of(uid),
            directory=self._directory / "pods" / uid,
            hosts_file=self._hosts_file(metadata["namespace"]),
            python=Path(metadata.get("annotations", {}).get(RUNS_IN, sys.executable)),
            host_ip=LOOPBACK,
            api_server=self._api.server(),
        )
        place.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        keeper = PodKeeper(
            pod,
            PodRun(pod, place=place, mounted=mounted),
            api=self._api,
            turns=self._turns,
            changed=self._write_files,
        )
        self._keepers[uid] = keeper
        self._write_files()
        self._tasks[uid] = asyncio.create_task(keeper.keep(), name=metadata["name"])
        LOG.info("pod %s/%s at %s", metadata["namespace"], metadata["name"], place.address.loopback)

    def _forget(self, uid: str) -> None:
        self._said.update(dict.fromkeys(_of_any_pod(self._keepers.pop(uid).run)))
        self._block.release(uid)
        task = self._tasks.pop(uid)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("a pod could not be ended", exc_info=error)

    def _hosts_file(self, namespace: str) -> Path:
        # No namespace has a dot in its name, so none is the operator's.
        return self._directory / "hosts" / namespace

    def _write_files(self) -> None:
        """Write the names and the processes where they have changed, atomically."""
        serving = [
            ServingPod(
                document=keeper.pod,
                loopback=keeper.run.place.address.loopback,
                is_ready=keeper.is_ready,
            )
            for keeper in self._keepers.values()
        ]
        leads_to = cluster_hosts(self._services, serving, nobody=self._block.nobody)
        self._write(self.operators_hosts_file, hosts_file(leads_to))
        for namespace in {keeper.run.namespace for keeper in self._keepers.values()}:
            text = hosts_file(leads_to, namespace=namespace)
            self._write(self._hosts_file(namespace), text)
        pids = [pid for keeper in self._keepers.values() for pid in keeper.run.pids]
        if pids != self._recorded:
            write_processes(self._directory, records_of(pids))
            self._recorded = pids

    def _write(self, file: Path, text: str) -> None:
        if self._written.get(file) != text:
            file.parent.mkdir(exist_ok=True, mode=0o700)
            write_private_file(file, text)
            self._written[file] = text


def _of_any_pod(run: PodRun) -> Iterator[str]:
    """A pod's departures, in words that are the same for its sisters."""
    for sentence in run.departures:
        of_any = sentence.replace(str(run.place.directory), "<pod>")
        yield of_any.replace(run.place.address.loopback, "<pod's loopback address>")


def _schedulers_first(item: tuple[str, Document]) -> tuple[bool, str]:
    metadata = item[1]["metadata"]
    is_no_scheduler = metadata["labels"].get("dask.org/component") != "scheduler"
    return is_no_scheduler, metadata["creationTimestamp"]
