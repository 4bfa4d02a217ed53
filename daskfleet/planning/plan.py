"""The fleet as it will be: settings with every default resolved, placed and priced."""

from dataclasses import dataclass

from daskfleet.planning.cost_lines import Cost
from daskfleet.planning.generations import Generation
from daskfleet.planning.quota import SurgeQuota
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.software import Image
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from daskfleet.settings.workers import Worker

CUDA_WORKER = ("dask", "cuda", "worker")
CPU_WORKER = ("dask", "worker")

FIRST_GROUP = "default"
"""The operator's name for the workers that a DaskCluster brings: its group ``<cluster>-default``.
"""


@dataclass(frozen=True, kw_only=True)
class PodResources:
    """What one pod asks of its node."""

    cpu: float
    """CPU cores."""

    memory_gib: float
    gpus: int
    """GPUs, or shares of a GPU where the pool shares its GPUs; 0 on a pool without GPUs."""

    @property
    def size(self) -> str:
        """Cores and memory in words."""
        return f"{self.cpu:g} cores, {self.memory_gib:g} GiB"


@dataclass(frozen=True, kw_only=True)
class ChainStep:
    """One of the pools on which a group's workers may run."""

    pool: WorkerPool
    generation: Generation
    """The generation of ``pool`` on which they run."""


@dataclass(frozen=True, kw_only=True)
class WorkerGroup:
    """Equal workers of one team, on one pool."""

    name: str
    """``default`` for the workers that every team has."""

    workers: int
    """How many there are; of an adaptive team, at most."""

    worker: Worker
    """Each of them, as the stack file has it."""

    pod: PodResources
    pool: WorkerPool
    """The pool that they want most."""

    generation: Generation
    """The generation of ``pool`` on which they run."""

    fallbacks: tuple[ChainStep, ...] = ()
    """Of a chain: the other pools on which they may run, in order of preference."""

    @property
    def steps(self) -> tuple[ChainStep, ...]:
        """All pools on which they may run, the most wanted first."""
        return (ChainStep(pool=self.pool, generation=self.generation), *self.fallbacks)

    @property
    def has_gpu(self) -> bool:
        """Whether each of them has a GPU: whether their pool has GPUs."""
        return self.pod.gpus > 0

    @property
    def command(self) -> tuple[str, ...]:
        """What each of them runs: one process, which dask-cuda starts for each GPU that it sees."""
        return self.worker.command or (CUDA_WORKER if self.pod.gpus == 1 else CPU_WORKER)

    @property
    def threads(self) -> int:
        """Threads of each: one where it has a GPU, else as many as it has whole cores.

        Two tasks at a time would share one GPU's memory without knowing.
        """
        return self.worker.threads or (1 if self.has_gpu else max(1, int(self.pod.cpu)))

    @property
    def resources(self) -> dict[str, float]:
        """Dask resources of each."""
        return {**({"GPU": self.pod.gpus} if self.has_gpu else {}), **self.worker.resources}


@dataclass(frozen=True, kw_only=True)
class JupyterPlan:
    """A team's JupyterLab with everything decided."""

    image: Image
    pod: PodResources
    generation: Generation | None = None
    """The generation of the worker pool on which it has a GPU; None: on the system pool."""


@dataclass(frozen=True, kw_only=True)
class TeamPlan:
    """A team with everything decided that its settings left open."""

    team: Team
    image: Image
    worker_pool: WorkerPool
    worker_generation: Generation
    """The generation of ``worker_pool`` on which the workers run."""

    worker_fallbacks: tuple[ChainStep, ...] = ()
    """Of a chain: the other pools on which the workers may run, in order of preference."""

    scheduler_generation: Generation
    """The generation of the scheduler pool on which the scheduler runs."""

    driver: str | None
    """Version of the NVIDIA driver on both; ``None`` where GKE chooses it."""

    worker: PodResources
    scheduler: PodResources
    jupyter: JupyterPlan | None = None
    """None for a team that wants none."""

    further_groups: tuple[WorkerGroup, ...] = ()
    """Those of the team's ``groups``, in the order of the stack file."""

    @property
    def first_group(self) -> WorkerGroup:
        """The workers that every team has: the operator's group ``<cluster>-default``."""
        return WorkerGroup(
            name=FIRST_GROUP,
            workers=self.team.maximum_workers,
            worker=self.team.worker,
            pod=self.worker,
            pool=self.worker_pool,
            generation=self.worker_generation,
            fallbacks=self.worker_fallbacks,
        )

    @property
    def groups(self) -> tuple[WorkerGroup, ...]:
        """All workers, the first group first."""
        return (self.first_group, *self.further_groups)

    @property
    def all_workers(self) -> int:
        """Workers of all groups."""
        return sum(group.workers for group in self.groups)


@dataclass(frozen=True, kw_only=True)
class PodGroup:
    """Equal pods of one team on one node."""

    team: str
    component: str
    """``scheduler``, ``worker`` of whichever group, or ``jupyter``."""

    count: int
    slots: int = 1
    """GPUs, or shares of one, that each takes; 1 on a pool without GPUs, too."""


@dataclass(frozen=True, kw_only=True)
class PoolPlacement:
    """Which pods fill which nodes of a pool, in one order that works."""

    pool: str
    nodes: tuple[tuple[PodGroup, ...], ...]
    """The pods of each node that is needed; nodes beyond these stay empty."""


@dataclass(frozen=True, kw_only=True)
class FleetPlan:
    """A stack that passed every check."""

    stack: Stack
    teams: tuple[TeamPlan, ...]
    """The teams that have a Dask cluster."""

    retired: tuple[Team, ...]
    """The teams of which only the namespace is left."""

    placement: tuple[PoolPlacement, ...]
    """The scheduler pool first, then the worker pools in the order of the stack file."""

    cost: Cost
    surge_quotas: tuple[SurgeQuota, ...]
    """For each pool with ``replacement: surge``: what a new generation takes beside the old."""

    warnings: tuple[str, ...]
    """What the checks allow but a reader should know."""
