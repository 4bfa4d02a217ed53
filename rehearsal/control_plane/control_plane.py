"""A Kubernetes control plane on this machine: real in everything but the nodes."""

import json
from collections.abc import Callable
from pathlib import Path

import yaml

from daskfleet.files import write_private_file
from rehearsal.control_plane import commands
from rehearsal.control_plane.commands import ControlPlaneSpec
from rehearsal.control_plane.credentials import Credentials
from rehearsal.control_plane.dask_mode import DaskMode
from rehearsal.control_plane.errors import ControlPlaneError, PortTakenError, StartRaceError
from rehearsal.control_plane.exec_programs import write_exec_programs
from rehearsal.control_plane.kwok_definitions import SERVED_PATHS
from rehearsal.control_plane.kwok_stages import kwok_stages
from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.ports import LOOPBACK, Ports
from rehearsal.control_plane.processes import DeadProcess, Processes, stop_left_over
from rehearsal.control_plane.readiness import (
    API_SERVER_READY,
    DEFAULT_ACCOUNT,
    define_kinds_of_kwok,
    wait_until_answered,
)
from rehearsal.toolchain import Binaries

# A port lost between choice and use, or a race, is bad luck once and something else the third time.
START_ATTEMPTS = 3

COMPONENTS = (
    commands.etcd,
    commands.kube_apiserver,
    commands.kube_controller_manager,
    commands.kube_scheduler,
    commands.kwok,
)


class ControlPlane:
    """etcd, API server, controller manager, scheduler and kwok, on loopback only.

    Everything lies below one directory. Stopping keeps it: a later start has the same objects,
    the same authority and tokens, and the same endpoint where its port is still free. Removing
    the directory of a stopped control plane deletes the cluster.
    """

    def __init__(
        self,
        *,
        binaries: Binaries,
        directory: Path,
        service_cidr: str,
        pod_cidr: str,
        dask: DaskMode = "place",
    ) -> None:
        self._binaries = binaries
        self._layout = Layout(directory=directory.absolute())
        self._service_cidr = service_cidr
        self._pod_cidr = pod_cidr
        self._dask = dask
        self._processes = Processes(self._layout)
        self._spec: ControlPlaneSpec | None = None

    def start(self, *, at_known_ports: bool = False) -> None:
        """Start all processes and wait until pods can be created: 3 to 5 s on two cores.

        Processes that an earlier run left in the directory are stopped first.

        Args:
            at_known_ports: insist on the ports of the last start, for clients that know them.

        Raises:
            ControlPlaneError: a process ended early (with its last lines), or the API server
                did not become ready in time, or a known port is taken. Nothing is left running.

        """
        if self._spec is not None:
            raise ControlPlaneError(f"{self._layout.directory} is already running; stop it first.")
        stop_left_over(self._layout.directory)
        self._layout.create()
        credentials = Credentials.prepare(self._layout, service_cidr=self._service_cidr)
        for attempt in range(1, START_ATTEMPTS + 1):
            try:
                self._start(
                    credentials, Ports.choose(self._layout.ports, only_known=at_known_ports)
                )
            except (PortTakenError, StartRaceError):
                self.stop()
                if attempt == START_ATTEMPTS:
                    raise
            except BaseException:
                # Ctrl-C included: what was started must not outlive the caller's interest.
                self.stop()
                raise
            else:
                return

    def stop(self) -> None:
        """Stop all processes in the order that ends: kwok, ..., API server, etcd. Keeps the data.

        The API server waits for a database that is gone, and holds its port meanwhile.
        """
        self._processes.stop()
        self._spec = None

    def restart(self, name: str) -> None:
        """Kill one process and start it again, as its host would; return when pods can be created.

        Raises:
            ControlPlaneError: there is no such process, or the control plane does not come back.

        """
        spec = self._started
        every = {Path(command[0]).name: command for command in (c(spec) for c in COMPONENTS)}
        if name not in every:
            raise ControlPlaneError(f"A control plane has no process {name}.")
        self._processes.restart(name, every[name])
        for path in (API_SERVER_READY, DEFAULT_ACCOUNT):
            self._wait_for(path)

    def dead_processes(self) -> tuple[DeadProcess, ...]:
        """Give the processes that ended by themselves since the start."""
        return self._processes.dead()

    @property
    def endpoint(self) -> str:
        """Where the API server listens, as "127.0.0.1:PORT"."""
        return _endpoint(self._started.ports)

    @property
    def ca_certificate(self) -> str:
        """The authority (PEM) that the API server's certificate is signed by."""
        return self._started.credentials.authority.certificate.read_text(encoding="utf-8")

    @property
    def client_token(self) -> str:
        """The bearer token of the account that runs `pulumi up`, a cluster administrator."""
        return self._started.credentials.engineer_token

    @property
    def admin_kubeconfig(self) -> Path:
        """The rehearsal's own access: in the audit log it is not mixed with the program's."""
        return self._layout.admin_kubeconfig

    @property
    def audit_log(self) -> Path:
        """One JSON line per answered request (audit.k8s.io/v1), from the first start on."""
        return self._layout.audit_log

    @property
    def dask_schedulers_port(self) -> int:
        """Where `port-forward` to the HTTP port of a Dask scheduler's pod comes out."""
        return self._started.ports.dask_schedulers

    @property
    def _started(self) -> ControlPlaneSpec:
        if self._spec is None:
            raise ControlPlaneError(f"The control plane in {self._layout.directory} is stopped.")
        return self._spec

    def _start(self, credentials: Credentials, ports: Ports) -> None:
        credentials.write_kubeconfigs(self._layout, endpoint=_endpoint(ports))
        self._spec = spec = ControlPlaneSpec(
            binaries=self._binaries,
            layout=self._layout,
            ports=ports,
            credentials=credentials,
            service_cidr=self._service_cidr,
            pod_cidr=self._pod_cidr,
            dask=self._dask,
        )

        forwards = json.dumps(commands.port_forwards(spec))
        write_private_file(self._layout.port_forwards, forwards)
        write_private_file(self._layout.kwok_stages, yaml.safe_dump_all(kwok_stages(self._dask)))
        write_exec_programs(self._layout.exec_programs)
        self._run(spec, commands.etcd, commands.kube_apiserver)
        self._wait_for(API_SERVER_READY)
        if self._dask == "run":
            define_kinds_of_kwok(self._layout.admin_kubeconfig)
            for path in SERVED_PATHS:
                self._wait_for(path)
        self._run(spec, commands.kube_controller_manager, commands.kube_scheduler, commands.kwok)
        self._wait_for(DEFAULT_ACCOUNT)

    def _wait_for(self, path: str) -> None:
        wait_until_answered(
            path,
            admin_kubeconfig=self._layout.admin_kubeconfig,
            dead_processes=self.dead_processes,
        )

    def _run(
        self,
        spec: ControlPlaneSpec,
        *components: Callable[[ControlPlaneSpec], commands.Command],
    ) -> None:
        for command in (component(spec) for component in components):
            self._processes.start(Path(command[0]).name, command)


def _endpoint(ports: Ports) -> str:
    return f"{LOOPBACK}:{ports.api_server}"
