"""How GKE sizes a pool by itself."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict
from daskfleet.settings.zones import LocationPolicy

MOST_NODES = 1000
"""Nodes of one pool in one zone (cloud.google.com/kubernetes-engine/quotas)."""


class Autoscaling(Settings):
    """Bounds between which GKE's cluster autoscaler sizes a pool."""

    min_nodes: Annotated[int, Field(ge=0, le=MOST_NODES)]
    """Nodes that stay when nothing runs."""

    max_nodes: Annotated[int, Field(ge=1, le=MOST_NODES)]
    """The largest number of nodes. The capacity check counts on it."""

    location_policy: LocationPolicy | None = None
    """Where a pool in several ``zones`` grows: ``BALANCED`` keeps them of one size as far as it
    can, ``ANY`` takes where there is capacity. Left out: as GKE does, ``BALANCED``, and ``ANY``
    for spot."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min_nodes > self.max_nodes:
            raise conflict(
                "min_nodes",
                f"min_nodes {self.min_nodes} is above max_nodes {self.max_nodes}.",
                allowed=f"0 to {self.max_nodes}",
                next_step="lower min_nodes or raise max_nodes.",
            )
        return self
