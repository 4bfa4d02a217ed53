"""Pure: what the last ``pulumi up`` declared, as far as the checks need it."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from verify.errors import VerifyError


class _Declared(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


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
    worker_pool: str
    scheduler_pool: str
    scheduler_fallback: str = "none"
    threads_per_worker: int | None = None
    worker_resources: dict[str, float] | None = None
    tls_client_secret: str | None = None
    """Secret with a client's certificate; None: the team has no TLS."""

    @property
    def scheme(self) -> str:
        """The protocol of the scheduler's addresses."""
        return urlsplit(self.address).scheme

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
