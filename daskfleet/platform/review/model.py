"""What a review holds, whatever it is rendered to: nothing secret, nothing escaped yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from daskfleet.catalog.changes import ChangeClass
from daskfleet.planning.changes.consequence import Consequence
from daskfleet.planning.cost_lines import Cost

PropertyKind = Literal["add", "delete", "update"]
PolicyLevel = Literal["advisory", "mandatory", "remediate"]


class Verdict(StrEnum):
    """What a reader of one line must know; from harmless to worst."""

    NO_CHANGE = "no change"
    SAFE = "safe"
    NEEDS_CARE = "needs care"
    DESTROYS = "destroys"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class PropertyDiff:
    """One property of one resource, before and after."""

    path: str
    """As the engine spells it."""

    kind: PropertyKind
    forces_replacement: bool
    old: str = ""
    """As it is shown: redacted, shortened, ``(known after up)`` where the engine does not know."""

    new: str = ""
    direction: Literal["grows", "shrinks"] | None = None
    """Of a number; the change classes ask for it."""


@dataclass(frozen=True, kw_only=True)
class ReservedNodes:
    """What a node pool takes of a reservation."""

    reservation: str
    """As GKE spells it: its name, or the path of another project's."""

    most: int
    """Nodes of the pool at its largest."""


@dataclass(frozen=True, kw_only=True)
class PoolNodes:
    """The nodes that a pool is declared to have."""

    machine_type: str
    least: int
    """As many as ``most`` where nothing scales the pool."""

    most: int


@dataclass(frozen=True, kw_only=True)
class Step:
    """What the engine would do to one resource; the steps of a replacement are one."""

    urn: str
    type: str
    name: str
    """The logical name."""

    operation: Literal["create", "update", "replace", "delete", "read", "import", "refresh"]
    parent_type: str = ""
    parent: str = ""
    diffs: tuple[PropertyDiff, ...] = ()
    is_protected: bool = False
    """Pulumi's ``protect`` or Google's deletion protection is on until now."""

    reserved_before: ReservedNodes | None = None
    """Of a node pool that names a reservation."""

    reserved_after: ReservedNodes | None = None
    nodes_before: PoolNodes | None = None
    """Of a node pool."""

    nodes_after: PoolNodes | None = None
    follows: str = ""
    """URN of the replaced provider or cluster that alone makes this step a replacement; such steps
    are one line together, since the engine could not compare them."""

    @property
    def title(self) -> str:
        """Its type without the package, and its logical name, as reasons spell it."""
        return f"{self.type.rpartition(':')[2]} {self.name}"


@dataclass(frozen=True, kw_only=True)
class PolicyFinding:
    """A violation, or a correction that a policy made."""

    pack: str
    policy: str
    level: PolicyLevel
    message: str
    resource: str = ""
    """Type without the package, and logical name; empty for the stack as a whole."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What one run of the engine said."""

    project: str
    stack: str
    steps: tuple[Step, ...] = ()
    unchanged: int = 0
    """Resources that stay as they are."""

    gpu_keepers: tuple[str, ...] = ()
    """Node pools that declare no GPUs any more, and stay with those that they have."""

    policies: tuple[PolicyFinding, ...] = ()
    errors: tuple[str, ...] = ()
    """What the engine, the program or a provider gave as the reason of a failure."""

    warnings: tuple[str, ...] = ()
    result: Literal["succeeded", "failed", "incomplete"] = "succeeded"
    """``incomplete``: the stream ends before the engine's summary, or its steps are not what the
    summary counts."""

    duration_s: float | None = None
    cost_before: Mapping[str, float] | None = None
    """The stack output ``cost`` that the last ``up`` left: floor and ceiling per month, and what
    else of it is a number. None where there is none, or a price was missing in it."""


@dataclass(frozen=True, kw_only=True)
class CostChange:
    """US dollars per month before and after; None where there was nothing, or nobody knows."""

    idle_before: float | None
    idle_after: float | None
    full_before: float | None
    full_after: float | None
    idle_at_least: float | None = None
    """What is known of ``idle_after`` where a price is missing in it; else None."""

    full_at_least: float | None = None
    unpriced: tuple[str, ...] = ()
    """What of the new fleet nobody knows the price of: machine types and attached GPUs."""

    estimate: Cost | None = None
    """The new fleet's, line by line."""

    saved_by_cheap_schedulers: float | None = None
    """What the schedulers would cost more on GPUs of the worker pools; None: nobody knows."""

    budget: float | None = None
    """``monthly_budget_usd`` of the stack."""


@dataclass(frozen=True, kw_only=True)
class PlacementLine:
    """How full a pool is."""

    pool: str
    used: int
    room: int
    unit: str
    """``A100``, ``scheduler slots``."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Whether a merge may go on."""

    passes: bool
    why: str
    """One line, at most 140 characters: GitHub's limit for the description of a commit status."""

    missing: tuple[ChangeClass, ...] = ()
    """The classes that somebody would have to allow."""

    allowed: tuple[ChangeClass, ...] = ()
    """The classes that somebody did allow and that the change needs."""


@dataclass(frozen=True, kw_only=True)
class Discrepancy:
    """One thing that the rehearsal saw and the review had not foretold, or the other way round."""

    subject: str
    foretold: str
    seen: str


@dataclass(frozen=True, kw_only=True)
class Rehearsed:
    """What really happened when the change was carried out in the rehearsal."""

    base: str
    """Commit that the fleet was brought up from."""

    head: str
    lines: tuple[str, ...]
    """What happened, by team and pool, in sentences."""

    differences: tuple[Discrepancy, ...]
    seconds_without_scheduler: Mapping[str, float]
    """By team; teams that lost none are left out."""

    second_up_changes: int | None
    """What a further `pulumi up` changed; 0 is right. None: there was none, since the first failed
    or there was nothing to apply; then nothing was compared with the prediction either."""

    stood_in: tuple[str, ...]
    """What was not real."""

    error: str = ""
    """Why the change could not be carried out; empty when it was."""

    way_back: tuple[str, ...] = ()
    """What going back to BASE would do by a preview, the worst first; empty: nobody asked."""


@dataclass(frozen=True, kw_only=True)
class Review:
    """Everything that a comment says."""

    project: str
    stack: str
    commit: str
    """The pull request's head; empty outside of git."""

    made_at: datetime
    verdict: Verdict
    because: str
    """The verdict's reason in one line."""

    counts: Mapping[str, int]
    """Resources by operation, ``unchanged`` among them."""

    consequences: tuple[Consequence, ...]
    """By team, pool and other part of the fleet; the worst first."""

    cost: CostChange | None
    placement: tuple[PlacementLine, ...]
    policies: tuple[PolicyFinding, ...]
    warnings: tuple[str, ...]
    """What the engine said and what it does not say."""

    errors: tuple[str, ...]
    steps: tuple[Step, ...]
    """For the full diff; the worst first."""

    gate: Gate
    rehearsed: Rehearsed | None = None
