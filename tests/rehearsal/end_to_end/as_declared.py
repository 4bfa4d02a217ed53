"""Pure: whether a fleet's Dask pods are the ones that its settings declare."""

from collections import Counter
from collections.abc import Iterable

from rehearsal.report.fleet_state import Pod
from tests.rehearsal.end_to_end.running_rehearsal import Settings


def are_as_declared(pods: Iterable[Pod], settings: Settings) -> bool:
    """Whether each team has its scheduler and its workers, all ready, and nobody else is there."""
    dask = [pod for pod in pods if pod.team]
    return all(pod.is_ready and not pod.is_leaving for pod in dask) and Counter(
        (pod.team, pod.role) for pod in dask
    ) == Counter(
        {
            (team["name"], role): count
            for team in settings["daskfleet:teams"]
            for role, count in (("scheduler", 1), ("worker", team["workers"]))
        }
    )
