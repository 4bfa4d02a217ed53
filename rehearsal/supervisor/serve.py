"""Hosting: the emulated Google APIs, and the control planes behind them with what runs in them."""

import asyncio
import logging
import os
import signal
from collections.abc import Mapping

from daskfleet.files import write_private_file
from rehearsal.control_plane import ControlPlane, DaskMode
from rehearsal.emulator import Emulator, Latency
from rehearsal.emulator.kubernetes_backend import KubernetesBackend
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from rehearsal.supervisor.at_rest import AtRest, made_here, read_at_rest
from rehearsal.supervisor.cluster_processes import ClusterProcesses, cluster_processes
from rehearsal.supervisor.record import ClusterRecord, DeadProcessRecord, SupervisorRecord
from rehearsal.toolchain import ensure_toolchain
from rehearsal.workspace import Workspace

LOOK_EVERY_S = 0.5
LOG = logging.getLogger(__name__)


def parse_latency(text: str) -> Latency:
    """Read ``fast`` or ``scaled:N``.

    Raises:
        RehearsalError: it is neither.

    """
    if text == "fast":
        return Latency.fast()
    name, _, divisor = text.partition(":")
    try:
        if name == "scaled":
            return Latency.scaled(float(divisor))
    except ValueError as error:
        raise RehearsalError(f"--latency {text!r}: {error}") from error
    raise RehearsalError(
        f"--latency is {text!r}; it must be `fast`, or `scaled:N` for Google's documented "
        "durations divided by N, for example scaled:60."
    )


async def serve(workspace: Workspace, *, latency: str, dask: DaskMode) -> None:
    """Serve until SIGTERM or SIGINT, then stop everything that was started."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    kept = read_at_rest(workspace.rest_file) if workspace.rest_file.exists() else None
    if kept is not None:
        latency, dask = kept.latency, kept.dask
    backend = KubernetesBackend(
        binaries=ensure_toolchain(progress=LOG.info), directory=workspace.clusters_dir, dask=dask
    )
    emulator = Emulator(
        backend=backend,
        latency=parse_latency(latency),
        request_log=workspace.request_log,
        kept=kept.emulator if kept else None,
        at_rest=stop.set,
    )
    try:
        await emulator.start(port=kept.port if kept else 0)
    except BaseException:
        await emulator.stop()
        raise
    # From here on the world goes on without it.
    workspace.rest_file.unlink(missing_ok=True)
    hosting = Hosting(workspace, base_url=emulator.base_url, latency=latency, dask=dask)
    # Beside each other: what the operator needs of a dead API server takes its time-outs.
    following = asyncio.create_task(hosting.follow())
    try:
        while not stop.is_set() and not following.done():
            hosting.look(backend.control_planes)
            await _wait(stop, timeout_s=LOOK_EVERY_S)
    finally:
        LOG.info("stopping")
        following.cancel()
        await asyncio.wait([following])
        await hosting.close()
        await emulator.stop()
        workspace.supervisor_file.unlink(missing_ok=True)
        LOG.info("stopped")
    if emulator.quiescence.is_reached:
        _leave(workspace, emulator, latency=latency, dask=dask)
    if not following.cancelled():
        following.result()  # ended by itself: raises what ended it


def _leave(workspace: Workspace, emulator: Emulator, *, latency: str, dask: DaskMode) -> None:
    """Write what the next supervisor goes on with; the last act, so that all data is complete."""
    at_rest = AtRest(
        **made_here(),
        directory=workspace.directory,
        port=emulator.port,
        latency=latency,
        dask=dask,
        emulator=emulator.kept(),
    )
    at_rest.write(workspace.rest_file)


class Hosting:
    """Follows the control planes as they come and go, and keeps ``supervisor.json`` true."""

    def __init__(
        self, workspace: Workspace, *, base_url: str, latency: str, dask: DaskMode
    ) -> None:
        self._workspace = workspace
        self._base_url = base_url
        self._latency = latency
        self._dask: DaskMode = dask
        self._clusters: dict[str, ClusterProcesses] = {}
        self._parting: list[ClusterProcesses] = []
        self._written: SupervisorRecord | None = None

    def look(self, control_planes: Mapping[str, ControlPlane]) -> None:
        """Take note of every control plane by name, and of what has died in it."""
        for name in self._clusters.keys() - control_planes.keys():
            self._parting.append(self._clusters.pop(name))
        for name, control_plane in control_planes.items():
            if name not in self._clusters:
                self._clusters[name] = self._welcome(name, control_plane)
        self._write(
            SupervisorRecord(
                process=_this_process(),
                base_url=self._base_url,
                latency=self._latency,
                clusters=tuple(
                    self._cluster_record(name, control_plane)
                    for name, control_plane in control_planes.items()
                ),
            )
        )

    async def follow(self) -> None:
        """Let every operator be where its pod is, until cancelled."""
        while True:
            while self._parting:
                # It leaves the list only once it has stopped: close() must find it when this is
                # cancelled, and others may be added meanwhile.
                parting = self._parting[0]
                await parting.stop()
                self._parting.remove(parting)
            for processes in tuple(self._clusters.values()):
                await processes.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def close(self) -> None:
        """Stop what runs in every cluster."""
        for processes in (*self._parting, *self._clusters.values()):
            await processes.stop()

    def _welcome(self, name: str, control_plane: ControlPlane) -> ClusterProcesses:
        LOG.info("cluster %s: Kubernetes API at %s", name, control_plane.endpoint)
        write_private_file(self._workspace.token_file, control_plane.client_token.encode())
        return cluster_processes(name, control_plane, workspace=self._workspace, dask=self._dask)

    def _cluster_record(self, name: str, control_plane: ControlPlane) -> ClusterRecord:
        return ClusterRecord(
            name=name,
            endpoint=control_plane.endpoint,
            kubeconfig=control_plane.admin_kubeconfig,
            audit_log=control_plane.audit_log,
            dead_processes=tuple(
                DeadProcessRecord(name=d.name, exit_code=d.exit_code, log_file=d.log_file)
                for d in control_plane.dead_processes()
            ),
            operator=self._clusters[name].operator.record,
            dask=self._clusters[name].dask_record,
        )

    def _write(self, record: SupervisorRecord) -> None:
        if record != self._written:
            record.write(self._workspace.supervisor_file)
            self._written = record


def _this_process() -> ProcessRecord:
    return ProcessRecord.of(os.getpid())


async def _wait(stop: asyncio.Event, *, timeout_s: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), timeout_s)
    except TimeoutError:
        return
