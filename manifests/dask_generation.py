"""Pure: under which name a team's Dask cluster exists, and what becomes of those before it.

A ``recreate`` team's DaskCluster is always called after the team. A ``blue-green`` team's is called
after the team and after what it is: a change of anything but the number of workers is another
name, so that the new one can come up beside the old one. The name in Pulumi's state is another one
too. A roll is therefore a create and, at the very end, a delete; never a replacement, of which a
failed one would leave the old name in the state as a pending deletion, and could not be taken back.
"""

import hashlib
import json
from copy import deepcopy
from dataclasses import dataclass

from daskfleet.planning.names import CLUSTER_SUFFIX_LENGTH
from daskfleet.planning.plan import TeamPlan
from daskfleet.settings.team import RolloutKind
from manifests.dask_manifest import DaskClusterManifest, dask_cluster_manifest

DIGEST_LENGTH = CLUSTER_SUFFIX_LENGTH - len("-")


def generation(plan: TeamPlan) -> DaskClusterManifest:
    """Describe the DaskCluster that a team is to have now."""
    team = plan.team
    plain = dask_cluster_manifest(plan, name=team.name)
    if team.rollout.kind == "recreate":
        return plain
    return dask_cluster_manifest(plan, name=f"{team.name}-{digest(plain)}")


def digest(manifest: DaskClusterManifest) -> str:
    """Summarise everything of a DaskCluster that cannot change while it runs."""
    fixed = deepcopy(manifest)
    del fixed["spec"]["worker"]["replicas"]
    text = json.dumps(fixed, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def resource_name(name: str, manifest: DaskClusterManifest) -> str:
    """Return the name in Pulumi's state of a DaskCluster of the component ``name``."""
    return f"{name}-dask-cluster{suffix(manifest)}"


def suffix(manifest: DaskClusterManifest) -> str:
    """Return what a blue-green team's cluster is told apart by; nothing for all others."""
    metadata = manifest["metadata"]
    return str(metadata["name"].removeprefix(metadata["namespace"]))


@dataclass(frozen=True, kw_only=True)
class Present:
    """The DaskClusters that this program has made for a team and that still exist."""

    names: frozenset[str]
    selected: str | None
    """The one that the team's Service selects, whether it still exists or not."""

    def serving_beside(self, declared: str) -> str | None:
        """Return the cluster that serves the team while the declared one does not, if any."""
        serving = self.selected if self.selected in self.names else None
        return None if serving == declared else serving

    def in_the_way_of(self, declared: str, *, kind: RolloutKind) -> tuple[str, ...]:
        """Return what has to go before the declared cluster gets its GPUs.

        Clusters that are neither declared nor selected are what a failed roll left behind, or what
        one left that ended after its switch: nobody uses them. With ``recreate`` the one that
        serves goes too: it is of the time when the team was ``blue-green``. Nothing goes for the
        sake of a cluster that does not exist.
        """
        if declared not in self.names:
            return ()
        kept = {declared} if kind == "recreate" else {declared, self.selected}
        return tuple(sorted(name for name in self.names if name not in kept))
