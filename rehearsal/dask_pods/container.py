"""One container of a pod: started, probed, restarted with a back-off, ended."""

import asyncio
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from rehearsal.dask_pods.back_off import RestartBackOff, go_duration
from rehearsal.dask_pods.container_plan import ContainerPlan
from rehearsal.dask_pods.log_file import LogFile, keep_as_previous
from rehearsal.dask_pods.probes import Probes, ProbeTarget
from rehearsal.dask_pods.process_group import ProcessGroup
from rehearsal.dask_pods.states import ContainerSeen, Running, Terminated, Waiting

START_ERROR = 128
"""containerd's exit code for a program that could not be started."""


@dataclass(frozen=True, kw_only=True)
class ContainerContext:
    """What a container needs to know of its pod."""

    pod: str
    """As the kubelet names it: ``name_namespace(uid)``."""
    restart_policy: str
    grace_s: float
    loopback: str
    image_id: str
    log: Path
    previous_log: Path
    client: httpx.AsyncClient


class Container:
    """Runs one plan again and again, as its pod's restart policy wants it."""

    def __init__(self, plan: ContainerPlan, context: ContainerContext) -> None:
        self.plan = plan
        self._context = context
        self._state: Waiting | Running | Terminated = Waiting(reason="ContainerCreating")
        self._last_state: Terminated | None = None
        self._restart_count = 0
        self._back_off = RestartBackOff()
        self._ended_at = 0.0
        self._group: ProcessGroup | None = None
        self._probes: Probes | None = None
        self._killing: asyncio.Task[None] | None = None
        self._container_id = ""

    @property
    def pid(self) -> int | None:
        """The leader of its process group, while that runs."""
        return self._group.pid if self._group is not None else None

    def seen(self) -> ContainerSeen:
        """Say what it is doing."""
        return ContainerSeen(
            name=self.plan.name,
            image=self.plan.image,
            image_id=self._context.image_id,
            container_id=self._container_id,
            state=self._state,
            last_state=self._last_state,
            restart_count=self._restart_count,
            is_started=self._probes is not None and self._probes.is_started,
            is_ready=self._probes is not None and self._probes.is_ready,
        )

    async def start(self) -> None:
        """Start its process."""
        keep_as_previous(self._context.log, self._context.previous_log)
        try:
            self._group = await ProcessGroup.start(
                self._found(self.plan.environment),
                environment=self.plan.environment,
                directory=self.plan.directory,
                log=self._context.log,
            )
        except OSError as error:
            self._cannot_start(error)
            return
        self._container_id = f"process://{self._group.pid}"
        self._state = Running(started_at=self._group.started_at)
        self._probes = Probes(
            self.plan.probes,
            target=ProbeTarget(
                loopback=self._context.loopback,
                environment=self.plan.environment,
                directory=self.plan.directory,
            ),
            client=self._context.client,
            now=time.monotonic(),
        )

    async def look(self) -> None:
        """Note an end, restart when it is time, ask the probes that are due."""
        if self._group is not None and self._group.has_ended:
            self._note_end(self._group)
        now = time.monotonic()
        if self._group is None:
            await self._restart(now)
        elif self._probes is not None and self._killing is None:
            await self._probes.look(now)
            if (failed := self._probes.failed) is not None:
                self._probes.stop()
                grace_s = self._context.grace_s if failed.grace_s is None else failed.grace_s
                self._killing = asyncio.create_task(self._group.stop(grace_s=grace_s))

    async def end(self, *, grace_s: float) -> None:
        """End it for good."""
        if self._probes is not None:
            self._probes.stop()
        if (group := self._group) is not None:
            await group.stop(grace_s=grace_s)
            if self._group is group:  # who ends it with another grace has not noted it yet
                self._note_end(group)
        elif self._last_state is not None:
            # It waited for its next start; what it came to is how it ended last.
            self._state = self._last_state

    def _found(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """Give the command with its program looked up on the container's own PATH."""
        if not self.plan.argv:
            raise FileNotFoundError("no command specified; what the image would run is not known")
        program = shutil.which(self.plan.argv[0], path=environment["PATH"])
        if program is None:
            raise FileNotFoundError(
                f'exec: "{self.plan.argv[0]}": executable file not found in $PATH '
                f"({environment['PATH']})"
            )
        return (program, *self.plan.argv[1:])

    def _cannot_start(self, error: OSError) -> None:
        now = datetime.now(UTC)
        # containerd opens the log before it starts anything: there is one, with nothing in it.
        LogFile(self._context.log).close()
        self._container_id = ""
        self._ended(
            Terminated(
                exit_code=START_ERROR,
                reason="StartError",
                message=str(error),
                started_at=now,
                finished_at=now,
                container_id="",
            )
        )

    def _note_end(self, group: ProcessGroup) -> None:
        if self._probes is not None:
            self._probes.stop()
        self._ended(
            Terminated(
                exit_code=group.exit_code,
                reason="Error" if group.exit_code else "Completed",
                started_at=group.started_at,
                finished_at=group.finished_at or datetime.now(UTC),
                container_id=self._container_id,
            )
        )

    def _ended(self, terminated: Terminated) -> None:
        self._state = terminated
        self._group = self._probes = None
        self._ended_at = time.monotonic()

    async def _restart(self, now: float) -> None:
        ended = self._last_ended()
        if ended is None or not self._wants_restart(ended):
            return
        self._last_state = ended
        if self._back_off.still_s(ended_at=self._ended_at, now=now) > 0:
            self._state = Waiting(
                reason="CrashLoopBackOff",
                message=f"back-off {go_duration(self._back_off.delay_s)} restarting failed "
                f"container={self.plan.name} pod={self._context.pod}",
            )
            return
        self._killing = None
        self._restart_count += 1
        self._back_off.restarted(now=now)
        await self.start()

    def _last_ended(self) -> Terminated | None:
        return self._state if isinstance(self._state, Terminated) else self._last_state

    def _wants_restart(self, ended: Terminated) -> bool:
        policy = self._context.restart_policy
        was_killed_by_a_probe = self._killing is not None
        return policy == "Always" or (
            policy == "OnFailure" and (ended.exit_code != 0 or was_killed_by_a_probe)
        )
