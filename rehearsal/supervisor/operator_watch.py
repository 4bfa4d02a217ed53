"""Runs the operator's process exactly while the operator's pod is ready in the cluster."""

import json
import logging
import time
from pathlib import Path
from typing import Any, ClassVar

import httpx
import kr8s
from kr8s.asyncio.objects import ConfigMap

from rehearsal.dask_operator.pod import OPERATOR_LABEL, OperatorPod, ready_operator_pod
from rehearsal.dask_operator.process import (
    OperatorProcess,
    write_mounted_files,
    write_operator_kubeconfig,
)
from rehearsal.dask_operator.schedulers import Schedulers
from rehearsal.kubernetes_changes import Changes, Listed
from rehearsal.kubernetes_client import connect
from rehearsal.supervisor.record import OperatorRecord

TOKEN_LIFETIME_S = 30 * 24 * 3600
"""A kubelet renews a pod's token every hour; a rehearsal is over long before this one expires."""

_NOT_NOW = (httpx.HTTPError, OSError, kr8s.ServerError, kr8s.APITimeoutError, kr8s.NotFoundError)

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
        self._pod = Listed(self._ready_pod, of=changes, plurals=("pods",))
        self._admin_kubeconfig = admin_kubeconfig
        self._kubeconfig = directory / "operator.kubeconfig"
        self._files = directory / "operator-files"
        self._log_file = log_file
        self._schedulers = schedulers
        self._process: OperatorProcess | None = None
        self._api: Any = None

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
        except _NOT_NOW as error:
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
        if self._api is None:
            self._api = await connect(self._admin_kubeconfig)
            self._api.timeout = 10
        found = self._api.async_get("pods", namespace=kr8s.ALL, label_selector=OPERATOR_LABEL)
        return ready_operator_pod([pod.raw async for pod in found])

    async def _start(self, pod: OperatorPod) -> None:
        token = await self._service_account_token(pod)
        admin = json.loads(self._admin_kubeconfig.read_text(encoding="utf-8"))
        write_operator_kubeconfig(
            self._kubeconfig, cluster=admin["clusters"][0]["cluster"], token=token, pod=pod
        )
        write_mounted_files(self._files, pod=pod, config_maps=await self._config_maps(pod))
        self._process = OperatorProcess(
            pod,
            kubeconfig=self._kubeconfig,
            files=self._files,
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

    async def _config_maps(self, pod: OperatorPod) -> dict[str, dict[str, str]]:
        found = {}
        for name in {file.config_map for file in pod.mounted}:
            config_map = await ConfigMap.get(name, namespace=pod.namespace, api=self._api)
            found[name] = dict(config_map.raw["data"])
        return found

    async def _service_account_token(self, pod: OperatorPod) -> str:
        request = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "spec": {"expirationSeconds": TOKEN_LIFETIME_S},
        }
        async with self._api.call_api(
            "POST",
            version="v1",
            namespace=pod.namespace,
            url=f"serviceaccounts/{pod.service_account}/token",
            json=request,
        ) as response:
            return str(response.json()["status"]["token"])
