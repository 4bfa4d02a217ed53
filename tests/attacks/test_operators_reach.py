"""The operator's own token, tried against everything that is not a team's.

The rules are the program's, the account is one of the operator's name, and a real API server
answers. tests/rehearsal/end_to_end/test_every_right.py asks the same of a fleet's operator.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from manifests.operator_rights import (
    ACCOUNT,
    TEAM_ROLE,
    WATCH_ROLE,
    operators_account,
    team_rules,
    watch_rules,
)
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import RELEASED_EVERYWHERE, SEEN_EVERYWHERE
from tests.attacks.team_of_members import RBAC, define_kinds, until
from tests.rehearsal.control_plane.conftest import ApiClient, Document

HOME = "the-operators-own"
TEAM = "a-team"
USER = f"system:serviceaccount:{HOME}:{ACCOUNT}"
OTHERS = ("kube-system", HOME, "default")
CLUSTER = ""

FOR_A_TEAM = {
    "create pods",
    "create deployments.apps",
    "delete deployments.apps",
    "create services",
    "patch daskworkergroups.kubernetes.dask.org",
    "create events",
}

CLOSED = {
    *(f"{verb} secrets" for verb in ("get", "list", "watch", "create", "patch", "delete")),
    *(f"{verb} configmaps" for verb in ("get", "list", "create", "patch", "update", "delete")),
    *(
        f"{verb} roles.rbac.authorization.k8s.io"
        for verb in ("create", "patch", "bind", "escalate")
    ),
    *(f"{verb} rolebindings.rbac.authorization.k8s.io" for verb in ("create", "patch", "delete")),
    *("create serviceaccounts/token", "create serviceaccounts", "impersonate serviceaccounts"),
    *("create pods/exec", "get pods/exec", "create pods/attach", "create pods/portforward"),
    *("get pods/proxy", "create services/proxy", "patch pods/ephemeralcontainers", "get pods/log"),
    *("delete pods", "deletecollection pods", "update pods", "patch deployments.apps"),
    *("create daskjobs.kubernetes.dask.org", "create pods/eviction", "create pods/binding"),
}
"""Nowhere, not even in a team's namespace."""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The operator on an API server that has one team."""

    platform: ApiClient
    operator: ApiClient

    def allowed(self, namespace: str, right: str) -> bool:
        """Ask with the operator's token whether it might."""
        verb, _, path = right.partition(" ")
        resource, _, subresource = path.partition("/")
        plural, _, group = resource.partition(".")
        attributes = {
            "namespace": namespace,
            "verb": verb,
            "group": group,
            "resource": plural,
            "subresource": subresource,
        }
        answer = self.operator.create(
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            {"spec": {"resourceAttributes": attributes}},
        )
        return bool(answer["status"]["allowed"])

    def everything(self) -> Iterator[str]:
        """Each verb of each resource that the API server has."""
        groups = self.platform.get("/apis").json()["groups"]
        versions = [each["preferredVersion"]["groupVersion"] for each in groups]
        for path in ("/api/v1", *(f"/apis/{version}" for version in versions)):
            document = self.platform.get(path).json()
            group = document["groupVersion"].rpartition("/")[0]
            for resource in document["resources"]:
                name, slash, subresource = resource["name"].partition("/")
                full = f"{name}.{group}" if group else name
                for verb in resource["verbs"]:
                    yield f"{verb} {full}{slash}{subresource}"


