"""The report: what each check expected, what was seen, and what to do."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from daskfleet.visible import in_short

LONGEST = 2000
"""Characters of one cell, fifty workers' names. A team has a say in them: with more it could push
what is said of other teams out of the terminal."""


def _cut(text: str) -> str:
    return in_short(text, LONGEST)


Told = Annotated[str, BeforeValidator(_cut)]


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
    expected: Told
    seen: Told
    next_step: Told = ""
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
