"""Attack: who has taken the idle controller over deletes pods of a team that recycles.

RBAC lets it delete any of them. A real API server judges by the program's policy.
"""

from collections.abc import Iterator

import httpx
import pytest

from components.idle_controller import NAME as IDLE_CONTROLLER
from components.idle_controller import rules
from daskfleet.contract.dask import COMPONENT_LABEL
from manifests.recycle_admission import RECYCLE_POLICY, recycle_policy
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import HOME, OperatorsReach
from tests.attacks.team_of_members import ADMISSION, DRY_RUN, RBAC, Answer, answer, until
from tests.rehearsal.control_plane.conftest import ApiClient

pytestmark = pytest.mark.rehearsal

TEAM, UNDEFENDED = "with-old-pods", "no-teams-old-pods"
PODS = ("scheduler", "worker", "jupyter")
"""By what their label says."""

BARE = "bare"
"""A pod without labels."""


@pytest.fixture(scope="module")
def controller(control_plane: ControlPlane, operator: OperatorsReach) -> Iterator[httpx.Client]:
    """Let the idle controller in as the program does where processes are recycled."""
    platform = operator.platform
    named = {"metadata": {"name": IDLE_CONTROLLER}}
    policy = {"metadata": {"name": RECYCLE_POLICY}}
    spec = recycle_policy(namespace=HOME, account=IDLE_CONTROLLER)
    bound = {"policyName": RECYCLE_POLICY, "validationActions": ["Deny"]}
    platform.create(f"{ADMISSION}/validatingadmissionpolicies", {**policy, "spec": spec})
    platform.create(f"{ADMISSION}/validatingadmissionpolicybindings", {**policy, "spec": bound})
    operator.let_in(TEAM)
    operator.let_in(UNDEFENDED, labels={})
    role = {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": IDLE_CONTROLLER}
    subjects = [{"kind": "ServiceAccount", "name": IDLE_CONTROLLER, "namespace": HOME}]
    for namespace in (TEAM, UNDEFENDED):
        roles = f"{RBAC}/namespaces/{namespace}"
        platform.create(f"{roles}/roles", {**named, "rules": rules(recycles=True)})
        platform.create(f"{roles}/rolebindings", {**named, "roleRef": role, "subjects": subjects})
        account = f"/api/v1/namespaces/{namespace}/serviceaccounts/default"
        until(lambda account=account: platform.get(account).is_success)  # type: ignore[misc]
        containers = [{"name": "main", "image": "example.com/any"}]
        spec = {"containers": containers, "automountServiceAccountToken": False}
        for name in (*PODS, BARE):
            labels = {COMPONENT_LABEL: name} if name != BARE else {}
            platform.create(
                f"/api/v1/namespaces/{namespace}/pods",
                {"metadata": {"name": name, "labels": labels}, "spec": spec},
            )
    with ApiClient(control_plane, token=control_plane.client_token) as client:
        client.headers["Impersonate-User"] = f"system:serviceaccount:{HOME}:{IDLE_CONTROLLER}"
        until(lambda: deletes(client, "scheduler").accepted)
        until(lambda: deletes(client, "worker").refused_by_policy)
        yield client


def deletes(client: httpx.Client, pod: str, *, namespace: str = TEAM) -> Answer:
    return answer(client.delete(f"/api/v1/namespaces/{namespace}/pods/{pod}", params=DRY_RUN))


def test_it_deletes_a_scheduler(controller: httpx.Client) -> None:
    assert deletes(controller, "scheduler").accepted


@pytest.mark.parametrize("pod", ["worker", "jupyter", BARE])
def test_and_no_other_pod(controller: httpx.Client, operator: OperatorsReach, pod: str) -> None:
    said = deletes(controller, pod)

    assert said.refused_by_policy, said
    assert "may delete pods of schedulers and no others" in said.sentence
    # The attack works where nothing defends, and others are not kept from their work.
    assert deletes(controller, pod, namespace=UNDEFENDED).accepted
    assert deletes(operator.platform, pod).accepted


def test_nor_all_of_them_at_once(controller: httpx.Client) -> None:
    said = answer(controller.delete(f"/api/v1/namespaces/{TEAM}/pods", params=DRY_RUN))

    assert not said.accepted, said


@pytest.mark.parametrize("verb", ["create", "patch", "update", "get"])
def test_nor_does_it_make_or_change_one(controller: httpx.Client, verb: str) -> None:
    attributes = {"verb": verb, "resource": "pods", "namespace": TEAM}
    asked = controller.post(
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        json={"spec": {"resourceAttributes": attributes}},
    )

    assert asked.json()["status"]["allowed"] is False
