"""Pure: what an update changed, from the settings before it and its own."""

from collections.abc import Callable, Iterator

from daskfleet.platform.history.model import Gap, PoolChange, TeamChange
from daskfleet.platform.history.settings_then import SettingsThen, TeamThen
from daskfleet.settings.team import RolloutKind

GapOf = Callable[[str, tuple[RolloutKind, RolloutKind]], Gap]
"""For how long a team had no scheduler, by its ways to take over before and after."""

IsReplaced = Callable[[str], bool | None]
"""Whether the update made a team's cluster anew, as far as clusters of today tell."""


def team_changes(
    before: SettingsThen, after: SettingsThen, *, is_replaced: IsReplaced, gap_of: GapOf
) -> Iterator[TeamChange]:
    """Compare all teams."""
    for team in sorted({*before.teams, *after.teams}):
        old, new = before.teams.get(team), after.teams.get(team)
        if old is None:
            yield TeamChange(team=team, what="came", after=new.image if new else "")
        elif new is None:
            yield TeamChange(team=team, what="went", before=old.image)
        else:
            gap = gap_of(team, (old.rollout, new.rollout))
            yield from _changes(team, old, new, is_replaced=is_replaced(team), gap=gap)


def _changes(
    team: str, old: TeamThen, new: TeamThen, *, is_replaced: bool | None, gap: Gap
) -> Iterator[TeamChange]:
    is_told = old.image != new.image
    if is_told:
        yield TeamChange(
            team=team,
            what="image",
            before=old.image,
            after=new.image,
            is_another_cluster=True,
            gap=gap,
        )
    if old.workers != new.workers:
        yield TeamChange(
            team=team,
            what="workers",
            before=str(old.workers),
            after=str(new.workers),
            is_another_cluster=False,
        )
    if (old.rest, old.rollout) != (new.rest, new.rollout):
        other = True if is_told else is_replaced
        yield TeamChange(
            team=team,
            what="settings",
            is_another_cluster=other,
            gap=None if is_told or other is False else gap,
        )
    elif is_replaced and not is_told:
        yield TeamChange(team=team, what="cluster", is_another_cluster=True, gap=gap)


def pool_changes(before: SettingsThen, after: SettingsThen) -> Iterator[PoolChange]:
    """Compare all pools."""
    for pool in sorted({*before.pools, *after.pools}):
        if pool not in before.pools:
            yield PoolChange(pool=pool, what="came")
        elif pool not in after.pools:
            yield PoolChange(pool=pool, what="went")
        elif before.pools[pool] != after.pools[pool]:
            yield PoolChange(pool=pool, what="settings")
