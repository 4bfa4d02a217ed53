"""The teams' JupyterLabs as pods that ask for room."""

from collections.abc import Iterator
from dataclasses import dataclass

from daskfleet.planning.node_room import MIB_PER_GIB
from daskfleet.planning.packing import Demand
from daskfleet.planning.plan import PodResources
from daskfleet.planning.pools import jupyter_pool_of
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.jupyter import Jupyter
from daskfleet.settings.pools import WorkerPool
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team


@dataclass(frozen=True, kw_only=True)
class Notebooks:
    """The JupyterLabs of one team, which are equal."""

    index: int
    """The team's place in the stack file."""

    team: Team
    jupyter: Jupyter
    pool: WorkerPool | None
    """None: the system pool, or one that does not exist."""

    @property
    def key(self) -> str:
        """Where it is in the stack file."""
        return f"teams[{self.index}].jupyter"

    @property
    def pod(self) -> PodResources:
        """What each pod asks for: a GPU where it is on a pool of workers."""
        return PodResources(
            cpu=self.jupyter.cpu, memory_gib=self.jupyter.memory_gib, gpus=1 if self.pool else 0
        )

    @property
    def demand(self) -> Demand:
        """The same, to be packed."""
        return Demand(
            team=self.team.name,
            component="jupyter",
            count=self.jupyter.labs,
            cpu_m=round(self.pod.cpu * 1000),
            memory_mib=round(self.pod.memory_gib * MIB_PER_GIB),
        )


def notebooks_of(stack: Stack) -> Iterator[Notebooks]:
    """Those of all teams that have any."""
    for index, team in teams_with_cluster(stack):
        if team.jupyter:
            pool = jupyter_pool_of(team, stack)
            yield Notebooks(index=index, team=team, jupyter=team.jupyter, pool=pool)


def notebooks_on(pool: WorkerPool, stack: Stack) -> tuple[Notebooks, ...]:
    """Those that a worker pool must hold."""
    return tuple(each for each in notebooks_of(stack) if each.pool is pool)
