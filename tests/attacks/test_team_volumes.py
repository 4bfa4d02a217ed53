"""Attack: members who would mount another volume than those that their team's pods have.

A real API server judges clusters of their own, of a team whose template has claims.
"""

from collections.abc import Callable, Iterator

import pytest

from rehearsal.control_plane import ControlPlane
from tests.attacks.team_of_members import MEMBER, Document, TeamOfMembers, team_of_members
from tests.components.fleets import fleet

pytestmark = pytest.mark.rehearsal

VOLUMES = [
    {"claim": "reference", "mount_path": "/data/reference"},
    {"claim": "results", "mount_path": "/data/results", "read_only": False},
]

Attack = Callable[[Document], None]


def source(pod: Document, claim: str) -> Document:
    """What a volume of the pod is of."""
    found: Document
    (found,) = [each for each in pod["volumes"] if each["name"] == f"claim-{claim}"]
    return found


def mounts(pod: Document) -> list[Document]:
    """The mounts of the pod's one container."""
    (container,) = pod["containers"]
    found: list[Document] = container["volumeMounts"]
    return found


def writing(pod: Document) -> None:
    del source(pod, "reference")["persistentVolumeClaim"]["readOnly"]
    for mount in mounts(pod):
        if mount["name"] == "claim-reference":
            del mount["readOnly"]


def a_home(pod: Document) -> None:
    source(pod, "results")["persistentVolumeClaim"]["claimName"] = "jupyter-alice-home"


def elsewhere(pod: Document) -> None:
    for mount in mounts(pod):
        if mount["name"] == "claim-results":
            mount["mountPath"] = "/opt/conda"


def in_place_of_a_claim(**volume: Document) -> Attack:
    def attack(pod: Document) -> None:
        replaced = source(pod, "results")
        del replaced["persistentVolumeClaim"]
        replaced.update(volume)

    return attack


ATTACKS: dict[str, Attack] = {
    "writing where the team reads": writing,
    "somebody's home in place of a claim": a_home,
    "a claim over the image's programs": elsewhere,
    "files of the node in place of a claim": in_place_of_a_claim(hostPath={"path": "/"}),
    "a file server in place of a claim": in_place_of_a_claim(
        nfs={"server": "10.9.0.2", "path": "/others"}
    ),
    "a bucket in place of a claim": in_place_of_a_claim(
        csi={
            "driver": "gcsfuse.csi.storage.gke.io",
            "volumeAttributes": {"bucketName": "others-data"},
        }
    ),
    "a new disk in place of a claim": in_place_of_a_claim(
        ephemeral={
            "volumeClaimTemplate": {
                "spec": {
                    "accessModes": ["ReadWriteOnce"],
                    "resources": {"requests": {"storage": "1Ti"}},
                }
            }
        }
    ),
}


@pytest.fixture(scope="module")
def mounting(control_plane: ControlPlane) -> Iterator[TeamOfMembers]:
    """A team whose pods read one claim and write to another."""
    team = {
        "name": "mounting",
        "members": [MEMBER],
        "ephemeral": {"max_workers": 1},
        "volumes": VOLUMES,
    }
    with team_of_members(control_plane, fleet(teams=[team]).teams[0]) as made:
        yield made


@pytest.mark.parametrize("role", ["scheduler", "worker"])
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
def test_no_cluster_of_a_members_own_mounts_anything_else(
    mounting: TeamOfMembers, attack: Attack, role: str
) -> None:
    own = mounting.spec()
    assert mounting.creates(own).accepted

    attack(own["spec"][role]["spec"])
    said = mounting.creates(own)

    assert said.refused_by_policy, said


def test_no_member_may_make_or_change_a_claim(mounting: TeamOfMembers) -> None:
    claims = "/api/v1/namespaces/mounting/persistentvolumeclaims"
    assert mounting.member.get(claims).status_code == 403
    assert mounting.member.post(claims, json={"metadata": {"name": "x"}}).status_code == 403
    merge = {"Content-Type": "application/merge-patch+json"}
    grown = mounting.member.patch(f"{claims}/results", headers=merge, content=b'{"spec": {}}')
    assert grown.status_code == 403
    assert mounting.member.post("/api/v1/persistentvolumes", json={}).status_code == 403
