"""What the program says that it built: the stack's outputs, as far as the claims need them."""

from pydantic import BaseModel, ConfigDict

from rehearsal.report.model import Cost


class Declared(BaseModel):
    """A part of the stack outputs; what the report does not use is left aside."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class DeclaredGroup(Declared):
    """A further group of a team's workers."""

    dask_worker_group: str
    workers: int
    worker_pool: str


class DeclaredTeam(Declared):
    """One team's Dask cluster."""

    namespace: str
    dask_cluster: str
    image: str
    workers: int
    """How many there are; of an adaptive team, the fewest."""

    most_workers: int | None = None
    """Of an adaptive team."""

    worker_pool: str
    groups: dict[str, DeclaredGroup] = {}
    """Further groups of workers; the two above are of the first."""

    @property
    def all_workers(self) -> int:
        """Return the number of workers of all groups."""
        return self.workers + sum(group.workers for group in self.groups.values())

    def pool_of(self, worker: str) -> str:
        """Return the pool of a worker, by its pod's name."""
        return next(
            (
                group.worker_pool
                for group in self.groups.values()
                if worker.startswith(f"{group.dask_worker_group}-worker-")
            ),
            self.worker_pool,
        )


class DeclaredCluster(Declared):
    """The GKE cluster."""

    name: str


class DeclaredDriver(Declared):
    """How the NVIDIA driver gets onto the nodes."""

    install: str
    """``daemonset`` or ``gke``."""

    version: str = ""
    """The version that the DaemonSet installs."""


class DeclaredPool(Declared):
    """A node pool and its size."""

    name: str
    role: str
    machine_type: str
    accelerator: str | None
    gpus_per_node: int
    min_nodes: int
    max_nodes: int


class DeclaredMonitoring(Declared):
    """Who reads metrics of the teams' pods."""

    collector_namespace: str = ""
    """Empty: nobody."""


class DeclaredFleet(Declared):
    """The stack outputs."""

    cluster: DeclaredCluster
    driver: DeclaredDriver
    teams: dict[str, DeclaredTeam]
    pools: tuple[DeclaredPool, ...] = ()
    cost: Cost | None = None
    monitoring: DeclaredMonitoring = DeclaredMonitoring()
