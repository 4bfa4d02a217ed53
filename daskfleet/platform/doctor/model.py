"""What an examination finds: each finding with what is needed, what is there, and the fix."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Outcome(StrEnum):
    """How a check ended; the order is that of the report."""

    WRONG = "wrong"
    """``pulumi up`` would fail, or not come to its end."""
    WARNING = "warning"
    """``pulumi up`` gets through; something later may not."""
    NOT_LOOKED_AT = "not looked at"
    """Nobody knows: the finding says why."""
    OK = "ok"


class Area(StrEnum):
    """What a finding is about."""

    STACK_FILE = "stack file"
    CREDENTIALS = "credentials"
    APIS = "APIs"
    PERMISSIONS = "permissions"
    QUOTA = "quota"
    ZONE = "zone"
    NAMES = "names"
    TOOLS = "tools"
    STATE = "state"


class Finding(BaseModel):
    """One thing that was looked at."""

    model_config = ConfigDict(frozen=True)

    area: Area
    subject: str
    """For example ``NVIDIA_A100_GPUS in us-central1``."""
    outcome: Outcome
    needed: str = ""
    there: str = ""
    """What was found; for what was not looked at, why not."""
    fix: str = ""
    command: str = ""
    """Can be copied to a shell; empty where no command helps."""


class Report(BaseModel):
    """The outcome of one examination."""

    model_config = ConfigDict(frozen=True)

    stack: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    """What an examination cannot see."""

    @property
    def has_wrong(self) -> bool:
        """Whether something would make ``pulumi up`` fail."""
        return any(finding.outcome is Outcome.WRONG for finding in self.findings)


def not_looked_at(area: Area, subject: str, why: object, *, command: str = "") -> Finding:
    """Return the finding that stands for a look-up that came to nothing."""
    return Finding(
        area=area,
        subject=subject,
        outcome=Outcome.NOT_LOOKED_AT,
        there=str(why),
        command=command,
    )


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings in the order of the report: the worst first."""
    outcomes = {outcome: position for position, outcome in enumerate(Outcome)}
    areas = {area: position for position, area in enumerate(Area)}
    return tuple(sorted(findings, key=lambda f: (outcomes[f.outcome], areas[f.area])))
