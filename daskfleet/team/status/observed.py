"""What was read about a team; the report is made of nothing else."""

from dataclasses import dataclass, field

from daskfleet.pod_status import KubernetesObject
from daskfleet.team.status.model import DaskStatus

Objects = tuple[KubernetesObject, ...]


@dataclass(frozen=True, kw_only=True)
class Observed:
    """Objects of the team's namespace; None is what could not be read."""

    pods: Objects | None = ()
    events: Objects | None = ()
    clusters: Objects | None = ()
    """DaskClusters."""
    groups: Objects | None = ()
    """DaskWorkerGroups."""
    quotas: Objects | None = ()
    dask: DaskStatus | None = None
    not_known: tuple[str, ...] = field(default=())
    """What could not be read, with the reason."""
