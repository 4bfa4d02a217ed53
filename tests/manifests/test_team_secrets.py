"""Unit: which pods of a team get its Secrets, and how."""

import pytest

from daskfleet.planning.plan import TeamPlan
from daskfleet.planning.team_secrets import OF_THE_PROGRAM
from daskfleet.settings.jupyter import Person
from daskfleet.settings.tls import Tls
from manifests.dask_pod import PodSpec
from manifests.dask_scheduler_pod import scheduler_pod
from manifests.dask_tls import ROLES, secret_name
from manifests.dask_worker_pod import worker_pod
from manifests.ephemeral_spec import make_cluster_spec
from manifests.jupyter_lab import Lab, labs_of
from manifests.jupyter_pod import pod_spec
from tests.components.fleets import alpha

SECRETS = [
    {"name": "warehouse"},
    {"name": "lake", "kind": "environment"},
    {"name": "key", "kind": "files"},
]
PEOPLE = [{"name": "alice", "member": "user:alice@example.com"}]


def team(**settings: object) -> TeamPlan:
    jupyter = {"cpu": 0.5, "memory_gib": 2, "people": PEOPLE}
    return alpha(workers=1, members=["user:alice@example.com"], jupyter=jupyter, **settings)


def pods(plan: TeamPlan) -> dict[str, PodSpec]:
    assert plan.jupyter is not None
    labs = labs_of(plan.team)
    own = make_cluster_spec(alpha(**{**SETTINGS_OF_OWN, "secrets": SECRETS}), name="alpha-own")
    return {
        "scheduler": scheduler_pod(plan),
        "worker": worker_pod(plan, plan.first_group),
        "lab": pod_spec(plan, plan.jupyter, labs[0], system_pool="system"),
        "alice's lab": pod_spec(plan, plan.jupyter, labs[1], system_pool="system"),
        "own scheduler": own["spec"]["scheduler"]["spec"],
        "own worker": own["spec"]["worker"]["spec"],
    }


SETTINGS_OF_OWN = {
    "workers": 1,
    "members": ["user:alice@example.com"],
    "ephemeral": {"max_workers": 1},
}

ROLES_OF_PODS = ("scheduler", "worker", "lab", "alice's lab", "own scheduler", "own worker")


@pytest.mark.parametrize("role", ROLES_OF_PODS)
def test_each_pod_of_the_team_gets_files_and_variables(role: str) -> None:
    pod = pods(team(secrets=SECRETS))[role]
    (container,) = pod["containers"]
    mounted = {
        mount["mountPath"]: volume["secret"]
        for mount in container["volumeMounts"]
        for volume in pod["volumes"]
        if volume["name"] == mount["name"] and volume["name"].startswith("secret-")
    }

    assert container["envFrom"] == [{"secretRef": {"name": "lake"}}]
    assert {path: secret["secretName"] for path, secret in mounted.items()} == {
        "/var/run/secrets/team/warehouse": "warehouse",
        "/var/run/secrets/team/key": "key",
    }
    for secret in mounted.values():
        assert secret["defaultMode"] == 0o444
        assert "optional" not in secret


@pytest.mark.parametrize("role", ["scheduler", "worker"])
def test_a_team_without_secrets_has_the_pods_that_it_had(role: str) -> None:
    pod = pods(team())[role]

    assert "envFrom" not in pod["containers"][0]
    assert not [volume for volume in pod["volumes"] if "secret" in volume]


def test_no_name_that_the_program_gives_can_be_listed() -> None:
    plan = team()
    person = Person.model_validate({"name": "bob", "member": "user:bob@example.com"})
    given = [
        *(lab.token_secret for lab in labs_of(plan.team)),
        Lab(team=plan.team, person=person).token_secret,
        *(secret_name(Tls(), role) for role in ROLES),
    ]

    assert [name for name in given if not OF_THE_PROGRAM.fullmatch(name)] == []


def test_a_scheduler_has_the_variables_of_the_stack_file_word_for_word() -> None:
    plan = team(scheduler={"environment": {"B": "$(A)", "A": "1"}})
    (container,) = scheduler_pod(plan)["containers"]

    assert container["env"][-2:] == [{"name": "A", "value": "1"}, {"name": "B", "value": "$$(A)"}]
