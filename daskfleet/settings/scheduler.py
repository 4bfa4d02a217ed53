"""A team's Dask scheduler."""

from typing import Literal, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.names import EnvironmentName
from daskfleet.settings.sizes import Command, Cores, Gib

ROUTES_VARIABLE = "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES"
"""The variable that says which HTTP requests a scheduler answers."""


class Scheduler(Settings):
    """The team's Dask scheduler."""

    cpu: Cores = 1
    """CPU cores."""

    memory_gib: Gib = 4
    """Memory in GiB: a CUDA context plus an imported cuDF take about 2."""

    command: Command = ("dask", "scheduler")
    """Command to which the scheduler's own flags are added."""

    environment: dict[EnvironmentName, str] = Field(default_factory=dict)
    """Environment variables of the scheduler. No secrets: whoever may look at the team's pods reads
    them, and so does whoever may read this stack's state; ``secrets`` are for those."""

    fallback: Literal["none", "worker-pool"] = "none"
    """Where the scheduler may go when the scheduler pool is full: nowhere, or onto a worker's GPU,
    which it then keeps."""

    @model_validator(mode="after")
    def _leaves_the_operator_its_way(self) -> Self:
        # Dask reads names of its variables in any case (dask.config, ``collect_env``).
        named = next((name for name in self.environment if name.upper() == ROUTES_VARIABLE), None)
        if named:
            raise conflict(
                "environment",
                f"{ROUTES_VARIABLE} is the program's: the operator retires workers by one of them.",
                allowed="other variables",
                next_step=f"remove {named}.",
            )
        return self
