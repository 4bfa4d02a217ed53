"""One pod as processes of this machine: what its kubelet would do with it."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import httpx

from rehearsal.dask_pods.container import Container, ContainerContext
from rehearsal.dask_pods.container_plan import (
    ContainerPlan,
    home_of,
    plan_container,
    scratch_of,
)
from rehearsal.dask_pods.image_pull import why_not_pulled
from rehearsal.dask_pods.model import Document, Mounted, PodPlace
from rehearsal.dask_pods.states import ContainerSeen, Waiting
from rehearsal.dask_pods.status import PodSeen, Status, pod_status
from rehearsal.dask_pods.variables import ConfigError
from rehearsal.dask_pods.volumes import VolumeError, make_volumes

DEFAULT_GRACE_S = 30.0


class PodRun:
    """The containers of one pod, from its start to its end."""

    def __init__(self, pod: Document, *, place: PodPlace, mounted: Mounted) -> None:
        metadata = pod["metadata"]
        self.uid: str = metadata["uid"]
        self.name: str = metadata["name"]
        self.namespace: str = metadata["namespace"]
        self.place = place
        self._pod = pod
        self._mounted = mounted
        self._client = httpx.AsyncClient(
            # The kubelet asks each time anew, trusts any certificate, and knows no proxy.
            limits=httpx.Limits(max_keepalive_connections=0),
            verify=False,  # noqa: S501
            trust_env=False,
            timeout=None,  # noqa: S113  (each probe has its own)
        )
        self._containers: dict[str, Container] = {}
        self._refused: dict[str, Waiting] = {}
        """Why a container cannot start, until what it needs is there."""
        self._started_at = datetime.now(UTC)
        self._has_volumes = False
        self._has_ended = False
        self._status: Status = dict(pod.get("status", {}))

    @property
    def departures(self) -> tuple[str, ...]:
        """What runs differently from the pod's own words, in sentences."""
        return tuple(dict.fromkeys(d for plan in self._plans() for d in plan.departures))

    @property
    def pids(self) -> tuple[int, ...]:
        """Leaders of the process groups that run."""
        pids = (container.pid for container in self._containers.values())
        return tuple(pid for pid in pids if pid is not None)

    async def start(self) -> None:
        """Make the volumes and start the containers."""
        for directory in (self.place.directory, home_of(self.place), scratch_of(self.place)):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        await self._start_missing()

    async def look(self) -> None:
        """One round: probes that are due, ended processes, restarts whose back-off is over."""
        if self._has_ended:
            return
        await self._start_missing()
        for container in self._containers.values():
            await container.look()

    def now_mounted(self, mounted: Mounted) -> None:
        """Take what ConfigMaps and Secrets hold by now: a container that lacked one can start."""
        self._mounted = mounted

    def status(self) -> Status:
        """Write the pod's status document as a kubelet would."""
        self._status = pod_status(
            self._pod,
            PodSeen(
                containers=tuple(self._seen(c) for c in self._pod["spec"]["containers"]),
                has_volumes=self._has_volumes,
                has_ended=self._has_ended,
            ),
            place=self.place,
            started_at=self._started_at,
            before=self._status,
            now=datetime.now(UTC),
        )
        return self._status

    async def end(self, *, grace_s: float) -> None:
        """End every process: SIGTERM, the grace period, SIGKILL."""
        await asyncio.gather(*(c.end(grace_s=grace_s) for c in self._containers.values()))
        self._has_ended = True
        await self._client.aclose()

    def log_file(self, container: str, *, previous: bool = False) -> Path:
        """Where the log of a container's current run is, or of the one before it."""
        return self.place.directory / "logs" / f"{container}{'.previous' if previous else ''}.log"

    def forwarded_ports(self) -> tuple[int, ...]:
        """Ports that the containers declare."""
        return tuple(
            int(port["containerPort"])
            for container in self._pod["spec"]["containers"]
            for port in container.get("ports", ())
        )

    def exec_environment(self, container: str) -> Mapping[str, str]:
        """Environment for a command in a container, without what came from Secrets."""
        running = self._containers.get(container)
        return {} if running is None else running.plan.shown_environment

    def _plans(self) -> tuple[ContainerPlan, ...]:
        return tuple(container.plan for container in self._containers.values())

    async def _start_missing(self) -> None:
        missing = [
            document
            for document in self._pod["spec"]["containers"]
            if document["name"] not in self._containers
        ]
        if not missing or not self._make_volumes():
            return
        for document in missing:
            name = document["name"]
            if refusal := why_not_pulled(document["image"], self._mounted):
                self._refused[name] = Waiting(reason="ImagePullBackOff", message=refusal)
                continue
            try:
                plan = plan_container(self._pod, document, place=self.place, mounted=self._mounted)
            except ConfigError as error:
                self._refused[name] = Waiting(
                    reason="CreateContainerConfigError", message=str(error)
                )
                continue
            container = Container(plan, self._context(name))
            self._containers[name] = container
            await container.start()

    def _make_volumes(self) -> bool:
        if self._has_volumes:
            return True
        try:
            make_volumes(self._pod, place=self.place, mounted=self._mounted)
        except VolumeError as error:
            for document in self._pod["spec"]["containers"]:
                self._refused[document["name"]] = Waiting(
                    reason="ContainerCreating", message=str(error)
                )
            return False
        self._has_volumes = True
        return True

    def _context(self, container: str) -> ContainerContext:
        spec = self._pod["spec"]
        return ContainerContext(
            pod=f"{self.name}_{self.namespace}({self.uid})",
            restart_policy=spec.get("restartPolicy", "Always"),
            grace_s=spec.get("terminationGracePeriodSeconds", DEFAULT_GRACE_S),
            loopback=self.place.address.loopback,
            image_id=f"python://{self.place.python}",
            log=self.log_file(container),
            previous_log=self.log_file(container, previous=True),
            client=self._client,
        )

    def _seen(self, document: Document) -> ContainerSeen:
        container = self._containers.get(document["name"])
        if container is not None:
            return container.seen()
        return ContainerSeen(
            name=document["name"],
            image=document["image"],
            image_id="",
            container_id="",
            state=self._refused.get(document["name"], Waiting(reason="ContainerCreating")),
            last_state=None,
            restart_count=0,
            is_started=False,
            is_ready=False,
        )
