"""The list of teams: who they are, what they have, and whether something is the matter."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from daskfleet.contract.seen import PodRow
from daskfleet.platform.report.teams import TeamMark
from daskfleet.platform.report.words import counted, dollars


@dataclass(frozen=True, kw_only=True)
class TeamRow:
    """A team in words and numbers."""

    team: TeamMark
    has: str
    """Its pods by role."""
    pods: int
    unready: int
    failed: int
    """Checks that do not hold, or open problems."""
    full_usd: str
    """Per month with everything running; empty where no price is known."""

    @property
    def is_troubled(self) -> bool:
        """Whether a pod of it is not ready, a check does not hold, or a problem is open."""
        return bool(self.unready or self.failed)


def team_rows(
    seen: Iterable[PodRow],
    marks: Mapping[str, TeamMark],
    *,
    failed: Iterable[str],
    full_usd_per_month: Mapping[str, float | None],
) -> tuple[TeamRow, ...]:
    """Tell of every team, by name; one that sleeps has no pods.

    Args:
        seen: the pods of all teams.
        marks: of every team that the page speaks of.
        failed: whose check does not hold or whose problem is open, once for each.
        full_usd_per_month: with everything running, of the teams whose cost is known.
    """
    pods: defaultdict[str, list[PodRow]] = defaultdict(list)
    for row in seen:
        pods[row.team].append(row)
    failures = Counter(failed)
    return tuple(
        TeamRow(
            team=mark,
            has=_by_role(pods[name]),
            pods=len(pods[name]),
            unready=sum(not row.is_ready for row in pods[name]),
            failed=failures[name],
            full_usd=_dollars(full_usd_per_month.get(name)),
        )
        for name, mark in marks.items()
    )


def _dollars(usd: float | None) -> str:
    return "" if usd is None else dollars(usd)


def _by_role(pods: list[PodRow]) -> str:
    found = Counter(row.role for row in pods)
    return ", ".join(counted(found[role], role) for role in sorted(found)) or "no pods"
