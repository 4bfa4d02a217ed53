"""The zones of a pool's nodes, in Google's words."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from daskfleet.settings.base import conflict, refusal
from daskfleet.settings.google_names import Zone

LocationPolicy = Literal["BALANCED", "ANY"]
"""``NodePoolAutoscaling.locationPolicy`` (container.v1)."""

MOST_ZONES = 4
"""Zones of the largest regions (cloud.google.com/compute/docs/regions-zones)."""


def _each_once(zones: Sequence[str]) -> Sequence[str]:
    if len(set(zones)) < len(zones):
        raise refusal(
            "A zone occurs more than once.",
            allowed="each zone once",
            next_step="remove the second one.",
        )
    return zones


PoolZones = Annotated[
    tuple[Zone, ...], Field(min_length=1, max_length=MOST_ZONES), AfterValidator(_each_once)
]


def zones_conflict(
    zones: Sequence[str], *, nodes: int | None, policy: LocationPolicy | None
) -> PydanticCustomError | None:
    """What the size of a pool says against its zones; ``nodes`` is None for autoscaled ones."""
    if nodes is not None and len(zones) > 1 and nodes % len(zones):
        more = nodes + len(zones) - nodes % len(zones)
        return conflict(
            "node_count",
            f"GKE gives each zone of a pool of fixed size as many nodes as the others, and "
            f"{nodes} cannot be shared out over {len(zones)}.",
            allowed=f"a multiple of {len(zones)}; or autoscaling, which has a total",
            next_step=f"write node_count: {more}, or autoscaling in place of it.",
        )
    if policy is not None and len(zones) < 2:  # noqa: PLR2004 - there is nothing to choose from
        return conflict(
            "autoscaling",
            f"location_policy {policy} chooses among the pool's zones, and it has only one.",
            allowed="location_policy only together with several zones",
            next_step="add zones, or remove autoscaling.location_policy.",
        )
    return None
