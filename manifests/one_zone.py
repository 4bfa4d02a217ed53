"""Pure: workers of a team that are drawn to the zone where its other Dask pods are."""

from daskfleet.contract.dask import COMPONENT_LABEL
from daskfleet.contract.nodes import ZONE_LABEL
from daskfleet.settings.team import Team
from manifests.placement import Placement


def drawn_together(placement: Placement, team: Team) -> Placement:
    """Add the preference where the team asks for it.

    For all of the team's Dask pods and not for the scheduler alone: its pool may be in a zone in
    which workers are not, and after a lost zone it is where the workers are not yet. Preferred and
    not required: the autoscaler adds nodes by what is required, so a zone without stock would
    leave workers waiting (kubernetes/autoscaler, FAQ: preferences are ignored).
    """
    if not team.prefer_one_zone:
        return placement
    dask_pods = {
        "matchExpressions": [
            {"key": COMPONENT_LABEL, "operator": "In", "values": ["scheduler", "worker"]}
        ]
    }
    term = {"labelSelector": dask_pods, "topologyKey": ZONE_LABEL}
    preferred = [{"weight": 100, "podAffinityTerm": term}]
    affinity = {
        **placement["affinity"],
        "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred},
    }
    return {**placement, "affinity": affinity}
