"""When a team's workers go because nobody needs them."""

from typing import Annotated

from pydantic import Field

from daskfleet.settings.base import Settings

WEEK_MIN = 7 * 24 * 60


class Idle(Settings):
    """What becomes of a team's workers while nothing runs. Scheduler and address always stay."""

    workers_after_min: Annotated[float, Field(gt=0, le=WEEK_MIN)]
    """All workers go after so many minutes without a running or waiting task, and without a result
    in memory that somebody still wants. The first task brings them back, as soon as GPU nodes are
    ready."""
