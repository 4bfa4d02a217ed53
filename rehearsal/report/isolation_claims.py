"""Pure: claims about what keeps teams apart."""

from collections.abc import Collection, Iterator

from daskfleet.contract.outputs import FleetOutputs
from rehearsal.report.claims import claim
from rehearsal.report.fleet_state import Pod
from rehearsal.report.model import Claim
from rehearsal.report.network_reach import NetworkReach


def teams_reach_their_own_pods_only(
    fleet: FleetOutputs, pods: Collection[Pod], reach: NetworkReach, *, operator_namespace: str
) -> Claim:
    """Nobody but a team and the operator may connect to the team's pods, and these two may.

    Collectors of metrics may where the stack has them.

    Judged from the policies: kwok's pods have no network in which anything could be enforced.
    """
    pairs = [(source, target) for source in pods for target in pods if source is not target]
    namespaces = {team.namespace for team in fleet.teams.values()}
    into_teams = [pair for pair in pairs if pair[1].namespace in namespaces]
    collector_namespace = fleet.monitoring.collector_namespace
    problems = [
        f"{_named(source)} may connect to {_named(target)}"
        for source, target in into_teams
        if source.namespace not in {target.namespace, operator_namespace, collector_namespace}
        and reach.may_connect(source, target)
    ]
    problems += [
        f"{_named(source)} may not connect to {_named(target)}"
        for source, target in _that_must_talk(into_teams, operator_namespace, collector_namespace)
        if not reach.may_connect(source, target)
    ]
    others = "the operator and the collectors of metrics" if collector_namespace else "the operator"
    return claim(
        f"by the network policies, nobody but a team and {others} reaches the team's pods",
        problems=problems,
        evidence=f"{len(into_teams)} pairs of pods judged; nothing enforces policies here",
    )


def _that_must_talk(
    pairs: Collection[tuple[Pod, Pod]], operator_namespace: str, collector_namespace: str
) -> Iterator[tuple[Pod, Pod]]:
    """The pods of one Dask cluster, the operator with its scheduler, a collector with them all."""
    for source, target in pairs:
        is_one_cluster = bool(source.dask_cluster) and (
            (source.namespace, source.dask_cluster) == (target.namespace, target.dask_cluster)
        )
        is_asked = source.namespace == operator_namespace and target.role == "scheduler"
        is_read = source.namespace == collector_namespace and bool(target.dask_cluster)
        if is_one_cluster or is_asked or is_read:
            yield source, target


def _named(pod: Pod) -> str:
    return f"{pod.namespace}/{pod.name}"
