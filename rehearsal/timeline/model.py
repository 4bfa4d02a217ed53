"""The timeline of one `up`: what `rehearse up` keeps and the report shows."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from pydantic import BaseModel, ConfigDict, computed_field


class TimelinePart(BaseModel):
    """A part of the timeline."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(TimelinePart):
    """Work on one resource, from its first step to its last."""

    urn: str
    name: str
    """As the engine names it, for example ``NodePool a100``."""
    group: str
    """What a person calls the thing that it belongs to: network, cluster, pool a100-fixed, driver,
    operator, team climate."""
    start_s: float
    """Seconds since the `up` began."""
    end_s: float
    waits_for: tuple[str, ...]
    """URNs of the spans that had to end before this one could begin."""
    is_critical: bool
    """Whether the `up` would have been shorter without it."""


class NecessaryStep(TimelinePart):
    """One step of the shortest possible `up`: what Google and Kubernetes themselves need."""

    name: str
    duration_s: float
    source: str
    """Where the duration is from."""


class CriticalSegment(TimelinePart):
    """A piece of the critical path that belongs to one group."""

    group: str
    duration_s: float
    """From the end of the piece before it; so all of them together are the whole `up`."""


class Timeline(TimelinePart):
    """One `up`, and how much of it was necessary."""

    # What is computed is in the JSON too, and is not read back from there.
    model_config = ConfigDict(extra="ignore")

    latency: str
    """As given to ``rehearse up --latency``."""
    spans: tuple[Span, ...]
    """By start."""
    up_s: float
    """From the beginning of `pulumi up` to the last ready pod."""
    necessary: tuple[NecessaryStep, ...]
    """The longest chain of steps that no order avoids; empty with ``fast``: nothing waits there."""

    @computed_field  # type: ignore[prop-decorator]  # python/mypy#14461
    @property
    def necessary_s(self) -> float:
        """How long the chain takes."""
        return sum(step.duration_s for step in self.necessary)

    @computed_field  # type: ignore[prop-decorator]  # python/mypy#14461
    @property
    def ratio(self) -> float | None:
        """How long the `up` took for each second that it had to; None with ``fast``."""
        return self.up_s / self.necessary_s if self.necessary else None

    @computed_field  # type: ignore[prop-decorator]  # python/mypy#14461
    @property
    def critical_path(self) -> tuple[CriticalSegment, ...]:
        """The critical spans by what they belong to, in order, waits included."""
        return tuple(_segments(span for span in self.spans if span.is_critical))


PROGRAM_STARTS = "start of the program"


def _segments(critical: Iterable[Span]) -> Iterator[CriticalSegment]:
    path = sorted(critical, key=lambda span: span.end_s)
    if path:
        yield CriticalSegment(group=PROGRAM_STARTS, duration_s=path[0].start_s)
        end_s = path[0].start_s
    for group, spans in groupby(path, key=lambda span: span.group):
        *_, last = spans
        yield CriticalSegment(group=group, duration_s=last.end_s - end_s)
        end_s = last.end_s
