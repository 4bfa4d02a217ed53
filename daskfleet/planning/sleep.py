"""Whose workers go while nobody needs them, and what that saves nothing of."""

from collections.abc import Iterator

from daskfleet.planning.pools import worker_chain_of
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.hours import parse_hours
from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from in_cluster.idle_controller.opening_hours import OpeningHours

SECONDS_PER_MIN = 60


def sleeps(team: Team) -> bool:
    """Whether a team's workers may go."""
    return team.idle is not None or team.hours is not None


def sleepers(stack: Stack) -> tuple[Team, ...]:
    """The teams whose workers may go."""
    return tuple(team for _, team in teams_with_cluster(stack) if sleeps(team))


def opening_hours(team: Team) -> OpeningHours | None:
    """When a team's workers are there; None when at any time alike."""
    return parse_hours(team.hours) if team.hours else None


def sleep_problems(stack: Stack) -> Iterator[Problem]:
    """Teams that sleep and have groups, whose number Pulumi declares; ``adaptive`` says its own."""
    for index, team in teams_with_cluster(stack):
        if sleeps(team) and team.groups:
            own = "idle" if team.idle is not None else "hours"
            yield Problem(
                key=f"teams[{index}].{own}",
                value="together with groups",
                reason="Pulumi declares the number of workers of further groups, so groups that "
                "sleep would be drift.",
                allowed=f"one of {own} and groups",
                next_step=f"remove {own}, or groups.",
            )


def sleep_warnings(stack: Stack) -> Iterator[str]:
    """Teams that sleep on nodes that stay."""
    for team in sleepers(stack):
        for pool in worker_chain_of(team, stack):
            if pool.autoscaling is None:
                yield (
                    f"Team {team.name} lets its workers go, and pool {pool.name} keeps its nodes: "
                    f"it has a fixed node_count, and costs the same. With autoscaling: "
                    f"{{min_nodes: 0, max_nodes: {pool.max_nodes}}} the nodes go with the workers."
                )
