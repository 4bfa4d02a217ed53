"""Pure: whether the Secrets are there that a stack names and others make."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from daskfleet.planning.registry import pull_secret_of
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.platform.doctor.model import Area, Finding, Outcome
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team

PULL_TYPE = "kubernetes.io/dockerconfigjson"
"""The type of Secrets that a kubelet pulls with."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """A Secret that the stack file names."""

    team: str
    name: str
    is_for_pulling: bool

    @property
    def command(self) -> str:
        """What makes it; no value is on the command line."""
        content = (
            f"--type={PULL_TYPE} --from-file=.dockerconfigjson=FILE"
            if self.is_for_pulling
            else "--from-env-file=FILE"
        )
        return f"kubectl --namespace {self.team} create secret generic {self.name} {content}"


def named_secrets(stack: Stack) -> tuple[Named, ...]:
    """All of them, by team."""
    return tuple(each for _, team in teams_with_cluster(stack) for each in _of_team(team, stack))


def _of_team(team: Team, stack: Stack) -> Iterator[Named]:
    pulled_with = pull_secret_of(team, stack)
    if pulled_with:
        yield Named(team=team.name, name=pulled_with, is_for_pulling=True)
    for secret in team.secrets:
        yield Named(team=team.name, name=secret.name, is_for_pulling=False)


@dataclass(frozen=True, kw_only=True)
class There:
    """Names of the Secrets of a namespace."""

    names: Collection[str]
    for_pulling: Collection[str]
    """Those of them with the type for it."""


def secret_findings(stack: Stack, there: Mapping[str, There]) -> Iterator[Finding]:
    """Judge each by its name, and one to pull with by its type too."""
    for each in named_secrets(stack):
        found = there[each.team]
        is_there = each.name in (found.for_pulling if each.is_for_pulling else found.names)
        yield Finding(
            area=Area.PERMISSIONS,
            subject=f"Secret {each.name} of team {each.team}",
            outcome=Outcome.OK if is_there else Outcome.WARNING,
            needed=f"a Secret of type {PULL_TYPE}" if each.is_for_pulling else "a Secret",
            there="there" if is_there else "none of this name" + " and type" * each.is_for_pulling,
            fix=""
            if is_there
            else "Make it, for a new team once `up` has made the namespace and waits for the pods.",
            command="" if is_there else each.command,
        )
