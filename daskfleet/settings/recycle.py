"""When processes of a team's Dask cluster end, to begin anew."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from daskfleet.settings.base import Settings, conflict, refusal
from daskfleet.settings.hours import ALLOWED, parse_hours

IDLE = "idle"
YEAR_H = 365 * 24


def _readable(text: str) -> str:
    if text == IDLE:
        return text
    if " " not in text.strip():
        raise refusal(
            f"{text or 'Nothing'} is neither {IDLE} nor hours of the week.",
            allowed=f"{IDLE}, or {ALLOWED}",
            next_step=f"write {IDLE}, or the days, the times and the zone.",
        )
    parse_hours(text)
    return text


class Recycle(Settings):
    """When a process is due to end and to begin anew, by its age, its size, or either."""

    after_h: Annotated[float, Field(gt=0, le=YEAR_H)] | None = None
    """Age in hours at which a process is due for a restart. Left out: age does not matter."""

    above_memory_percent: Annotated[float, Field(ge=10, lt=100)] | None = None
    """Percentage of its pod's memory limit above which a process is due for a restart, an hour
    after its start at the earliest. Results that a worker holds do not count, nor does a GPU's
    memory. Left out: size does not matter."""

    when: Annotated[str, AfterValidator(_readable)] = IDLE
    """When a process that is due may be restarted. ``idle``: while the team runs nothing, and a
    scheduler only if no client is connected. Or hours of the week, such as ``Sun 02:00-06:00 UTC``.
    In these hours a worker that runs nothing is restarted even while others work, and a scheduler
    even with clients, if they hold no results."""

    @model_validator(mode="after")
    def _says_what_is_due(self) -> Self:
        if self.after_h is None and self.above_memory_percent is None:
            raise conflict(
                "after_h",
                "Nothing is ever due: neither an age nor a size is given.",
                allowed="after_h, above_memory_percent, or both",
                next_step="set after_h, such as 168 for a week, or remove recycle.",
            )
        return self
