"""What is measured of the fleet, and when somebody is told."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from daskfleet.settings.base import Settings, conflict

Minutes = Annotated[int, Field(ge=1, le=1440)]


class Alerts(Settings):
    """How long something must be so before an alert fires."""

    scheduler_down_min: Minutes = 15
    """Minutes without a scheduler that answers. The default is longer than the slowest published
    pull of a RAPIDS image, 13 minutes, so that a rollout is no alert."""

    workers_missing_min: Minutes = 30
    """Minutes with fewer workers than declared. The default is longer than a new node and the
    slowest published pull together, 19 minutes."""

    idle_days: Annotated[int, Field(ge=1, le=30)] = 3
    """Days in which a team held GPUs and computed nothing; a weekend, from Friday evening to Monday
    morning, is 2.5."""


class Monitoring(Settings):
    """Metrics of Dask and of the GPUs, and alerts on them."""

    prometheus: Literal["managed", "none"] = "managed"
    """``managed``: Google's Managed Service for Prometheus collects from every scheduler and
    worker, and evaluates the alerts. ``none``: Google collects nothing but GKE's own system
    metrics, and there are no alerts."""

    dcgm: bool | None = None
    """Whether Google's DCGM exporter measures the GPUs. It needs a driver that GKE installs
    (``driver.install: gke``). Default: true with such a driver, otherwise false."""

    alerts: Alerts = Alerts()
    """When an alert fires."""

    @model_validator(mode="after")
    def _somebody_collects(self) -> Self:
        if self.prometheus == "managed":
            return self
        for key in ("dcgm", "alerts"):
            if key in self.model_fields_set:
                raise conflict(
                    key,
                    "With prometheus: none, nothing collects these metrics.",
                    allowed=f"{key} only together with prometheus managed",
                    next_step=f"remove {key}, or set prometheus to managed.",
                )
        return self
