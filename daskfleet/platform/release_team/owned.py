"""Pure: what of a state is a team's, and the state without it.

The whole state is edited. `pulumi state delete` takes one resource, and refuses one on which others
depend. The operator and the fleet's lock depend on the team; `--target-dependents` would forget
these two as well (pulumi/pulumi pkg/resource/edit/operations.go, ``DeleteResource``).
"""

import copy
from collections.abc import Collection, Mapping
from typing import Any

from daskfleet.access.pulumi_state import State, state_resources
from daskfleet.platform.release_team.errors import ReleaseError

TEAM = "daskfleet:dask:Team"
TEAM_COMPONENTS = frozenset(
    {
        TEAM,
        "daskfleet:dask:DaskAutoscaler",
        "daskfleet:dask:DaskCluster",
        "daskfleet:dask:EphemeralClusters",
        "daskfleet:dask:InternalAddress",
        "daskfleet:dask:Jupyter",
        "daskfleet:dask:TeamMonitoring",
        "daskfleet:dask:TeamNotice",
        "daskfleet:dask:TeamTls",
        "daskfleet:gke:TeamBuckets",
    }
)
"""Components whose name is their team's."""

LOCK = "daskfleet:dask:Protection"
LOCK_OF = "{team}-first-set-retire-to-true-and-run-up"

_NAMESPACE = "kubernetes:core/v1:Namespace"
_IN_CLUSTER = "kubernetes:"

Resource = Mapping[str, Any]


def teams_in(state: State) -> tuple[str, ...]:
    """Return the teams that the state knows, those that are retired among them."""
    return tuple(sorted(_name(each) for each in state_resources(state) if each.get("type") == TEAM))


def owned_by(state: State, team: str) -> tuple[str, ...]:
    """Return the URNs of all that a team has, in the state's order.

    That is its components with what they have made, its lock, and every object in its namespace:
    the fleet's controllers have rights there.

    Raises:
        ReleaseError: the state has no such team, no other, or an `up` of it has not ended.

    """
    known = teams_in(state)
    if team not in known:
        raise ReleaseError(
            f"The stack has no team {team}; it has: {', '.join(known) or 'none'}. Nothing was "
            f"changed."
        )
    if len(known) == 1:
        raise ReleaseError(
            f"{team} is the only team, and a stack file needs at least one. Add another team and "
            f"run `pulumi up` first. Nothing was changed."
        )
    owned: dict[str, Resource] = {}
    for resource in state_resources(state):  # parents stand before their children
        if _is_of(resource, team) or resource.get("parent") in owned:
            owned[resource["urn"]] = resource
    unfinished = [each for each in owned.values() if each.get("delete")]
    pending = (state.get("deployment") or {}).get("pending_operations")
    if pending or unfinished or any(each.get("pendingReplacement") for each in owned.values()):
        raise ReleaseError(
            "An `up` has not ended: the state has operations that nobody knows the end of, or "
            "resources that are still to be deleted. Run `daskfleet recover` and `pulumi up` "
            "first. Nothing was changed."
        )
    return tuple(owned)


def without(state: State, urns: Collection[str]) -> State:
    """Return the state without some resources, to which no other one refers any more.

    Raises:
        ReleaseError: a resource that stays is inside of one that goes.

    """
    gone = set(urns)
    edited = copy.deepcopy(state)
    kept = [each for each in state_resources(edited) if each["urn"] not in gone]
    for resource in kept:
        if resource.get("parent") in gone:
            raise ReleaseError(
                f"{resource['urn']} would lose what it is a part of. Nothing was changed."
            )
        if resource.get("deletedWith") in gone:
            del resource["deletedWith"]
        if "dependencies" in resource:
            resource["dependencies"] = _left(resource["dependencies"], gone)
        if "propertyDependencies" in resource:
            resource["propertyDependencies"] = {
                name: _left(each, gone)
                for name, each in (resource["propertyDependencies"] or {}).items()
            }
        if "replaceWith" in resource:
            resource["replaceWith"] = _left(resource["replaceWith"], gone)
    edited["deployment"]["resources"] = kept
    return edited


def _left(urns: Collection[str] | None, gone: Collection[str]) -> list[str]:
    return [urn for urn in urns or () if urn not in gone]


def _is_of(resource: Resource, team: str) -> bool:
    kind, name = resource.get("type", ""), _name(resource)
    if kind in TEAM_COMPONENTS:
        return name == team
    if kind == LOCK:
        return name == LOCK_OF.format(team=team)
    if not kind.startswith(_IN_CLUSTER):
        return False
    metadata = (resource.get("inputs") or {}).get("metadata")
    if not isinstance(metadata, Mapping):
        return False
    return team == metadata.get("name" if kind == _NAMESPACE else "namespace")


def _name(resource: Resource) -> str:
    return str(resource["urn"]).rpartition("::")[2]
