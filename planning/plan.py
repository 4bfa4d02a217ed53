"""The fleet as it will be: settings with every default resolved, placed and priced."""

from dataclasses import dataclass

from settings.pools import WorkerPool
from settings.software import Image
from settings.stack import Stack
from settings.team import Team


@dataclass(frozen=True, kw_only=True)
class PodResources:
    """What one pod asks of its node."""

    cpu: float
    """CPU cores."""

    memory_gib: float
    gpus: int
    """GPUs, or shares of a GPU where the pool shares its GPUs."""


@dataclass(frozen=True, kw_only=True)
class TeamPlan:
    """A team with everything decided that its settings left open."""

    team: Team
    image: Image
    worker_pool: WorkerPool
    worker: PodResources
    scheduler: PodResources


@dataclass(frozen=True, kw_only=True)
class FleetPlan:
    """A stack that passed every check."""

    stack: Stack
    teams: tuple[TeamPlan, ...]
    warnings: tuple[str, ...]
    """What the checks allow but a reader should know."""
