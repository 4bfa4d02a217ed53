"""The operator's own token, tried against everything that is not a team's.

The rules are the program's, the account is one of the operator's name, and a real API server
answers. tests/rehearsal/end_to_end/test_every_right.py asks the same of a fleet's operator.
"""

import httpx
import pytest

from tests.attacks.operators_reach import (
    CLUSTER,
    HOME,
    RELEASED_EVERYWHERE,
    SEEN_EVERYWHERE,
    USER,
    OperatorsReach,
    smallest_cluster,
)
from tests.rehearsal.control_plane.conftest import Document

pytestmark = pytest.mark.rehearsal

TEAM = "a-team"
OTHERS = ("kube-system", HOME, "default")

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


@pytest.fixture(scope="module")
def reach(operator: OperatorsReach) -> OperatorsReach:
    """Give the operator one team."""
    operator.let_in(TEAM)
    return operator


def test_outside_of_teams_it_may_watch_and_release_and_nothing_else(reach: OperatorsReach) -> None:
    everything = {each for each in reach.everything() if "selfsubject" not in each}
    assert len(everything) > 400

    for elsewhere in (*OTHERS, CLUSTER):
        may = {each for each in everything if reach.allowed(elsewhere, each)}
        assert may == SEEN_EVERYWHERE | RELEASED_EVERYWHERE, elsewhere


def test_in_a_teams_namespace_the_same_questions_are_answered_with_yes(
    reach: OperatorsReach,
) -> None:
    assert {each for each in FOR_A_TEAM if reach.allowed(TEAM, each)} == FOR_A_TEAM


@pytest.mark.parametrize("where", [*OTHERS, CLUSTER, TEAM])
def test_what_would_lead_further_is_closed_everywhere(reach: OperatorsReach, where: str) -> None:
    assert {each for each in CLOSED if reach.allowed(where, each)} == set()


POD: Document = {
    "metadata": {"name": "intruder"},
    "spec": {
        "containers": [
            {
                "name": "main",
                "image": "example.com/any",
                "securityContext": {"privileged": True},
                "volumeMounts": [{"name": "node", "mountPath": "/node"}],
            }
        ],
        "volumes": [{"name": "node", "hostPath": {"path": "/"}}],
    },
}
"""With all rights on its node; what stops it in a team's own namespace is Pod Security."""

CLUSTERS = "/apis/kubernetes.dask.org/v1/namespaces/{}/daskclusters"


@pytest.mark.parametrize("where", [*OTHERS, TEAM])
def test_requests_are_refused_as_the_answers_say(reach: OperatorsReach, where: str) -> None:
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
            made, params=owned, headers=apply, json=smallest_cluster("intruder")
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
