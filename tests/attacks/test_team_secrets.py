"""Attack: members who would have another Secret than those that their team's pods get.

A real API server judges clusters of their own, of a team whose template has Secrets.
"""

from collections.abc import Callable, Iterator

import pytest

from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import MEMBER, Document, TeamOfMembers, team_of_members
from tests.components.fleets import fleet

pytestmark = pytest.mark.rehearsal

SECRETS = [{"name": "warehouse"}, {"name": "lake", "kind": "environment"}]

Attack = Callable[[Document], None]


def container(pod: Document) -> Document:
    """The pod's one container."""
    found: Document
    (found,) = pod["containers"]
    return found


def of_volume(name: str) -> Attack:
    def attack(pod: Document) -> None:
        (volume,) = [each for each in pod["volumes"] if "secret" in each]
        volume["secret"]["secretName"] = name

    return attack


def one_more(name: str) -> Attack:
    def attack(pod: Document) -> None:
        pod["volumes"].append({"name": "x", "secret": {"secretName": name}})
        container(pod)["volumeMounts"].append({"name": "x", "mountPath": "/x"})

    return attack


def from_another(pod: Document) -> None:
    container(pod)["envFrom"] = [{"secretRef": {"name": "acme"}}]


def one_variable(pod: Document) -> None:
    reference = {"secretKeyRef": {"name": "warehouse", "key": "PASSWORD"}}
    container(pod)["env"].append({"name": "X", "valueFrom": reference})


def pulling_with_another(pod: Document) -> None:
    pod["imagePullSecrets"] = [{"name": "warehouse"}]


ATTACKS: dict[str, Attack] = {
    "the pull secret in place of the team's own": of_volume("acme"),
    "a token of somebody's JupyterLab": of_volume("jupyter-alice-token"),
    "the pull secret besides": one_more("acme"),
    "variables of the pull secret": from_another,
    "one variable of a Secret that it may have": one_variable,
    "another one to pull with": pulling_with_another,
}


@pytest.fixture(scope="module")
def secretive(control_plane: ControlPlane) -> Iterator[TeamOfMembers]:
    """A team whose pods have two Secrets and pull with a third."""
    team = {
        "name": "secretive",
        "members": [MEMBER],
        "ephemeral": {"max_workers": 1},
        "secrets": SECRETS,
        "pull_secret": "acme",
    }
    with team_of_members(control_plane, fleet(teams=[team]).teams[0]) as made:
        yield made


@pytest.mark.parametrize("role", ["scheduler", "worker"])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
def test_no_cluster_of_a_members_own_has_another_secret(
    secretive: TeamOfMembers, attack: Attack, role: str
) -> None:
    own = secretive.spec()
    assert secretive.creates(own).accepted

    attack(own["spec"][role]["spec"])
    said = secretive.creates(own)

    assert said.refused_by_policy, said


def test_no_member_may_read_a_secret(secretive: TeamOfMembers) -> None:
    for name in ("warehouse", "lake", "acme"):
        url = f"/api/v1/namespaces/secretive/secrets/{name}"
        assert secretive.member.get(url).status_code == 403
    assert secretive.member.get("/api/v1/namespaces/secretive/secrets").status_code == 403
