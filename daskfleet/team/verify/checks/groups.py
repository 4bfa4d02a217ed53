"""Pure: workers counted by the group that they belong to."""

from collections import Counter
from collections.abc import Iterable, Mapping

from daskfleet.contract.declared import DeclaredTeam
from daskfleet.team.verify.checks.wording import counted


def workers_by_group(team: DeclaredTeam, names: Iterable[str]) -> Mapping[str, int]:
    """Count workers, by their own names or their pods'."""
    found = Counter(team.group_of(name).dask_worker_group for name in names)
    return {group.dask_worker_group: found[group.dask_worker_group] for group in team.all_groups}


def are_as_declared(team: DeclaredTeam, groups: Mapping[str, int]) -> bool:
    """Whether each group has the declared number, or one between the bounds of an adaptive team."""
    if team.most_workers is not None:
        return team.workers <= sum(groups.values()) <= team.most_workers
    return all(groups[each.dask_worker_group] == each.workers for each in team.all_groups)


def declared_workers(team: DeclaredTeam) -> str:
    """Say how many there are to be, group by group where there are several."""
    if team.most_workers is not None:
        return f"{team.workers} to {team.most_workers} workers"
    declared = {each.dask_worker_group: each.workers for each in team.all_groups}
    return counted(team.all_workers, "worker") + in_words(declared)


def in_words(groups: Mapping[str, int]) -> str:
    """Say the numbers of several groups, behind that of all; nothing for one."""
    if len(groups) == 1:
        return ""
    return f" ({', '.join(f'{count} of {name}' for name, count in groups.items())})"
