"""Pure: for how long a team had no scheduler, between what the evidence allows.

Kubernetes tells whole seconds, and so does Pulumi, both cut and not rounded: each bound is moved
outward by one second.
"""

import math
from dataclasses import dataclass
from datetime import datetime

from daskfleet.platform.history.model import Gap
from daskfleet.settings.team import RolloutKind

CUT_S = 1
"""What a moment may really be later than it is told."""

STAYED = Gap(
    at_least_s=0,
    at_most_s=0,
    evidence="blue-green: the old cluster serves until the new one is ready; not measured",
)


@dataclass(frozen=True, kw_only=True)
class MadeCluster:
    """A team's Dask cluster that runs now."""

    name: str
    made_at: datetime
    ready_at: datetime | None
    """When its scheduler became ready that runs now; None: it is not, or it is a later one."""


def gap(
    *,
    rollouts: tuple[RolloutKind, RolloutKind],
    began_at: datetime,
    passed_at: datetime | None,
    made: MadeCluster | None,
) -> Gap:
    """Return how long it was.

    Args:
        rollouts: how the team's clusters took over before and after the change.
        began_at: when the update did.
        passed_at: the end of the first update since then that succeeded, which waits for the
            scheduler; None while there is none.
        made: the cluster, where it runs still.
    """
    if rollouts == ("blue-green", "blue-green"):
        return STAYED
    latest = passed_at
    least: int | None = None
    evidence = "no longer than the `up` took; what Kubernetes knew is gone with the cluster"
    if made is not None and made.ready_at is not None:
        ready = made.ready_at
        latest = min(ready, passed_at) if passed_at else ready
        least = max(0, math.floor((ready - made.made_at).total_seconds()) - CUT_S)
        evidence = "from the moment when the new cluster was made until its scheduler was ready"
    if latest is None:
        return Gap(
            at_least_s=least,
            at_most_s=None,
            evidence="no `up` has succeeded since, so nothing says that a scheduler came",
        )
    most = math.ceil((latest - began_at).total_seconds()) + CUT_S
    if len(set(rollouts)) > 1:
        least, evidence = 0, "the `rollout` changed with it: nothing tells which way it went"
    return Gap(at_least_s=least, at_most_s=most, evidence=evidence)
