"""Which teams have a Dask cluster, all but those that are retired, and which workers."""

from collections.abc import Iterator

from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from daskfleet.settings.workers import WorkerGroup


def teams_with_cluster(stack: Stack) -> tuple[tuple[int, Team], ...]:
    """Each team that asks for GPUs, with its place in the stack file."""
    return tuple((index, team) for index, team in enumerate(stack.teams) if not team.retire)


def groups_of(index: int, team: Team) -> tuple[tuple[str, WorkerGroup | None], ...]:
    """A team's groups of workers with their keys; None is the first, which every team has."""
    key = f"teams[{index}]"
    further = ((f"{key}.groups[{place}]", group) for place, group in enumerate(team.groups))
    return ((key, None), *further)


def all_groups(stack: Stack) -> Iterator[tuple[str, Team, WorkerGroup | None]]:
    """Every group of workers with its key and its team, as ``groups_of`` gives them."""
    for index, team in teams_with_cluster(stack):
        for key, group in groups_of(index, team):
            yield key, team, group


def retired_teams(stack: Stack) -> tuple[Team, ...]:
    """The teams of which only the namespace is left."""
    return tuple(team for team in stack.teams if team.retire)
