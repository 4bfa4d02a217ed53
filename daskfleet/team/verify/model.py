"""The report: what each check expected, what was seen, and what to do."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Outcome(StrEnum):
    """How a check ended."""

    OK = "ok"
    FAILED = "failed"
    NOT_MEASURED = "not measured"
    """Nothing can be said, of a GPU for example where there is none. Never a pass."""


class Check(BaseModel):
    """One check of one team's cluster."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    outcome: Outcome
    expected: str
    seen: str
    next_step: str = ""
    """Empty when there is nothing to do."""


class TeamReport(BaseModel):
    """All checks of one team's cluster."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    team: str
    checks: tuple[Check, ...]


class Report(BaseModel):
    """The whole report; what ``--json`` prints."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stack: str
    teams: tuple[TeamReport, ...]

    @property
    def has_failed(self) -> bool:
        """Whether any check failed."""
        return any(check.outcome is Outcome.FAILED for team in self.teams for check in team.checks)


def passed(name: str, *, expected: str, seen: str) -> Check:
    """Return a check whose expectation was met."""
    return Check(name=name, outcome=Outcome.OK, expected=expected, seen=seen)


def failed(name: str, *, expected: str, seen: str, next_step: str) -> Check:
    """Return a check whose expectation was not met."""
    return Check(
        name=name, outcome=Outcome.FAILED, expected=expected, seen=seen, next_step=next_step
    )


def not_measured(name: str, *, expected: str, seen: str, next_step: str = "") -> Check:
    """Return a check of which nothing can be said."""
    return Check(
        name=name, outcome=Outcome.NOT_MEASURED, expected=expected, seen=seen, next_step=next_step
    )
