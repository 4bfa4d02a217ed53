"""Unit: who looks after the GPUs, with which rights, and that nobody does where nobody asks."""

from copy import deepcopy

import pytest

from in_cluster.gpu_health.rules import Rules, read
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

DEPLOYMENT = "kubernetes:apps/v1:Deployment"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"
CLUSTER_ROLE = "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole"
POLICY = "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy"
TEAMS = ("alpha", "beta", "tides")


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(BASE, monkeypatch)


def mine(recording: Recording, kind: str | None = None) -> list[Registration]:
    found = [each for each in recording.registrations if each.name.startswith("gpu-health")]
    return [each for each in found if kind in {None, each.type}]


def test_a_fleet_that_does_not_ask_has_none_and_all_else_as_with_it(
    fleet: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack = deepcopy(BASE)
    del stack["gpu_health"]
    without = record(stack, monkeypatch)

    assert mine(without) == []
    others = [
        {(e.type, e.name): e.inputs for e in each.registrations if e.is_custom and e not in ours}
        for each, ours in ((fleet, mine(fleet)), (without, []))
    ]
    assert others[0] == others[1]


def test_it_sees_and_cordons_nodes_and_in_each_team_ends_pods_and_says_so(
    fleet: Recording,
) -> None:
    (nodes,) = mine(fleet, CLUSTER_ROLE)
    roles = mine(fleet, ROLE)

    assert rights(nodes) == {("nodes", "list"), ("nodes", "patch")}
    assert {role.inputs["metadata"]["namespace"] for role in roles} == set(TEAMS)
    for role in roles:
        assert rights(role) == {("pods", "list"), ("pods", "delete"), ("events", "create")}


def test_the_policy_holds_for_its_account_and_nobody_else(fleet: Recording) -> None:
    (policy,) = mine(fleet, POLICY)
    (deployment,) = mine(fleet, DEPLOYMENT)
    (condition,) = policy.inputs["spec"]["matchConditions"]
    account = deployment.inputs["spec"]["template"]["spec"]["serviceAccountName"]
    namespace = deployment.inputs["metadata"]["namespace"]

    user = f"system:serviceaccount:{namespace}:{account}"
    assert condition["expression"] == f"request.userInfo.username == '{user}'"


def test_its_files_lie_where_their_imports_find_them(fleet: Recording) -> None:
    (files,) = mine(fleet, CONFIG_MAP)
    (deployment,) = mine(fleet, DEPLOYMENT)
    pod = deployment.inputs["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    volume = next(each for each in pod["volumes"] if each["name"] == "program")["configMap"]
    paths = {item["path"]: files.inputs["data"][item["key"]] for item in volume["items"]}

    assert volume["name"] == files.inputs["metadata"]["name"]
    assert container["command"] == [
        *("python", "-m", "in_cluster.gpu_health"),
        "/opt/daskfleet/rules.json",
    ]
    imported = {
        line.split()[1]
        for text in paths.values()
        for line in text.splitlines()
        if line.startswith("from in_cluster.")
    }
    assert len(imported) > 5
    assert {f"{module.replace('.', '/')}.py" for module in imported} <= paths.keys()
    rules = read(paths["rules.json"])
    assert rules == Rules(namespaces=TEAMS, most_drained_nodes=2)


def test_it_has_no_token_but_the_one_that_it_mounts_and_runs_beside_no_other(
    fleet: Recording,
) -> None:
    (deployment,) = mine(fleet, DEPLOYMENT)
    spec = deployment.inputs["spec"]

    assert spec["strategy"] == {"type": "Recreate"}
    assert spec["template"]["spec"]["automountServiceAccountToken"] is False
    assert spec["template"]["spec"]["securityContext"]["runAsNonRoot"] is True


def rights(role: Registration) -> set[tuple[str, str]]:
    """Return resources and verbs of a role."""
    return {
        (resource, verb)
        for rule in role.inputs["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }
