"""What the node agent needs of a pod that runs here; ``pod_run.PodRun`` is it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from rehearsal.dask_pods.model import Document, Mounted, PodPlace


class RunningPod(Protocol):
    """One pod as processes of this machine."""

    uid: str
    name: str
    namespace: str
    place: PodPlace

    @property
    def departures(self) -> tuple[str, ...]:
        """What runs differently from the pod's own words, in plain sentences."""

    @property
    def pids(self) -> tuple[int, ...]:
        """Leaders of the process groups."""

    async def start(self) -> None:
        """Make the volumes and start the containers."""

    async def look(self) -> None:
        """Probe what is due, take note of what has ended, restart it when its time has come."""

    def status(self) -> dict[str, Any]:
        """Return the pod's status, as a kubelet would write it."""

    async def end(self, *, grace_s: float) -> None:
        """SIGTERM, wait, SIGKILL."""

    def log_file(self, container: str, *, previous: bool = False) -> Path:
        """Where a container's output is."""

    def forwarded_ports(self) -> tuple[int, ...]:
        """Return the ports that the pod's containers declare."""

    def exec_environment(self, container: str) -> Mapping[str, str]:
        """Return a container's variables, without what came from Secrets."""


class RunsPods(Protocol):
    """Makes a pod ready to be started."""

    def __call__(self, pod: Document, *, place: PodPlace, mounted: Mounted) -> RunningPod:
        """Return the pod; nothing runs yet."""
