"""The timeline of one `up`: what `rehearse up` keeps and the report shows."""

from pydantic import BaseModel, ConfigDict


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


class Timeline(TimelinePart):
    """One `up`, and how much of it was necessary."""

    latency: str
    """As given to ``rehearse up --latency``."""
    spans: tuple[Span, ...]
    """By start."""
    up_s: float
    """From the beginning of `pulumi up` to the last ready pod."""
    necessary: tuple[NecessaryStep, ...]
    """The longest chain of steps that no order avoids; empty with ``fast``: nothing waits there."""

    @property
    def necessary_s(self) -> float:
        """How long the chain takes."""
        return sum(step.duration_s for step in self.necessary)

    @property
    def ratio(self) -> float | None:
        """How long the `up` took for each second that it had to; None with ``fast``."""
        return self.up_s / self.necessary_s if self.necessary else None
