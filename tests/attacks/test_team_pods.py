"""Attack: who has taken the operator or the idle controller over makes pods of a team their own.

RBAC lets the one create Deployments, and both patch a team's worker group. A real API server judges
by the program's policy.
"""

from collections.abc import Iterator

import httpx
import pytest

from components.idle_controller import NAME as IDLE_CONTROLLER
from components.idle_controller import rules as idle_controllers_rules
from manifests.team_admission import LEAST_BOUND
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import HOME, OperatorsReach, smallest_group
from tests.attacks.team_of_members import DASK, DRY_RUN, RBAC, Answer, answer, until
from tests.rehearsal.control_plane.conftest import ApiClient, Document

pytestmark = pytest.mark.rehearsal

TEAM, UNDEFENDED = "with-pods", "no-teams-pods"
MERGE = "application/merge-patch+json"


@pytest.fixture(scope="module")
def reach(operator: OperatorsReach) -> OperatorsReach:
    """Give the operator a team, and a namespace that is no team's, with a group of workers each."""
    operator.let_in(TEAM)
    operator.let_in(UNDEFENDED, labels={})
    for namespace in (TEAM, UNDEFENDED):
        groups = f"{DASK}/namespaces/{namespace}/daskworkergroups"
        operator.platform.create(groups, smallest_group("climate"))
    until(lambda: makes(operator.operator, LEAST_BOUND + 1).refused_by_policy)
    return operator


def deployment(replicas: int) -> Document:
    """Smallest one of the kind that the operator makes for a worker."""
    labels = {"dask.org/component": "worker"}
    pod = {"containers": [{"name": "worker", "image": "example.com/any"}]}
    template = {"metadata": {"labels": labels}, "spec": pod}
    return {
        "metadata": {"name": "worker"},
        "spec": {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template},
    }


def makes(client: httpx.Client, replicas: int, *, namespace: str = TEAM) -> Answer:
    collection = f"/apis/apps/v1/namespaces/{namespace}/deployments"
    return answer(client.post(collection, params=DRY_RUN, json=deployment(replicas)))


@pytest.mark.parametrize("replicas", [LEAST_BOUND + 1, 2**31 - 1])
def test_a_taken_over_operator_makes_no_pods_without_end_by_one_deployment(
    reach: OperatorsReach, replicas: int
) -> None:
    said = makes(reach.operator, replicas)

    assert said.refused_by_policy, said
    assert f"No team of this fleet may have more than {LEAST_BOUND} workers" in said.sentence
    # The attack works where nothing defends, the platform may, and the operator's own work goes on.
    assert makes(reach.operator, replicas, namespace=UNDEFENDED).accepted
    assert makes(reach.platform, replicas).accepted
    for fewer in (0, 1, LEAST_BOUND):
        assert makes(reach.operator, fewer).accepted


@pytest.mark.parametrize(
    "right",
    [
        *(f"{verb} deployments.apps" for verb in ("update", "patch")),
        *(f"{verb} deployments.apps/scale" for verb in ("update", "patch")),
        *(f"create {what}.apps" for what in ("replicasets", "statefulsets", "daemonsets")),
        *("create jobs.batch", "create cronjobs.batch", "create replicationcontrollers"),
    ],
)
def test_nor_by_a_change_of_one_or_by_another_kind(reach: OperatorsReach, right: str) -> None:
    assert not reach.allowed(TEAM, right)
    assert reach.allowed(TEAM, "create deployments.apps")


@pytest.fixture(scope="module")
def idle_controller(control_plane: ControlPlane, reach: OperatorsReach) -> Iterator[httpx.Client]:
    """Let the idle controller in as the program does."""
    user = f"system:serviceaccount:{HOME}:{IDLE_CONTROLLER}"
    named = {"metadata": {"name": IDLE_CONTROLLER}}
    role = {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": IDLE_CONTROLLER}
    subjects = [{"kind": "ServiceAccount", "name": IDLE_CONTROLLER, "namespace": HOME}]
    for namespace in (TEAM, UNDEFENDED):
        roles = f"{RBAC}/namespaces/{namespace}"
        reach.platform.create(
            f"{roles}/roles", {**named, "rules": idle_controllers_rules(recycles=False)}
        )
        bound = {**named, "roleRef": role, "subjects": subjects}
        reach.platform.create(f"{roles}/rolebindings", bound)
    with ApiClient(control_plane, token=control_plane.client_token) as client:
        client.headers["Impersonate-User"] = user
        until(lambda: changes(client, {}).accepted)
        yield client


def changes(client: httpx.Client, patch: Document, *, namespace: str = TEAM) -> Answer:
    url = f"{DASK}/namespaces/{namespace}/daskworkergroups/climate-default"
    headers = {"Content-Type": MERGE}
    return answer(client.patch(url, params=DRY_RUN, json=patch, headers=headers))


SECRET = {"name": "loot", "secret": {"secretName": "jupyter"}}
NOTED = {"annotations": {"example.com/x": "y"}}
LABELLED = {"labels": {"app.kubernetes.io/component": "jupyter"}}
OTHER_PODS: dict[str, Document] = {
    "a Secret": {"spec": {"worker": {"spec": {"volumes": [SECRET]}}}},
    "another program": {
        "spec": {"worker": {"spec": {"containers": [{"name": "x", "image": "x"}]}}}
    },
    "notes on pods": {"spec": {"worker": {"metadata": NOTED}}},
    "a Service's labels": {"metadata": LABELLED},
    "another cluster's workers": {"spec": {"cluster": "other"}},
}


@pytest.mark.parametrize("what", OTHER_PODS)
def test_who_changes_the_number_of_workers_leaves_the_pods_as_they_are(
    reach: OperatorsReach, idle_controller: httpx.Client, what: str
) -> None:
    attack = OTHER_PODS[what]
    for intruder in (idle_controller, reach.operator):
        said = changes(intruder, attack)
        assert said.refused_by_policy, said
        assert "Others may change the number of workers" in said.sentence
        # The attack works where nothing defends, and the platform changes what the stack file says.
        assert changes(intruder, attack, namespace=UNDEFENDED).accepted
        assert changes(reach.platform, attack).accepted


def test_a_team_is_sent_to_sleep_and_woken(
    reach: OperatorsReach, idle_controller: httpx.Client
) -> None:
    note = {"metadata": {"annotations": {"daskfleet/asleep": "since 20:00"}}}
    for works in (idle_controller, reach.operator):
        for replicas in (0, 1, LEAST_BOUND):
            assert changes(works, {**note, "spec": {"worker": {"replicas": replicas}}}).accepted
        assert changes(works, note).accepted
        assert changes(works, {"spec": {"worker": {"replicas": LEAST_BOUND + 1}}}).refused_by_policy
