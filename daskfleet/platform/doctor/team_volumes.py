"""Pure: whether the claims are there that a stack names, and whether several nodes may have them.

Others make them: a claim's own driver says which modes it has.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from daskfleet.planning.teams import teams_with_cluster
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack
from daskfleet.settings.team_volumes import TeamVolume

TO_WRITE = frozenset({"ReadWriteMany"})
TO_READ = TO_WRITE | {"ReadOnlyMany"}
"""Access modes of claims that pods on several nodes may mount."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A PersistentVolumeClaim of a namespace."""

    is_bound: bool
    modes: Collection[str]


def teams_with_volumes(stack: Stack) -> tuple[str, ...]:
    """Names of the teams that list claims."""
    return tuple(team.name for _, team in teams_with_cluster(stack) if team.volumes)


def volume_findings(stack: Stack, claims: Mapping[str, Mapping[str, Claim]]) -> Iterator[Finding]:
    """Judge each by what is in its team's namespace: ``claims``, by team and name."""
    for _, team in teams_with_cluster(stack):
        for volume in team.volumes:
            claim = claims[team.name].get(volume.claim)
            there, fix = _judged(volume, claim)
            yield Finding(
                area=Area.NAMES,
                subject=f"claim {volume.claim} of team {team.name}",
                outcome=Outcome.WARNING if fix else Outcome.OK,
                needed=f"bound, {' or '.join(sorted(_modes(volume)))}",
                there=there,
                fix=fix,
            )


def _judged(volume: TeamVolume, claim: Claim | None) -> tuple[str, str]:
    if claim is None:
        return (
            "none of this name",
            "Make it, for a new team once `up` has made the namespace and waits for the pods.",
        )
    modes = ", ".join(sorted(claim.modes))
    if not claim.is_bound:
        return f"not bound, {modes}", "Make a volume for it, or see why its class makes none."
    if not _modes(volume) & frozenset(claim.modes):
        return f"bound, {modes}", "Name a claim that pods on several nodes may mount so."
    return f"bound, {modes}", ""


def _modes(volume: TeamVolume) -> frozenset[str]:
    return TO_READ if volume.read_only else TO_WRITE
