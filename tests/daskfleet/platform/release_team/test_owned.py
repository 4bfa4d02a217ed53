"""Unit: what of a state is a team's, in the state that the program itself declares."""

import copy
from typing import Any

import pytest

from components.protection import TEAM_FIRST
from daskfleet.platform.release_team.errors import ReleaseError
from daskfleet.platform.release_team.owned import LOCK_OF, TEAM, owned_by, teams_in, without

STACK = "urn:pulumi:prod::daskfleet"


def resource(kind: str, name: str, **further: Any) -> dict[str, Any]:
    return {"urn": f"{STACK}::{kind}::{name}", "type": kind, **further}


def in_namespace(kind: str, name: str, namespace: str, **further: Any) -> dict[str, Any]:
    return resource(kind, name, inputs={"metadata": {"namespace": namespace}}, **further)


CLIMATE = resource(TEAM, "climate")
NAMESPACE = resource(
    "kubernetes:core/v1:Namespace",
    "climate-namespace",
    parent=CLIMATE["urn"],
    inputs={"metadata": {"name": "climate"}},
)
GRANTS = resource("daskfleet:gke:TeamBuckets", "climate")
GRANT = resource("gcp:storage/bucketIAMMember:BucketIAMMember", "climate-x", parent=GRANTS["urn"])
LOCK = resource("daskfleet:dask:Protection", TEAM_FIRST.format(team="climate"), protect=True)
CONTROLLER = resource("daskfleet:dask:IdleController", "idle-controller")
RIGHT = in_namespace(
    "kubernetes:rbac.authorization.k8s.io/v1:Role",
    "idle-controller-climate-role",
    "climate",
    parent=CONTROLLER["urn"],
)
POOL = resource("daskfleet:gke:NodePool", "climate")
GENOMICS = resource(TEAM, "genomics")
OPERATOR = resource(
    "kubernetes:helm.sh/v3:Release",
    "dask-release",
    dependencies=[NAMESPACE["urn"], GENOMICS["urn"]],
    propertyDependencies={"values": [NAMESPACE["urn"]], "name": None},
    deletedWith=NAMESPACE["urn"],
    inputs={"namespace": "dask-operator"},
)
OF_CLIMATE = (CLIMATE, NAMESPACE, GRANTS, GRANT, LOCK, RIGHT)


def state(*resources: dict[str, Any], **deployment: Any) -> dict[str, Any]:
    listed = copy.deepcopy(resources or (*OF_CLIMATE, CONTROLLER, POOL, GENOMICS, OPERATOR))
    return {"version": 3, "deployment": {"resources": list(listed), **deployment}}


def test_a_teams_resources_are_components_lock_and_all_in_its_namespace() -> None:
    assert owned_by(state(), "climate") == tuple(each["urn"] for each in OF_CLIMATE)


def test_the_name_of_the_lock_is_the_programs() -> None:
    assert LOCK_OF == TEAM_FIRST


def test_what_stays_refers_to_nothing_that_went() -> None:
    before = state()
    left = without(before, owned_by(before, "climate"))
    assert teams_in(left) == ("genomics",)
    operator = left["deployment"]["resources"][-1]
    assert operator["dependencies"] == [GENOMICS["urn"]]
    assert operator["propertyDependencies"] == {"values": [], "name": []}
    assert "deletedWith" not in operator
    assert before == state()


@pytest.mark.parametrize(
    ("given", "team", "reason"),
    [
        (state(), "fraud", "has no team fraud; it has: climate, genomics"),
        (state(CLIMATE), "climate", "climate is the only team"),
        (state(CLIMATE, {**LOCK, "delete": True}, GENOMICS), "climate", "has not ended"),
        (state(CLIMATE, {**NAMESPACE, "pendingReplacement": True}, GENOMICS), "climate", "not end"),
        (state(pending_operations=[{"type": "creating"}]), "climate", "`daskfleet recover`"),
        ({"version": 3, "deployment": None}, "climate", "it has: none"),
    ],
)
def test_what_cannot_be_let_go_is_refused_with_the_way(
    given: dict[str, Any], team: str, reason: str
) -> None:
    with pytest.raises(ReleaseError, match=reason) as refused:
        owned_by(given, team)
    assert "Nothing was changed" in str(refused.value)


def test_nothing_is_left_without_its_parent() -> None:
    child = resource("gcp:compute/address:Address", "other", parent=GENOMICS["urn"])
    with pytest.raises(ReleaseError, match="lose what it is a part of"):
        without(state(CLIMATE, GENOMICS, child), [GENOMICS["urn"]])
