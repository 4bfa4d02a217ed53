"""What an update means for a team, a pool or the cluster, in figures and in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.property_path import keys_of

SubjectKind = Literal[
    "team",
    "pool",
    "cluster",
    "network",
    "node-account",
    "operator",
    "idle-controller",
    "gpu-health",
    "driver",
    "images",
    "access",
]


@dataclass(frozen=True, kw_only=True, order=True)
class Subject:
    """Whom or what a consequence is about."""

    kind: SubjectKind
    name: str
    """The team's or the pool's name; else the component's."""

    def __str__(self) -> str:
        """As people call it: ``team fraud``, ``pool a100``, ``network``."""
        if self.kind in {"team", "pool"}:
            return f"{self.kind} {self.name}"
        return self.kind.replace("-", " ")


@dataclass(frozen=True, kw_only=True)
class Reason:
    """One changed input, or one resource that comes or goes."""

    resource: str
    """Its type without the package, and its logical name."""

    path: str
    """The input as the engine spells it; empty for the resource as a whole."""

    change_class: ChangeClass
    what: str


@dataclass(frozen=True, kw_only=True)
class TimeSpan:
    """A sum of published durations; downtime of a step that nobody has timed is not in it."""

    low_s: int
    high_s: int

    def __str__(self) -> str:
        """In minutes, rounded up: ``8 to 19 min``."""
        low, high = (-(-seconds // 60) for seconds in (self.low_s, self.high_s))
        return f"{low} min" if low == high else f"{low} to {high} min"


@dataclass(frozen=True, kw_only=True)
class Consequence:
    """What one team, pool or other part of the fleet will feel."""

    subject: Subject
    change_class: ChangeClass
    headline: str
    """The whole of it in one line."""

    details: tuple[str, ...]
    """Sentences that a reader may want next: who is hit, what is lost, what must be there."""

    reasons: tuple[Reason, ...]
    """The changes that lead to it, the worst first."""

    teams: tuple[str, ...]
    """Teams that feel it."""

    workers: int = 0
    """Dask workers that go, new ones of the same team notwithstanding."""

    nodes: int = 0
    """Nodes that go or are re-created; for an autoscaled pool the most that there can be."""

    gpus: int = 0
    """GPUs that are given back to the zone, be it for minutes."""

    duration: TimeSpan | None = None
    """Until everything is back, where durations were published; waiting for a stock-out is not in
    it."""

    @property
    def gke_picks_nodes(self) -> bool:
        """Whether some nodes of a pool go, and nobody but GKE knows which."""
        return self.change_class is ChangeClass.ROLLS_NODES and only_shrinks(self.reasons)


def only_shrinks(reasons: Sequence[Reason]) -> bool:
    """Whether a pool loses nodes for no other reason than that there are to be fewer."""
    rolling = [each for each in reasons if each.change_class is ChangeClass.ROLLS_NODES]
    return all(keys_of(each.path) == ("nodeCount",) for each in rolling)
