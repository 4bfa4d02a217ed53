"""How many Dask workers a team has when all is as its stack file says."""

from daskfleet.settings.team import Team


def fewest_workers(team: Team) -> int:
    """The number below which workers are missing, those of all groups together."""
    return team.fewest_workers + sum(group.workers for group in team.groups)
