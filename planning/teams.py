"""Which teams have a Dask cluster: all but those that are retired."""

from settings.stack import Stack
from settings.team import Team


def teams_with_cluster(stack: Stack) -> tuple[tuple[int, Team], ...]:
    """Each team that asks for GPUs, with its place in the stack file."""
    return tuple((index, team) for index, team in enumerate(stack.teams) if not team.retire)


def retired_teams(stack: Stack) -> tuple[Team, ...]:
    """The teams of which only the namespace is left."""
    return tuple(team for team in stack.teams if team.retire)
