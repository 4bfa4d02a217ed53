"""The report of a rehearsal: what `--json` prints, and what the tables show."""

from pydantic import BaseModel, ConfigDict


class ReportPart(BaseModel):
    """A part of the report."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class PodRow(ReportPart):
    """One pod of a Dask cluster, and where it is."""

    team: str
    role: str
    """``scheduler`` or ``worker``."""
    name: str
    namespace: str
    node: str
    """Empty while the pod is not scheduled."""
    pool: str
    accelerator: str
    """GPU type of the node, as GKE spells it."""
    phase: str
    is_ready: bool
    image: str
    reason: str
    """Why the pod is not ready, in Kubernetes' words; empty when it is."""


class Claim(ReportPart):
    """Something that the program promises, and what was seen of it."""

    text: str
    holds: bool
    evidence: str


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


class Cost(ReportPart):
    """List prices of the fleet, in US dollars, as the stack's outputs tell them."""

    model_config = ConfigDict(extra="ignore")

    prices_as_of: str
    idle_usd_per_hour: float
    idle_usd_per_month: float
    full_usd_per_hour: float
    full_usd_per_month: float


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


class Report(ReportPart):
    """The whole report."""

    stack: str
    pods: tuple[PodRow, ...]
    claims: tuple[Claim, ...]
    steps: tuple[StepResult, ...]
    stage: tuple[StagePart, ...]
    cost: Cost | None

    @property
    def failed_claims(self) -> tuple[Claim, ...]:
        """The claims that do not hold."""
        return tuple(claim for claim in self.claims if not claim.holds)
