"""What each team's pods ask for, and whether one of them fits on an empty node at all."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from daskfleet.planning.node_room import MIB_PER_GIB, NodeRoom
from daskfleet.planning.packing import Demand
from daskfleet.planning.plan import PodResources
from daskfleet.planning.pools import room_on, room_to_share, worker_chain_of
from daskfleet.planning.teams import all_groups, groups_of, teams_with_cluster
from daskfleet.settings.pools import GpuPool, WorkerPool
from daskfleet.settings.problems import Problem, listed
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from daskfleet.settings.worker_chain import pools_named
from daskfleet.settings.workers import Worker, WorkerGroup

CPU_STEP = 0.5
MEMORY_STEP_GIB = 1
"""Default shares are rounded down to these, so that figures stay readable."""


@dataclass(frozen=True, kw_only=True)
class GroupRequest:
    """What the pods of a worker group request; with the first group, the scheduler's too."""

    index: int
    """The team's place in the stack file."""

    team: Team
    group: WorkerGroup | None = None
    """None for the first group, which the team's own settings describe."""

    key: str
    """Where the group is in the stack file, for example ``teams[0]`` or ``teams[0].groups[1]``."""

    pool: WorkerPool
    """The pool that they want most."""

    fallbacks: tuple[WorkerPool, ...] = ()
    """Of a chain: the other pools on which they may run, in order of preference."""

    worker: PodResources
    scheduler: PodResources

    @property
    def chain(self) -> tuple[WorkerPool, ...]:
        """All pools on which the workers may run."""
        return (self.pool, *self.fallbacks)

    @property
    def is_first(self) -> bool:
        """Whether it has the scheduler with it, which a team has once."""
        return self.group is None

    @property
    def settings(self) -> Worker:
        """Each worker, as the stack file has it."""
        return self.group.worker if self.group else self.team.worker

    @property
    def owner(self) -> str:
        """Whose workers these are, in words."""
        return f"{self.team.name}, group {self.group.name}" if self.group else self.team.name

    @property
    def workers(self) -> Demand:
        """All workers of the group."""
        return self.workers_of(1)

    @property
    def schedulers(self) -> Demand:
        """All schedulers of the team."""
        return self.schedulers_of(1)

    def workers_of(self, clusters: int) -> Demand:
        """All workers, while there are so many clusters of Pulumi's."""
        if self.group is not None:
            return self._demand("worker", clusters * self.group.workers, self.worker)
        own = self.team.ephemeral.max_workers if self.team.ephemeral else 0
        return self._demand("worker", clusters * self.team.maximum_workers + own, self.worker)

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
            slots=max(1, resources.gpus),
        )


def group_requests(stack: Stack) -> tuple[GroupRequest, ...]:
    """Of all groups whose pool exists and has a machine type that the catalog knows."""
    requests = []
    for index, team in teams_with_cluster(stack):
        for key, group in groups_of(index, team):
            chain = worker_chain_of(team, stack, group=group)
            rooms = [room for pool in chain if (room := room_to_share(pool, stack=stack))]
            if chain and len(rooms) == len(chain):
                requests.append(
                    GroupRequest(
                        index=index,
                        team=team,
                        group=group,
                        key=key,
                        pool=chain[0],
                        fallbacks=chain[1:],
                        worker=_worker_resources(
                            group.worker if group else team.worker, chain[0], rooms
                        ),
                        scheduler=PodResources(
                            cpu=team.scheduler.cpu,
                            memory_gib=team.scheduler.memory_gib,
                            gpus=1 if stack.scheduler_pool.has_gpus else 0,
                        ),
                    )
                )
    return tuple(requests)


def first_groups(requests: Iterable[GroupRequest]) -> tuple[GroupRequest, ...]:
    """One request for each team: that with the scheduler."""
    return tuple(request for request in requests if request.is_first)


