"""A team whose number of workers follows its work."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict


class Adaptive(Settings):
    """Bounds between which the Dask operator moves the number of workers."""

    minimum: Annotated[int, Field(ge=0)]
    """Workers that stay if there is nothing to do."""

    maximum: Annotated[int, Field(ge=1)]
    """The largest number of workers. Quota, capacity check and cost count on it."""

    @model_validator(mode="after")
    def _leaves_room(self) -> Self:
        if self.minimum >= self.maximum:
            raise conflict(
                "minimum",
                f"Between minimum {self.minimum} and maximum {self.maximum} there is no room to "
                f"scale.",
                allowed=f"0 to {self.maximum - 1}",
                next_step="lower minimum or raise maximum; for a fixed number use `workers`.",
            )
        return self
