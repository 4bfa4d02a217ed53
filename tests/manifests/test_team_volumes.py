"""Unit: which pods of a team mount its claims, and where nothing else is mounted."""

import itertools

import pytest

from daskfleet.planning.plan import TeamPlan
from daskfleet.planning.team_volumes import HOMES, TAKEN
from manifests.dask_pod import PodSpec
from manifests.dask_scheduler_pod import scheduler_pod
from manifests.dask_worker_pod import worker_pod
from manifests.ephemeral_spec import make_cluster_spec
from manifests.jupyter_lab import labs_of
from manifests.jupyter_pod import pod_spec
from tests.components.fleets import alpha

VOLUMES = [
    {"claim": "reference", "mount_path": "/data/reference"},
    {"claim": "results", "mount_path": "/mnt/results", "read_only": False},
]
MEMBERS = ["user:alice@example.com"]
PEOPLE = [{"name": "alice", "member": "user:alice@example.com"}]
OF_OWN = {"workers": 1, "members": MEMBERS, "ephemeral": {"max_workers": 1}}


def team(**settings: object) -> TeamPlan:
    jupyter = {"cpu": 0.5, "memory_gib": 2, "people": PEOPLE}
    return alpha(workers=1, members=MEMBERS, jupyter=jupyter, **settings)


def pods(plan: TeamPlan) -> dict[str, PodSpec]:
    assert plan.jupyter is not None
    labs = labs_of(plan.team)
    volumes = [each.model_dump() for each in plan.team.volumes]
    own = make_cluster_spec(alpha(**OF_OWN, volumes=volumes), name="alpha-own")
    return {
        "scheduler": scheduler_pod(plan),
        "worker": worker_pod(plan, plan.first_group),
        "lab": pod_spec(plan, plan.jupyter, labs[0], system_pool="system"),
        "alice's lab": pod_spec(plan, plan.jupyter, labs[1], system_pool="system"),
        "own scheduler": own["spec"]["scheduler"]["spec"],
        "own worker": own["spec"]["worker"]["spec"],
    }


ROLES = ("scheduler", "worker", "lab", "alice's lab", "own scheduler", "own worker")


@pytest.mark.parametrize("role", ROLES)
def test_each_pod_of_the_team_mounts_each_claim_and_writes_only_where_it_may(role: str) -> None:
    pod = pods(team(volumes=VOLUMES))[role]
    (container,) = pod["containers"]
    found = {
        mount["mountPath"]: (volume["persistentVolumeClaim"], mount.get("readOnly", False))
        for mount in container["volumeMounts"]
        for volume in pod["volumes"]
        if volume["name"] == mount["name"] and volume["name"].startswith("claim-")
    }

    assert found == {
        "/data/reference": ({"claimName": "reference", "readOnly": True}, True),
        "/mnt/results": ({"claimName": "results"}, False),
    }


@pytest.mark.parametrize("role", ROLES)
def test_a_team_without_volumes_mounts_no_claim(role: str) -> None:
    pod = pods(team())[role]

    assert not [each for each in pod["volumes"] if each["name"].startswith("claim-")]


@pytest.mark.parametrize("role", ROLES)
def test_no_volume_can_be_where_the_program_has_one(role: str) -> None:
    secrets = [{"name": "warehouse"}]
    (container,) = pods(team(secrets=secrets, tls=True))[role]["containers"]
    tops = {mount["mountPath"].split("/")[1] for mount in container["volumeMounts"]}

    assert tops
    assert tops <= TAKEN


def test_no_claim_that_the_program_makes_can_be_listed() -> None:
    homes = [lab.home_claim for lab in labs_of(team().team)]

    assert homes
    assert [name for name in homes if not HOMES.fullmatch(name)] == []


def test_no_two_volumes_of_a_pod_have_one_name() -> None:
    listed = team(volumes=VOLUMES, secrets=[{"name": "reference"}], tls=True)
    for pod in pods(listed).values():
        for one, other in itertools.combinations(pod["volumes"], 2):
            assert one["name"] != other["name"]