@pytest.fixture(scope="module")
def reach(control_plane: ControlPlane) -> Iterator[Reach]:
    """Give the operator what the program gives it."""
    with ApiClient(control_plane, token=control_plane.client_token) as platform:
        define_kinds(platform)
        for name in (HOME, TEAM):
            platform.create("/api/v1/namespaces", {"metadata": {"name": name}})
        accounts = f"/api/v1/namespaces/{HOME}/serviceaccounts"
        platform.create(accounts, {"metadata": {"name": ACCOUNT}})
        for role, rules in ((WATCH_ROLE, watch_rules()), (TEAM_ROLE, team_rules())):
            platform.create(f"{RBAC}/clusterroles", {"metadata": {"name": role}, "rules": rules})
        platform.create(f"{RBAC}/clusterrolebindings", binding(WATCH_ROLE))
        platform.create(f"{RBAC}/namespaces/{TEAM}/rolebindings", binding(TEAM_ROLE))
        token = platform.create(f"{accounts}/{ACCOUNT}/token", {})["status"]["token"]
        with ApiClient(control_plane, token=token) as operator:
            reached = Reach(platform=platform, operator=operator)
            until(lambda: reached.allowed(TEAM, "create pods"))
            until(lambda: reached.allowed(CLUSTER, "watch pods"))
            yield reached


def binding(role: str) -> Document:
    """Bind a role to the operator."""
    return {
        "metadata": {"name": role},
        "roleRef": {"apiGroup": RBAC.split("/")[2], "kind": "ClusterRole", "name": role},
        "subjects": [operators_account(HOME)],
    }


def test_outside_of_teams_it_may_watch_and_release_and_nothing_else(reach: Reach) -> None:
    everything = {each for each in reach.everything() if "selfsubject" not in each}
    assert len(everything) > 400

    for elsewhere in (*OTHERS, CLUSTER):
        may = {each for each in everything if reach.allowed(elsewhere, each)}
        assert may == SEEN_EVERYWHERE | RELEASED_EVERYWHERE, elsewhere


def test_in_a_teams_namespace_the_same_questions_are_answered_with_yes(reach: Reach) -> None:
    assert {each for each in FOR_A_TEAM if reach.allowed(TEAM, each)} == FOR_A_TEAM


@pytest.mark.parametrize("where", [*OTHERS, CLUSTER, TEAM])
def test_what_would_lead_further_is_closed_everywhere(reach: Reach, where: str) -> None:
    assert {each for each in CLOSED if reach.allowed(where, each)} == set()


POD: Document = {
    "metadata": {"name": "intruder"},
    "spec": {"containers": [{"name": "main", "image": "example.com/any"}]},
}
CLUSTERS = "/apis/kubernetes.dask.org/v1/namespaces/{}/daskclusters"


@pytest.mark.parametrize("where", [*OTHERS, TEAM])
def test_requests_are_refused_as_the_answers_say(reach: Reach, where: str) -> None:
    core = f"/api/v1/namespaces/{where}"
    dry = {"dryRun": "All"}
    merge = {"Content-Type": "application/merge-patch+json"}
    # Server-side apply is a patch that would make the object.
    apply = {"Content-Type": "application/apply-patch+yaml"}
    owned = {**dry, "fieldManager": "intruder", "force": "true"}
    made = f"{CLUSTERS.format(where)}/intruder"
    asked = {
        "make a pod": reach.operator.post(f"{core}/pods", params=dry, json=POD),
        "apply a cluster": reach.operator.patch(
            made, params=owned, headers=apply, json=cluster("intruder")
        ),
        "read Secrets": reach.operator.get(f"{core}/secrets"),
        "change its program": reach.operator.patch(f"{core}/configmaps/a", json={}, headers=merge),
    }

    refused = {request for request, answer in asked.items() if lacks_the_right(answer)}
    assert asked.keys() - refused == ({"make a pod", "apply a cluster"} if where == TEAM else set())


def lacks_the_right(answer: httpx.Response) -> bool:
    """Whether it was a right that was missing, and not what admission asks for."""
    message = answer.json().get("message", "")
    return answer.status_code == httpx.codes.FORBIDDEN and f'User "{USER}" cannot ' in message


def cluster(name: str) -> Document:
    """Return the smallest DaskCluster."""
    pod = {"containers": [{"name": "main", "image": "example.com/any"}]}
    return {
        "apiVersion": "kubernetes.dask.org/v1",
        "kind": "DaskCluster",
        "metadata": {"name": name},
        "spec": {
            "scheduler": {"spec": pod, "service": {"ports": []}},
            "worker": {"replicas": 1, "spec": pod},
        },
    }
