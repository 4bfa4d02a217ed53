"""Whose processes begin anew, and what the controller of teams' clusters is told."""

from daskfleet.planning.sleep import SECONDS_PER_MIN, opening_hours, sleeps
from daskfleet.planning.teams import teams_with_cluster
from daskfleet.settings.hours import parse_hours
from daskfleet.settings.recycle import IDLE, Recycle
from daskfleet.settings.stack import Stack
from daskfleet.settings.team import Team
from in_cluster.idle_controller.rules import Recycling, Rule

SECONDS_PER_H = 60 * SECONDS_PER_MIN


def is_controlled(team: Team) -> bool:
    """Whether a team's workers sleep, or its processes begin anew."""
    return sleeps(team) or team.recycle is not None


def controlled(stack: Stack) -> tuple[Team, ...]:
    """The teams that the controller looks at."""
    return tuple(team for _, team in teams_with_cluster(stack) if is_controlled(team))


def recyclers(stack: Stack) -> tuple[Team, ...]:
    """The teams whose processes begin anew."""
    return tuple(team for team in controlled(stack) if team.recycle is not None)


def controller_rules(stack: Stack) -> tuple[Rule, ...]:
    """What the controller is told."""
    return tuple(
        Rule(
            namespace=team.name,
            sleep_after_s=team.idle.workers_after_min * SECONDS_PER_MIN if team.idle else None,
            hours=opening_hours(team),
            recycling=_recycling(team.recycle) if team.recycle else None,
        )
        for team in controlled(stack)
    )


def _recycling(recycle: Recycle) -> Recycling:
    return Recycling(
        after_s=None if recycle.after_h is None else recycle.after_h * SECONDS_PER_H,
        above_memory_percent=recycle.above_memory_percent,
        hours=None if recycle.when == IDLE else parse_hours(recycle.when),
    )
