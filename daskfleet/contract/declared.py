"""What is declared of a fleet, as its users are told: by the stack's outputs or a team's notice.

What earlier releases did not tell is None, and so is what the outputs do not tell.
"""

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict


class Declared(BaseModel):
    """A part of what is told; what a newer release tells besides is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


FIRST_GROUP = "default"
"""The operator's name for the workers that it makes with the cluster."""

WORKER_PART = "-worker-"
"""Between the name of a DaskWorkerGroup and what its workers are told apart by."""


class DeclaredPod(Declared):
    """What a pod asks of its node."""

    cpu: float
    """Cores."""
    memory_gib: float
    gpus: int
    """GPUs, or shares of one where the pool shares its GPUs."""


class DeclaredGroup(Declared):
    """Equal workers of a team."""

    dask_worker_group: str
    workers: int
    worker_pool: str
    """Where they run; of a chain, the pool that they want most."""
    worker_pools: tuple[str, ...] | None = None
    """Of a chain: all pools on which they may run, in order of preference."""
    threads_per_worker: int | None = None
    worker_resources: dict[str, float] | None = None
    """Dask resources of each."""
    worker_pod: DeclaredPod | None = None
    """Each worker's pod; only a notice tells."""

    @property
    def pools(self) -> tuple[str, ...]:
        """Return all pools on which they may run."""
        return self.worker_pools or (self.worker_pool,)


class DeclaredLab(Declared):
    """A person's JupyterLab; image, port and place are those of the team's."""

    service: str
    token_secret: str
    """Secret with the token that it asks for, which this person alone may read."""


class DeclaredJupyter(Declared):
    """A team's JupyterLab."""

    service: str
    port: int
    token_secret: str
    """Secret with the token that it asks for."""
    image: str
    worker_pool: str | None = None
    """Where it has a GPU; None: it runs on the system pool, or an earlier release declared it."""
    people: dict[str, DeclaredLab] | None = None
    """Of those who have one of their own, by the name that the stack file gives them."""


class DeclaredSleep(Declared):
    """When a team's workers go."""

    idle_after_min: float | None = None
    """Minutes without work; None: not for want of work."""
    hours: str | None = None
    """When they are there, as the stack file has it; None: at any time alike."""


class DeclaredOwnClusters(Declared):
    """What members may make for themselves."""

    max_workers: int
    """Of all such clusters together."""
    max_clusters: int
    spec_config_map: str
    """ConfigMap with the spec of such a cluster."""
    spec_key: str
    spec_name: str
    """The cluster's name in that spec."""


class DeclaredTeam(Declared):
    """A team's Dask cluster."""

    namespace: str
    dask_cluster: str
    address: str
    """For clients inside of the cluster."""
    dashboard: str
    image: str
    """What a client should run too: the scheduler unpacks what the client has packed."""
    rapids: str
    """RAPIDS release inside the image."""
    cuda: int
    """CUDA major version inside the image."""
    packages: dict[str, str] | None = None
    """Versions inside of the image by package, where the catalog knows them; only a notice tells.
    """
    workers: int
    """How many there are; of an adaptive team, the fewest."""
    most_workers: int | None = None
    """Of an adaptive team."""
    worker_pool: str
    worker_pools: tuple[str, ...] | None = None
    """Of a chain; see ``DeclaredGroup``."""
    scheduler_pool: str
    scheduler_fallback: str = "none"
    threads_per_worker: int | None = None
    worker_resources: dict[str, float] | None = None
    tls_client_secret: str | None = None
    """Secret with a client's certificate; None: the team has no TLS."""
    jupyter: DeclaredJupyter | None = None
    """None: the team has none."""
    groups: dict[str, DeclaredGroup] = {}
    """Further groups of workers; what stands above is the first."""
    worker_pod: DeclaredPod | None = None
    """Each worker's pod; only a notice tells."""
    sleep: DeclaredSleep | None = None
    """None: the workers stay, or nobody tells; only a notice does."""
    own_clusters: DeclaredOwnClusters | None = None
    """None: members may make none, or nobody tells; only a notice does."""

    @property
    def scheme(self) -> str:
        """The protocol of the scheduler's addresses."""
        return urlsplit(self.address).scheme

    @property
    def service(self) -> str:
        """The team's Service."""
        return (urlsplit(self.address).hostname or "").partition(".")[0]

    @property
    def scheduler_port(self) -> int:
        """Where the scheduler listens."""
        return urlsplit(self.address).port or 0

    @property
    def dashboard_port(self) -> int:
        """Where the scheduler's HTTP server listens."""
        return urlsplit(self.dashboard).port or 0

    def address_at(self, port: int) -> str:
        """Return the scheduler's address by a port of this machine; its protocol stays."""
        return f"{self.scheme}://127.0.0.1:{port}"

    def dashboard_at(self, port: int) -> str:
        """Return the dashboard's address by a port of this machine."""
        return urlsplit(self.dashboard)._replace(netloc=f"127.0.0.1:{port}").geturl()

    @property
    def all_groups(self) -> tuple[DeclaredGroup, ...]:
        """Return all groups of workers, the first one first."""
        first = DeclaredGroup(
            dask_worker_group=f"{self.dask_cluster}-{FIRST_GROUP}",
            workers=self.workers,
            worker_pool=self.worker_pool,
            worker_pools=self.worker_pools,
            threads_per_worker=self.threads_per_worker,
            worker_resources=self.worker_resources,
            worker_pod=self.worker_pod,
        )
        return (first, *self.groups.values())

    @property
    def all_workers(self) -> int:
        """Return the number of workers of all groups."""
        return sum(group.workers for group in self.all_groups)

    @property
    def kinds_of_resources(self) -> list[dict[str, float]]:
        """Return the resources of each group, for tasks that ask for them, each once."""
        amounts = [each.worker_resources for each in self.all_groups if each.worker_resources]
        return [each for place, each in enumerate(amounts) if each not in amounts[:place]]

    def group_of(self, worker: str) -> DeclaredGroup:
        """Return the group of a worker, by the name that the operator gave it, or its pod's."""
        return next(
            (
                group
                for group in self.groups.values()
                if worker.startswith(group.dask_worker_group + WORKER_PART)
            ),
            self.all_groups[0],
        )

    @property
    def scheduler_pools(self) -> tuple[str, ...]:
        """Pools where the scheduler may be."""
        if self.scheduler_fallback == "worker-pool":
            return self.scheduler_pool, self.worker_pool
        return (self.scheduler_pool,)


class DeclaredPool(Declared):
    """A node pool."""

    name: str
    accelerator: str | None = None
    """GPU type as GKE names it; None for a pool without GPUs."""
    gpu_partition_size: str | None = None
    """Of each GPU, where they are divided (MIG)."""


class DeclaredMonitoring(Declared):
    """What is measured of the fleet."""

    prometheus: str = "none"


class DeclaredFleet(Declared):
    """The stack's outputs, or the part of them that a team's notice has."""

    teams: dict[str, DeclaredTeam]
    retired_teams: dict[str, object] = {}
    """Teams of which only the namespace is left."""
    pools: tuple[DeclaredPool, ...]
    monitoring: DeclaredMonitoring = DeclaredMonitoring()

    @property
    def is_measured(self) -> bool:
        """Whether metrics of Dask are collected."""
        return self.monitoring.prometheus != "none"

    def pool(self, name: str) -> DeclaredPool:
        """Return a pool by its name in GKE; one that is not declared has no GPUs."""
        return next((each for each in self.pools if each.name == name), DeclaredPool(name=name))
