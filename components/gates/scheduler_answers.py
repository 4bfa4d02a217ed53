"""What a Dask scheduler answers by HTTP, as far as gates read it.

These are words of a team's own pod, so nothing is taken for granted.

Routes of distributed 2026.8.0, ``distributed/http/scheduler/api.py``.
"""

from pydantic import BaseModel, RootModel


class Worker(BaseModel):
    """A worker that the scheduler knows."""

    name: str | int
    address: str


class Workers(BaseModel):
    """``GET /api/v1/get_workers``."""

    workers: tuple[Worker, ...]

    def addresses(self) -> dict[str, str]:
        """Return the workers' addresses by their names."""
        return {str(each.name): each.address for each in self.workers}


class RetiredWorker(BaseModel):
    """A worker that has handed over what it held."""

    name: str | int


class Retired(RootModel[dict[str, RetiredWorker]]):
    """``POST /api/v1/retire_workers``, by address."""

    def names(self) -> set[str]:
        """Return the names of those that went."""
        return {str(each.name) for each in self.root.values()}


class Idle(BaseModel):
    """``GET /api/v1/check_idle``."""

    idle_since: float | None
    """Seconds since the epoch; None, and 0, while there is something to do."""
