"""Attack: a member forwards the ports of a teammate's notebook, where a running kernel tells all.

The API server asks the policy before it looks for the pod, so no pod need be there: who is let in
is told that there is none.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import httpx
import pytest

from manifests.jupyter_lab import Lab, labs_of
from manifests.team_members import member_rules, subject
from rehearsal.control_plane import ControlPlane
from tests.attacks.operators_reach import OperatorsReach
from tests.attacks.team_of_members import RBAC, answer, until
from tests.components.fleets import alpha
from tests.rehearsal.control_plane.conftest import ApiClient, Document

pytestmark = pytest.mark.rehearsal

TEAM, UNDEFENDED = "with-notebooks", "no-teams-notebooks"
ALICE, BOB = "user:alice@example.com", "user:bob@example.com"
PLATFORM = "the platform"

PEOPLE = [{"name": "al-ice", "member": ALICE}, {"name": "al", "member": BOB}]
TEAMS_OWN, ALICES, ALS = labs_of(
    alpha(members=[ALICE, BOB], jupyter={"cpu": 0.5, "memory_gib": 1, "people": PEOPLE}).team
)
"""One name begins with the other, as their pods' names do."""

DASKS = (
    *("alpha-scheduler-6b7c9d8f5d-x2x4z", "x", "jupyter", "jupyter-x"),
    # In a team called jupyter, or of a member's own cluster.
    *("jupyter-scheduler-6b7c9d8f5d-x2x4z", "jupyter-gpu-worker-1d956c94a6-6b7c9d8f5d-x2x4z"),
)

Clients = dict[str, httpx.Client]


def pod_of(lab: Lab) -> str:
    return f"{lab.name}-6b7c9d8f5d-x2x4z"


@pytest.fixture(scope="module")
def clients(control_plane: ControlPlane, operator: OperatorsReach) -> Iterator[Clients]:
    """Let both in as the program does: they are members, and each reads a token."""
    operator.let_in(TEAM)
    operator.let_in(UNDEFENDED, labels={})
    for namespace in (TEAM, UNDEFENDED):
        let_in(operator.platform, namespace, "members", member_rules(may_scale=True), (ALICE, BOB))
        for lab in (TEAMS_OWN, ALICES, ALS):
            rule = {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}
            rules = [{**rule, "resourceNames": [lab.token_secret]}]
            let_in(operator.platform, namespace, lab.token_role, rules, lab.token_readers)
    with ExitStack() as open_clients:
        made: Clients = {PLATFORM: operator.platform}
        for member in (ALICE, BOB):
            client = ApiClient(control_plane, token=control_plane.client_token)
            client.headers["Impersonate-User"] = member.partition(":")[2]
            made[member] = open_clients.enter_context(client)
        until(lambda: let_through(forwards(made[ALICE], pod_of(ALICES))))
        until(lambda: answer(forwards(made[BOB], pod_of(ALICES))).refused_by_policy)
        yield made


def let_in(
    platform: ApiClient, namespace: str, role: str, rules: Sequence[Document], who: Sequence[str]
) -> None:
    named = {"metadata": {"name": role}}
    reference = {"apiGroup": RBAC.split("/")[2], "kind": "Role", "name": role}
    bound = {**named, "roleRef": reference, "subjects": [subject(member) for member in who]}
    platform.create(f"{RBAC}/namespaces/{namespace}/roles", {**named, "rules": list(rules)})
    platform.create(f"{RBAC}/namespaces/{namespace}/rolebindings", bound)


def forwards(
    client: httpx.Client, pod: str, *, verb: str = "POST", namespace: str = TEAM
) -> httpx.Response:
    """Ask for a port as ``kubectl port-forward`` does; older ones ask by GET."""
    path = f"/api/v1/namespaces/{namespace}/pods/{pod}/portforward"
    return client.request(verb, path, params={"ports": "8888"})


def let_through(response: httpx.Response) -> bool:
    return response.status_code == httpx.codes.NOT_FOUND


@pytest.mark.parametrize("verb", ["GET", "POST"])
@pytest.mark.parametrize(("who", "of"), [(BOB, ALICES), (ALICE, ALS)], ids=["Bob", "Alice"])
def test_no_teammate_reaches_the_ports_of_a_persons_notebook(
    clients: Clients, who: str, of: Lab, verb: str
) -> None:
    said = answer(forwards(clients[who], pod_of(of), verb=verb))

    assert said.refused_by_policy, said
    assert "The ports of a JupyterLab are for those who may read its token" in said.sentence
    # The attack works where nothing defends, and the platform may.
    assert let_through(forwards(clients[who], pod_of(of), verb=verb, namespace=UNDEFENDED))
    assert let_through(forwards(clients[PLATFORM], pod_of(of), verb=verb))


@pytest.mark.parametrize(
    ("who", "pod"),
    [
        (ALICE, pod_of(ALICES)),
        (BOB, pod_of(ALS)),
        *((who, pod_of(TEAMS_OWN)) for who in (ALICE, BOB)),
        *((BOB, name) for name in DASKS),
    ],
)
def test_ones_own_the_teams_and_those_of_dask_are_reached(
    clients: Clients, who: str, pod: str
) -> None:
    assert let_through(forwards(clients[who], pod))