def _worker_resources(worker: Worker, pool: WorkerPool, rooms: Sequence[NodeRoom]) -> PodResources:
    """What the group says, else its GPUs' share of the node; without GPUs the node.

    Of a chain the smallest share: a worker is the same on whichever of its pools it comes up.
    """
    gpus = worker.gpus if pool.has_gpus else 0
    return PodResources(
        cpu=worker.cpu or min(_cpu_share(room, gpus) for room in rooms),
        memory_gib=worker.memory_gib or min(_memory_share_gib(room, gpus) for room in rooms),
        gpus=gpus,
    )


def _cpu_share(room: NodeRoom, gpus: int) -> float:
    return room.cpu_m / 1000 * _taken(room, gpus) / room.slots // CPU_STEP * CPU_STEP


def _memory_share_gib(room: NodeRoom, gpus: int) -> float:
    gib = room.memory_mib / MIB_PER_GIB * _taken(room, gpus) / room.slots
    return gib // MEMORY_STEP_GIB * MEMORY_STEP_GIB


def _taken(room: NodeRoom, gpus: int) -> int:
    """No more than the node has: that it lacks so many GPUs is a problem of its own."""
    return min(max(1, gpus), room.slots)


def resource_problems(stack: Stack, requests: Iterable[GroupRequest]) -> list[Problem]:
    """Unknown pools, and pods that fit on no node."""
    return [*_pools(stack), *_pods(stack, requests)]


def _pools(stack: Stack) -> Iterator[Problem]:
    names = [pool.name for pool in stack.worker_pools]
    for key, team, group in all_groups(stack):
        if worker_chain_of(team, stack, group=group):
            continue
        given = pools_named(group.pool if group else team.worker_pool)
        named = next((name for name in given if name not in names), None)
        if named is None:
            owner = "group" if group else "team"
            reason = "There are several worker pools."
            next_step = f"say which one is this {owner}'s."
        elif named == stack.scheduler_pool.name:
            reason = "This is the pool of the schedulers, which a worker would keep off their GPU."
            next_step = "name a worker pool."
        else:
            closest = get_close_matches(named, names, n=1, cutoff=0)[0]
            reason = "There is no worker pool of this name."
            next_step = f"write {closest} if that is what was meant, or add the pool."
        yield Problem(
            key=f"{key}.pool" if group else f"{key}.worker_pool",
            value=named or "not given",
            reason=reason,
            allowed=listed(names),
            next_step=next_step,
        )


def _pods(stack: Stack, requests: Iterable[GroupRequest]) -> Iterator[Problem]:
    scheduler_room = room_on(stack.scheduler_pool, stack=stack)
    for request in requests:
        key = request.key
        is_nothing = not (request.worker.cpu and request.worker.memory_gib)
        for pool in request.chain:
            worker_room = room_on(pool, stack=stack)
            has_gpus = worker_room and request.workers.slots <= worker_room.slots
            does_not_fit = is_nothing or (worker_room and not request.workers.fitting(worker_room))
            if worker_room and has_gpus and does_not_fit:
                yield too_large(f"{key}.worker", request.worker, pool, worker_room)
        if request.is_first and scheduler_room and not request.schedulers.fitting(scheduler_room):
            yield too_large(
                f"{key}.scheduler", request.scheduler, stack.scheduler_pool, scheduler_room
            )
        if request.settings.shm_gib >= request.worker.memory_gib > 0:
            yield Problem(
                key=f"{key}.worker.shm_gib",
                value=f"{request.settings.shm_gib:g}",
                reason="What is in /dev/shm counts against the worker's memory, which is "
                f"{request.worker.memory_gib:g} GiB.",
                allowed=f"less than {request.worker.memory_gib:g}",
                next_step="lower shm_gib, or raise worker.memory_gib.",
            )


def too_large(key: str, pod: PodResources, pool: GpuPool, room: NodeRoom) -> Problem:
    """The problem of a pod for which even an empty node has no room."""
    return Problem(
        key=key,
        value=pod.size,
        reason=f"No node of pool {pool.name} can ever hold this pod: {pool.machine_type} has "
        f"{room.text} for pods of ours, after what GKE reserves and its own pods take.",
        allowed=f"at most {room.text}",
        next_step="ask for less, or give the pool a larger machine type.",
    )
