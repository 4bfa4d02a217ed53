"""Runs the operator's process exactly while the operator's pod is ready in the cluster."""

import json
import logging
import sys
import time
from pathlib import Path
from typing import ClassVar

from rehearsal.control_plane.ports import LOOPBACK
from rehearsal.dask_operator.pod import OperatorPod, ready_operator_pod
from rehearsal.dask_operator.process import OperatorProcess, write_operator_kubeconfig
from rehearsal.dask_operator.schedulers import Schedulers
from rehearsal.dask_pods.model import PodAddress, PodPlace
from rehearsal.dask_pods.pod_api import PodApi
from rehearsal.dask_pods.volumes import VolumeError, make_volumes, mounts_of
from rehearsal.kubernetes_changes import Changes, Listed
from rehearsal.kubernetes_requests import UNANSWERED
from rehearsal.supervisor.record import OperatorRecord

LOG = logging.getLogger(__name__)


class OperatorWatch:
    """Looks at one cluster for the operator's pod, and starts and stops the process with it."""

    FOLLOWED: ClassVar = {"pods": "v1"}
    """What it lists anew when that has changed, with its API version."""

    def __init__(
        self,
        *,
        admin_kubeconfig: Path,
        changes: Changes,
        directory: Path,
        log_file: Path,
        schedulers: Schedulers,
    ) -> None:
        self._api = PodApi(admin_kubeconfig)
        self._pod = Listed(self._ready_pod, of=changes, plurals=("pods",))
        self._admin_kubeconfig = admin_kubeconfig
        self._kubeconfig = directory / "operator.kubeconfig"
        self._directory = directory / "operator"
        self._log_file = log_file
        self._schedulers = schedulers
        self._process: OperatorProcess | None = None

    @property
    def record(self) -> OperatorRecord | None:
        """The operator that runs now."""
        running = self._process.record if self._process else None
        if self._process is None or running is None:
            return None
        pod = self._process.pod
        return OperatorRecord(
            process=running,
            namespace=pod.namespace,
            service_account=pod.service_account,
            image=pod.image,
            restarts=self._process.restarts,
            failures_in_a_row=self._process.failures_in_a_row,
            log_file=self._log_file,
        )

    async def look(self) -> None:
        """Compare the pod with the process once, and act on the difference."""
        try:
            pod = await self._pod.get()
            if self._process is not None and (pod is None or pod.uid != self._process.pod.uid):
                await self.stop()
            if pod is not None and self._process is None:
                await self._start(pod)
        except (*UNANSWERED, VolumeError) as error:
            # The API server may be starting, busy or dead; the supervisor reports a dead one.
            LOG.warning("looking for the operator's pod: %s: %s", type(error).__name__, error)
        if self._process is not None:
            await self._process.keep_alive()

    async def stop(self) -> None:
        """End the process, because its pod is gone or the rehearsal ends."""
        if self._process is not None:
            LOG.info("operator: stopping")
            await self._process.stop()
            self._process = None
            await self._schedulers.stop()
            self._kubeconfig.unlink(missing_ok=True)

    async def _ready_pod(self) -> OperatorPod | None:
        return ready_operator_pod(await self._api.operator_pods())

    async def _start(self, pod: OperatorPod) -> None:
        token = (await self._api.token(pod.document)).decode()
        admin = json.loads(self._admin_kubeconfig.read_text(encoding="utf-8"))
        write_operator_kubeconfig(
            self._kubeconfig, cluster=admin["clusters"][0]["cluster"], token=token, pod=pod
        )
        place = self._place
        make_volumes(pod.document, place=place, mounted=await self._api.mounted(pod.document))
        self._process = OperatorProcess(
            pod,
            kubeconfig=self._kubeconfig,
            local_paths=mounts_of(pod.document["spec"]["containers"][0], place=place),
            log_file=self._log_file,
            finds_schedulers_by=await self._schedulers.start(),
        )
        started = time.monotonic()
        await self._process.start()
        LOG.info(
            "operator: pod %s/%s is ready; process started as %s in %.1f s",
            pod.namespace,
            pod.name,
            pod.service_account,
            time.monotonic() - started,
        )

    @property
    def _place(self) -> PodPlace:
        """Where its volumes are; it has no address of its own, and looks names up by itself."""
        return PodPlace(
            address=PodAddress(pod_ip=LOOPBACK, loopback=LOOPBACK),
            directory=self._directory,
            hosts_file=self._directory / "hosts",
            python=Path(sys.executable),
            host_ip=LOOPBACK,
            api_server=self._api.server(),
        )
