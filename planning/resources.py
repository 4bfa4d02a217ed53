"""What each team's pods ask for, and whether one of them fits on an empty node at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from planning.node_room import MIB_PER_GIB, NodeRoom
from planning.packing import Demand
from planning.plan import PodResources
from planning.pools import room_on, room_to_share, worker_pool_of
from planning.teams import teams_with_cluster
from settings.pools import GpuPool, WorkerPool
from settings.problems import Problem
from settings.stack import Stack
from settings.team import Team

CPU_STEP = 0.5
MEMORY_STEP_GIB = 1
"""Default shares are rounded down to these, so that figures stay readable."""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """What a team asks of the pools."""

    index: int
    """The team's place in the stack file."""

    team: Team
    pool: WorkerPool
    worker: PodResources
    scheduler: PodResources

    @property
    def workers(self) -> Demand:
        """All workers of the team."""
        return self.workers_of(1)

    @property
    def schedulers(self) -> Demand:
        """All schedulers of the team."""
        return self.schedulers_of(1)

    def workers_of(self, clusters: int) -> Demand:
        """All workers, while there are so many clusters of Pulumi's."""
        own = self.team.ephemeral.max_workers if self.team.ephemeral else 0
        return self._demand("worker", clusters * self.team.most_workers + own, self.worker)

    def schedulers_of(self, clusters: int) -> Demand:
        """All schedulers, while there are so many clusters of Pulumi's."""
        own = self.team.ephemeral.max_clusters if self.team.ephemeral else 0
        return self._demand("scheduler", clusters + own, self.scheduler)

    def _demand(self, component: str, count: int, resources: PodResources) -> Demand:
        return Demand(
            team=self.team.name,
            component=component,
            count=count,
            cpu_m=round(resources.cpu * 1000),
            memory_mib=round(resources.memory_gib * MIB_PER_GIB),
        )


def asks_of(stack: Stack) -> tuple[Ask, ...]:
    """The asks of all teams whose pool exists and has a machine type that the catalog knows."""
    asks = []
    for index, team in teams_with_cluster(stack):
        pool = worker_pool_of(team, stack)
        room = room_to_share(pool, stack=stack) if pool else None
        if pool and room:
            asks.append(
                Ask(
                    index=index,
                    team=team,
                    pool=pool,
                    worker=_worker_resources(team, room),
                    scheduler=PodResources(
                        cpu=team.scheduler.cpu, memory_gib=team.scheduler.memory_gib, gpus=1
                    ),
                )
            )
    return tuple(asks)


def _worker_resources(team: Team, room: NodeRoom) -> PodResources:
    """What the team says, else one GPU's share of the node."""
    cpu_share = room.cpu_m / 1000 / room.slots // CPU_STEP * CPU_STEP
    memory_share = room.memory_mib / MIB_PER_GIB / room.slots // MEMORY_STEP_GIB * MEMORY_STEP_GIB
    return PodResources(
        cpu=team.worker.cpu or cpu_share,
        memory_gib=team.worker.memory_gib or memory_share,
        gpus=team.worker.gpus,
    )


def resource_problems(stack: Stack) -> list[Problem]:
    """Unknown pools, and pods that fit on no node."""
    return [*_pools(stack), *_pods(stack)]


def _pools(stack: Stack) -> Iterator[Problem]:
    names = [pool.name for pool in stack.worker_pools]
    for index, team in teams_with_cluster(stack):
        if worker_pool_of(team, stack) is not None:
            continue
        if team.worker_pool is None:
            reason, next_step = "There are several worker pools.", "say which one is this team's."
        else:
            closest = get_close_matches(team.worker_pool, names, n=1, cutoff=0)[0]
            reason = "There is no worker pool of this name."
            next_step = f"write {closest} if that is what was meant, or add the pool."
        yield Problem(
            key=f"teams[{index}].worker_pool",
            value=team.worker_pool or "not given",
            reason=reason,
            allowed=", ".join(names),
            next_step=next_step,
        )


def _pods(stack: Stack) -> Iterator[Problem]:
    scheduler_room = room_on(stack.scheduler_pool, stack=stack)
    for ask in asks_of(stack):
        key = f"teams[{ask.index}]"
        worker_room = room_on(ask.pool, stack=stack)
        is_nothing = not (ask.worker.cpu and ask.worker.memory_gib)
        if worker_room and (is_nothing or not ask.workers.fitting(worker_room)):
            yield _too_large(f"{key}.worker", ask.worker, ask.pool, worker_room)
        if scheduler_room and not ask.schedulers.fitting(scheduler_room):
            yield _too_large(
                f"{key}.scheduler", ask.scheduler, stack.scheduler_pool, scheduler_room
            )
        if ask.team.worker.shm_gib >= ask.worker.memory_gib > 0:
            yield Problem(
                key=f"{key}.worker.shm_gib",
                value=f"{ask.team.worker.shm_gib:g}",
                reason="What is in /dev/shm counts against the worker's memory, which is "
                f"{ask.worker.memory_gib:g} GiB.",
                allowed=f"less than {ask.worker.memory_gib:g}",
                next_step="lower shm_gib, or raise worker.memory_gib.",
            )


def _too_large(key: str, pod: PodResources, pool: GpuPool, room: NodeRoom) -> Problem:
    return Problem(
        key=key,
        value=f"{pod.cpu:g} cores, {pod.memory_gib:g} GiB",
        reason=f"No node of pool {pool.name} can ever hold this pod: {pool.machine_type} has "
        f"{room.text} for pods of ours, after what GKE reserves and its own pods take.",
        allowed=f"at most {room.text}",
        next_step="ask for less, or give the pool a larger machine type.",
    )
