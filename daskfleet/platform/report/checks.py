"""The claims and checks of a report, grouped by team. Those that do not hold come first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from daskfleet.platform.report.teams import TeamMark
from daskfleet.platform.report.words import counted
from rehearsal.report.model import Claim

Outcome = Literal["failed", "not measured", "holds"]
ORDER: tuple[Outcome, ...] = ("failed", "not measured", "holds")


@dataclass(frozen=True, kw_only=True)
class Check:
    """One claim."""

    outcome: Outcome
    text: str
    evidence: str
    next_step: str


@dataclass(frozen=True, kw_only=True)
class CheckGroup:
    """Claims about one team, or about the fleet."""

    title: str
    team: TeamMark | None
    summary: str
    checks: tuple[Check, ...]

    @property
    def has_failed(self) -> bool:
        """Whether something does not hold."""
        return any(check.outcome == "failed" for check in self.checks)


def outcome_of(claim: Claim) -> Outcome:
    """Tell the three apart that the document spells as two."""
    if not claim.is_measured:
        return "not measured"
    return "holds" if claim.holds else "failed"


def check_groups(claims: Iterable[Claim], marks: Mapping[str, TeamMark]) -> tuple[CheckGroup, ...]:
    """Put the fleet's claims first, then each team's; within each, what failed comes first."""
    by_team: dict[str, list[Claim]] = {}
    for claim in claims:
        by_team.setdefault(claim.team, []).append(claim)
    return tuple(_group(team, by_team[team], marks.get(team)) for team in sorted(by_team))


def tally(claims: Iterable[Claim]) -> str:
    """Count the outcomes, for example ``1 failed, 9 hold``."""
    outcomes = [outcome_of(claim) for claim in claims]
    counts = {outcome: outcomes.count(outcome) for outcome in ORDER}
    return ", ".join(
        f"{count} {'hold' if outcome == 'holds' and count > 1 else outcome}"
        for outcome, count in counts.items()
        if count
    )


def verdict(claims: Iterable[Claim]) -> tuple[Outcome, str]:
    """Tell in one line whether the fleet is what was promised."""
    claims = tuple(claims)
    outcomes = [outcome_of(claim) for claim in claims]
    failed, left = outcomes.count("failed"), outcomes.count("not measured")
    measured = len(claims) - left
    unmeasured = f"; {left} more could not be measured here" if left else ""
    if not measured:
        return "not measured", "Nothing was measured."
    if failed:
        text = (
            f"{failed} of {counted(measured, 'claim')} {'does' if failed == 1 else 'do'} not hold"
        )
        return "failed", f"{text}{unmeasured}."
    return "holds", f"All {counted(measured, 'claim')} hold{unmeasured}."


def _group(team: str, claims: Iterable[Claim], mark: TeamMark | None) -> CheckGroup:
    claims = tuple(claims)
    checks = [
        Check(
            outcome=outcome_of(claim),
            text=claim.text,
            evidence=claim.evidence,
            next_step=claim.next_step,
        )
        for claim in claims
    ]
    return CheckGroup(
        title=f"Team {team}" if team else "The fleet",
        team=mark,
        summary=tally(claims),
        checks=tuple(sorted(checks, key=lambda check: ORDER.index(check.outcome))),
    )
