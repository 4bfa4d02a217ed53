"""The report; what ``--json`` prints."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from daskfleet.visible import in_short

LONGEST_TOLD = 1000
"""Characters of one text of the cluster's. kube-scheduler's longest are a few hundred."""


def _told(text: object) -> object:
    return in_short(text, LONGEST_TOLD) if isinstance(text, str) else text


Told = Annotated[str, BeforeValidator(_told)]
"""What somebody in the cluster may have made up: it goes to a terminal."""


class Verdict(StrEnum):
    """What becomes of a task that is sent now."""

    READY = "ready"
    ASLEEP = "asleep"
    """The scheduler is ready, and the first task brings the workers back."""
    NOT_READY = "not ready"
    UNKNOWN = "not known"
    """What it takes to tell could not be read."""


class ClusterKind(StrEnum):
    """Whose a Dask cluster is."""

    FIXED = "fixed"
    SUCCESSOR = "comes or goes in a rollout"
    OWN = "a member's own"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GroupStatus(_Part):
    """Equal workers of a cluster."""

    name: Told
    ready: int
    pods: int
    """Without those that left or failed."""
    wanted: int | None = None
    """The number that the DaskWorkerGroup has now. None: it is gone, or could not be read."""
    declared: int | None = None
    """The number in the stack file, at least. None: a member's own cluster."""


class ClusterStatus(_Part):
    """A Dask cluster of the namespace."""

    name: Told
    kind: ClusterKind
    is_scheduler_ready: bool
    groups: tuple[GroupStatus, ...]


class PodStatus(_Part):
    """A pod of the namespace."""

    name: Told
    role: Told
    """``scheduler``, ``worker``, ``jupyter``, or nothing for other pods."""
    cluster: Told
    """DaskCluster; empty for pods of none."""
    group: Told
    """DaskWorkerGroup; empty for others than workers."""
    is_ready: bool
    node: Told
    created: Told
    """RFC 3339."""
    restarts: int
    waits_for: Told
    """In the words of whoever holds it up; empty when it is ready."""
    means: str
    """What that means for the team; empty where nobody can say more."""


class Problem(_Part):
    """Something that no pod tells, because there is none."""

    about: Told
    says: Told
    means: str = ""


class Loss(_Part):
    """A pod or a process that ended, and why."""

    at: Told
    """RFC 3339; empty where it is not said."""
    pod: Told
    why: Told


class QuotaUse(_Part):
    """One resource of a quota of the namespace, as Kubernetes counts it."""

    resource: Told
    used: Told
    most: Told


class DaskStatus(_Part):
    """What the fixed cluster's scheduler says of itself."""

    clients: int
    """Connected now, from wherever."""
    workers: int
    """Connected now."""
    desired_workers: int
    """How many workers the scheduler could keep busy."""
    tasks: int
    """All that the scheduler knows, done ones with a result included."""
    processing: int
    """Given to workers."""
    queued: int
    """Ready to run, and given to nobody; fewer than there are where workers hold copies."""
    unrunnable: int
    """For which there is no worker."""
    erred: int


class Report(_Part):
    """A team's status."""

    team: str
    stack: str
    namespace: str
    at: str
    """When it was read, RFC 3339."""
    verdict: Verdict
    why: Told = ""
    """Since when the workers sleep, or why nothing is known; empty for other verdicts."""
    clusters: tuple[ClusterStatus, ...] = ()
    """The fixed one first."""
    pods: tuple[PodStatus, ...] = ()
    problems: tuple[Problem, ...] = ()
    losses: tuple[Loss, ...] = ()
    """The newest first."""
    begun_anew: tuple[Told, ...] = ()
    """The last worker and the last scheduler whose process began anew where a team recycles, why,
    and what the scheduler before it held."""
    quotas: tuple[QuotaUse, ...] = ()
    dask: DaskStatus | None = None
    """None: not known, and ``not_known`` says why, or the cluster is not there."""
    not_known: tuple[Told, ...] = ()
    """What could not be read, with the reason."""


class FleetReport(_Part):
    """The status of all teams of a stack."""

    stack: str
    at: str
    """When it was read, RFC 3339."""
    teams: tuple[Report, ...]
    """Of none is the scheduler asked: their ``dask`` is None."""
    retired_teams: tuple[str, ...] = ()
    """Of which only the namespace is left."""

    @property
    def not_known(self) -> tuple[str, ...]:
        """What could not be read, of whichever team, each once."""
        return tuple(dict.fromkeys(each for team in self.teams for each in team.not_known))
