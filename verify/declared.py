"""Pure: what the last ``pulumi up`` declared, as far as the checks need it."""

from collections.abc import Mapping
from typing import Any

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
    """How many there are; of an adaptive team, the fewest."""
    most_workers: int | None = None
    """Of an adaptive team."""
    worker_pool: str
    scheduler_pool: str
    scheduler_fallback: str = "none"
    threads_per_worker: int | None = None
    worker_resources: dict[str, float] | None = None

    def wants_workers(self, count: int) -> bool:
        """Whether so many workers are as declared."""
        return self.workers <= count <= max(self.workers, self.most_workers or 0)

    @property
    def counted_workers(self) -> str:
        """How many workers are declared, in words."""
        if self.most_workers is not None:
            return f"{self.workers} to {self.most_workers} workers"
        return f"{self.workers} worker{'s' * (self.workers != 1)}"

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


class DeclaredFleet(_Declared):
    """The stack's outputs."""

    teams: dict[str, DeclaredTeam]
    pools: tuple[DeclaredPool, ...]

    def accelerator(self, pool: str) -> str | None:
        """Return the GPU type of a pool, as GKE names it."""
        return next((each.accelerator for each in self.pools if each.name == pool), None)

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
