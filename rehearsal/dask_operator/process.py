"""The Dask operator as a process: what its Deployment's container would run on a real node.

kwok says of the operator's pod that it is ready, but runs nothing. So while such a pod exists,
the very controller that its image carries runs here, with the pod's arguments, and talks to the
Kubernetes API as the pod's service account: a permission that the chart forgets fails here too.
"""

import asyncio
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from daskfleet.checkout import SOURCE_DIR
from daskfleet.files import write_private_file
from rehearsal.dask_operator.pod import OperatorPod
from rehearsal.process import ProcessRecord

CONTROLLER = "dask_kubernetes.operator.controller"
END_TIMEOUT_S = 10.0
"""kopf cancels its watches and leaves within a second; then it is killed."""

FIRST_BACK_OFF_S = 1.0
LONGEST_BACK_OFF_S = 30.0
STABLE_AFTER_S = 60.0
"""A process that ran for so long starts its next back-off from the beginning."""


class OperatorProcess:
    """One running controller, restarted with a growing delay when it ends by itself."""

    def __init__(
        self,
        pod: OperatorPod,
        *,
        kubeconfig: Path,
        local_paths: Callable[[str], str],
        log_file: Path,
        finds_schedulers_by: Mapping[str, str],
    ) -> None:
        """``local_paths`` turns the pod's paths into this machine's."""
        self.pod = pod
        self._local_paths = local_paths
        self.restarts = 0
        self.failures_in_a_row = 0
        """How often it has ended by itself soon after its start."""
        self.log_file = log_file
        self._kubeconfig = kubeconfig
        self._finds_schedulers_by = finds_schedulers_by
        self._process: asyncio.subprocess.Process | None = None
        self._record: ProcessRecord | None = None
        self._started_at = 0.0
        self._back_off_s = FIRST_BACK_OFF_S

    @property
    def record(self) -> ProcessRecord | None:
        """The process that was started last."""
        return self._record

    async def start(self) -> None:
        """Start the controller, appending to its log."""
        self._started_at = time.monotonic()
        with self.log_file.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "kopf", "run"),
                *("--module", "rehearsal.dask_operator.cluster_dns", "--module", CONTROLLER),
                *self.pod.arguments_here(port=_free_port(), local_paths=self._local_paths),
                env=self._environment(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._record = ProcessRecord.of(self._process.pid)

    async def keep_alive(self) -> None:
        """Restart the controller when it has ended and its back-off is over."""
        if self._process is None or self._process.returncode is None:
            return
        ran_s = time.monotonic() - self._started_at
        if ran_s > STABLE_AFTER_S:
            self._back_off_s = FIRST_BACK_OFF_S
            self.failures_in_a_row = 0
        if ran_s < self._back_off_s:
            return
        self._back_off_s = min(2 * self._back_off_s, LONGEST_BACK_OFF_S)
        self.restarts += 1
        self.failures_in_a_row += 1
        await self.start()

    async def stop(self) -> None:
        """End the controller."""
        if self._process is None or self._process.returncode is not None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self._process.wait(), END_TIMEOUT_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def _environment(self) -> dict[str, str]:
        python_path = (self._finds_schedulers_by.get("PYTHONPATH"), str(SOURCE_DIR))
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self._kubeconfig.parent),
            "KUBECONFIG": str(self._kubeconfig),
            **self._finds_schedulers_by,
            "PYTHONPATH": os.pathsep.join(filter(None, python_path)),
            **dict(self.pod.environment),
        }


def write_operator_kubeconfig(
    file: Path, *, cluster: Mapping[str, str], token: str, pod: OperatorPod
) -> None:
    """Write what the controller knows: ``cluster`` (address and CA), and its own token."""
    name = pod.service_account
    context = {"cluster": name, "user": name, "namespace": pod.namespace}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "clusters": [{"name": name, "cluster": dict(cluster)}],
        "users": [{"name": name, "user": {"token": token}}],
        "contexts": [{"name": name, "context": context}],
    }
    write_private_file(file, json.dumps(document).encode())


def _free_port() -> int:
    """Find a port for the liveness probe: kopf takes 0 for 80.

    Another program may take it first; the controller then ends, and starts again with another.
    """
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
