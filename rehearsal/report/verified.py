"""Pure: the checks of `daskfleet verify`, as claims of the report.

The rehearsal runs the command and reads what it prints; it imports nothing of it.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from rehearsal.report.model import Claim


class _Printed(BaseModel):
    model_config = ConfigDict(frozen=True)


class Check(_Printed):
    """One check of one team's cluster."""

    name: str
    outcome: Literal["ok", "failed", "not measured"]
    expected: str
    seen: str
    next_step: str


class CheckedTeam(_Printed):
    """All checks of one team."""

    team: str
    checks: tuple[Check, ...]


class Verified(_Printed):
    """What ``verify --json`` prints."""

    teams: tuple[CheckedTeam, ...]


def claims_of(verified: Verified) -> tuple[Claim, ...]:
    """Return each check as a claim about its team."""
    return tuple(_claim(each.team, check) for each in verified.teams for check in each.checks)


def could_not_run(why: str) -> Claim:
    """Return the claim that stands for all checks when the command failed."""
    return Claim(
        text="`daskfleet verify` asks every team's cluster through Dask",
        holds=False,
        evidence=why,
    )


def _claim(team: str, check: Check) -> Claim:
    is_measured = check.outcome != "not measured"
    return Claim(
        text=f"{check.name}: {check.expected}" if check.expected else check.name,
        holds=check.outcome == "ok",
        evidence=check.seen if is_measured else f"not measured: {check.seen}",
        team=team,
        is_measured=is_measured,
        next_step=check.next_step,
    )
