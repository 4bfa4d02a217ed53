"""Dask clusters that a team's members make for themselves, beside the fixed one."""

from typing import Annotated

from pydantic import Field

from daskfleet.settings.base import Settings


class Ephemeral(Settings):
    """How much there is room for; all the team's own clusters share it."""

    max_workers: Annotated[int, Field(ge=1)]
    """Workers of all these clusters together, on the team's pool."""

    max_clusters: Annotated[int, Field(ge=1)] = 1
    """Clusters at the same time, each with a scheduler."""
