"""Pure: from a difference and the evidence to its owner."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from daskfleet.platform.drift.compare import Change
from daskfleet.platform.drift.field_managers import Write, writes
from daskfleet.platform.drift.model import Owner, Path
from daskfleet.pod_status import KubernetesObject

REMOVED = "Kubernetes keeps no record of who removes a field"
REPLICAS: Path = ("spec", "worker", "replicas")

GKE_PREFIXES = ("goog-", "cloud.google.com/", "gke.io/", "iam.gke.io/", "node.kubernetes.io/")
"""Labels that GKE adds by itself (facts of the API; the provider hides some of them too)."""


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """An owner and why it is that one."""

    owner: Owner
    evidence: str


def owner_of_write(write: Write, path: Path) -> Attribution:
    """Say who a writer of a field is."""
    if path == REPLICAS:
        return Attribution(owner=Owner.USER_SCALE, evidence=write.text)
    if write.is_controllers:
        return Attribution(owner=Owner.GKE, evidence=write.text)
    return Attribution(owner=Owner.HAND, evidence=write.text)


def owner_of_change(change: Change, live: KubernetesObject) -> Attribution:
    """Say who changed a declared field of an object."""
    written = writes(live, change.path)
    others = [write for write in written if not write.is_ours]
    if others:
        return owner_of_write(others[0], change.path)
    if change.found is None:
        return Attribution(owner=Owner.NOT_RECORDED, evidence=REMOVED)
    if written:
        return Attribution(
            owner=Owner.NOT_RECORDED,
            evidence=f"{written[0].text}: another Pulumi run, whose state this is not",
        )
    return Attribution(owner=Owner.NOT_RECORDED, evidence="no field manager claims it")


def is_gkes(path: Path, declared: Mapping[str, Any]) -> bool:
    """Whether a property of a Google resource is GKE's to change.

    The release channel moves versions, the autoscaler moves the size of a pool that has bounds,
    and GKE labels what it makes.
    """
    match path:
        case ("version" | "minMasterVersion" | "nodeVersion", *_):
            return path[0] not in declared
        case ("nodeCount" | "initialNodeCount",):
            return "autoscaling" in declared
        case (*_, "labels" | "resourceLabels", str(key)):
            return key.startswith(GKE_PREFIXES)
        case _:
            return False


def owner_of_absence(resource_type: str, last_known: Mapping[str, Any]) -> Attribution:
    """Say who deleted what the state believes in.

    A DaskCluster may have gone by itself: with an ``idleTimeout`` the operator deletes it. The
    program never sets one, so only somebody's edit can have, and it went with the object.
    """
    if not resource_type.endswith(":DaskCluster"):
        return Attribution(
            owner=Owner.SOMEBODY, evidence="it is in the state, but not in the API server"
        )
    idle_timeout = (last_known.get("spec") or {}).get("idleTimeout") or 0
    if idle_timeout:
        return Attribution(
            owner=Owner.SOMEBODY_OR_IDLE,
            evidence=f"the state knows an idleTimeout of {idle_timeout} s, after which the "
            "operator deletes an idle cluster; whether it did, only the audit log tells",
        )
    return Attribution(
        owner=Owner.SOMEBODY_OR_IDLE,
        evidence="idleTimeout is declared as 0, so by hand, unless somebody had set one since the "
        "last `pulumi up`: only the audit log tells",
    )
