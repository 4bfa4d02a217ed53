"""Pure: what the last ``pulumi up`` declared, as far as the checks need it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from daskfleet.team.verify.errors import VerifyError


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


FIRST_GROUP = "default"
"""The operator's name for the workers that it makes with the cluster."""

WORKER_PART = "-worker-"
"""Between the name of a DaskWorkerGroup and what its workers are told apart by."""


class DeclaredGroup(_Declared):
    """Equal workers of a team. What earlier releases did not tell is None."""

    dask_worker_group: str
    workers: int
    worker_pool: str
    threads_per_worker: int | None = None
    worker_resources: dict[str, float] | None = None


class DeclaredJupyter(_Declared):
    """A team's JupyterLab."""

    image: str
    worker_pool: str | None = None
    """Where it has a GPU; None: it runs on the system pool, or an earlier release declared it."""


class DeclaredTeam(_Declared):
    """A team's Dask cluster. What earlier releases did not tell is None."""

    namespace: str
    dask_cluster: str
    address: str
    """For clients inside of the cluster."""
    dashboard: str
    image: str
    cuda: int
    """CUDA major version inside the image."""
    workers: int
    """How many there are; of an adaptive team, the fewest."""
    most_workers: int | None = None
    """Of an adaptive team."""
    worker_pool: str
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

    @property
    def scheme(self) -> str:
        """The protocol of the scheduler's addresses."""
        return urlsplit(self.address).scheme

    @property
    def all_groups(self) -> tuple[DeclaredGroup, ...]:
        """Return all groups of workers, the first one first."""
        first = DeclaredGroup(
            dask_worker_group=f"{self.dask_cluster}-{FIRST_GROUP}",
            workers=self.workers,
            worker_pool=self.worker_pool,
            threads_per_worker=self.threads_per_worker,
            worker_resources=self.worker_resources,
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


class DeclaredPool(_Declared):
    """A node pool."""

    name: str
    accelerator: str | None = None
    """GPU type as GKE names it; None for a pool without GPUs."""
    gpu_partition_size: str | None = None
    """Of each GPU, where they are divided (MIG)."""


class DeclaredMonitoring(_Declared):
    """What is measured of the fleet."""

    prometheus: str = "none"


class DeclaredFleet(_Declared):
    """The stack's outputs."""

    teams: dict[str, DeclaredTeam]
    pools: tuple[DeclaredPool, ...]
    monitoring: DeclaredMonitoring = DeclaredMonitoring()

    @property
    def is_measured(self) -> bool:
        """Whether metrics of Dask are collected."""
        return self.monitoring.prometheus != "none"

    def pool(self, name: str) -> DeclaredPool:
        """Return a pool by its name in GKE; one that is not declared has no GPUs."""
        return next((each for each in self.pools if each.name == name), DeclaredPool(name=name))

    def chosen(self, team: str | None) -> dict[str, DeclaredTeam]:
        """Return the named team, or all.

        Raises:
            VerifyError: the stack has no such team.

        """
        if team is None:
            return self.teams
        if team not in self.teams:
            known = ", ".join(sorted(self.teams)) or "none"
            raise VerifyError(f"The stack has no team {team}; it has: {known}.")
        return {team: self.teams[team]}


def declared_fleet(outputs: Mapping[str, Any]) -> DeclaredFleet:
    """Read the stack's outputs.

    Raises:
        VerifyError: there are none, or an earlier release wrote them.

    """
    if not outputs:
        raise VerifyError(
            "The stack has no outputs: no `pulumi up` has succeeded since it was made or "
            "destroyed. Run `pulumi up` first."
        )
    try:
        return DeclaredFleet.model_validate(outputs)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise VerifyError(
            f"The stack's outputs lack what the checks need ({wrong}). Run `pulumi up` with this "
            "release of the program."
        ) from error
