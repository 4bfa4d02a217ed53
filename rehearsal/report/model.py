"""The report of a rehearsal: what `--json` prints, and what the tables show."""

from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from daskfleet.contract.seen import SeenFleet
from rehearsal.timeline.model import Timeline


class ReportPart(BaseModel):
    """A part of the report."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Occasion(ReportPart):
    """When it was looked at, and what was rehearsed."""

    looked_at: datetime
    commit: str
    """Of the project, as ``git describe`` tells it, ``-dirty`` with changes that are not
    committed; empty where the project is no git checkout."""


class Claim(ReportPart):
    """Something that the program promises, and what was seen of it."""

    text: str
    holds: bool
    evidence: str
    team: str = ""
    """Whose Dask cluster it is about; empty: the fleet."""
    is_measured: bool = True
    """False: nothing here could show it, for example for want of a GPU. It neither holds nor
    fails."""
    next_step: str = ""
    """What to do when it does not hold; empty where the evidence says it."""

    @property
    def fails(self) -> bool:
        """Whether it was looked at and is not so."""
        return self.is_measured and not self.holds


TOOLCHAIN_STEP = "toolchain"
"""Seconds, or minutes where it is built: part of no `up`, since the next one has it."""

UP_STEP = "pulumi up"


class StepResult(ReportPart):
    """One step of the command."""

    name: str
    outcome: str
    duration_s: float


class StagePart(ReportPart):
    """A part of the stage: what ran, and whether it was the real thing."""

    part: str
    is_real: bool
    what_ran: str


class CostShare(ReportPart):
    """A part of the cost, in US dollars per month."""

    idle: float
    full: float


class Cost(ReportPart):
    """List prices of the fleet, in US dollars, as the stack's outputs tell them."""

    model_config = ConfigDict(extra="ignore")

    prices_as_of: str
    idle_usd_per_hour: float
    idle_usd_per_month: float
    full_usd_per_hour: float
    full_usd_per_month: float
    teams: dict[str, CostShare] = {}
    """With the next two they add up to the figures per month."""
    unused: CostShare | None = None
    """GPUs that no team declares pods for."""
    platform: CostShare | None = None
    """What all teams need."""
    unpriced: tuple[str, ...] = ()
    """What nobody knows the price of; all figures are at least, where there is something."""


class SecondUp(ReportPart):
    """What an ``up`` of unchanged settings did."""

    changed_resources: int
    google_writes: tuple[str, ...]
    """Mutating requests to the emulated Google APIs, as ``METHOD path``."""
    kubernetes_writes: tuple[str, ...]
    """Mutating requests of the engine's account to the Kubernetes API, as ``verb resource``."""


class LastUp(ReportPart):
    """What only ``up`` can measure; kept for ``status``."""

    steps: tuple[StepResult, ...]
    second_up: SecondUp
    providers: tuple[StagePart, ...]
    timeline: Timeline | None = None
    """Of the last `up` that did something."""


def read_last_up(file: Path) -> LastUp | None:
    """Return what the last ``rehearse up`` kept; None when there was none."""
    return LastUp.model_validate_json(file.read_bytes()) if file.exists() else None


class Report(SeenFleet):
    """The whole report."""

    claims: tuple[Claim, ...]
    steps: tuple[StepResult, ...]
    stage: tuple[StagePart, ...]
    cost: Cost | None
    occasion: Occasion | None = None
    timeline: Timeline | None = None
    """Of the last `up` that did something."""

    @property
    def failed_claims(self) -> tuple[Claim, ...]:
        """The claims that do not hold."""
        return tuple(claim for claim in self.claims if claim.fails)
