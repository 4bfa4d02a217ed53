"""Unit: what runs where a team sleeps or recycles, with which right; nothing where none does."""

from copy import deepcopy
from typing import Any

import pytest

from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Recycling, read
from manifests.program_files import digest_of
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

DEPLOYMENT = "kubernetes:apps/v1:Deployment"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
ALERTS = "kubernetes:monitoring.googleapis.com/v1:Rules"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"
POLICY = "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy"
SLEEP_RIGHTS = {
    ("daskclusters", "list"),
    ("daskworkergroups", "get"),
    ("daskworkergroups", "patch"),
}
MODULES = {
    *("__init__.py", "__main__.py", "apis.py", "decisions.py", "loop.py"),
    *("note.py", "opening_hours.py", "rules.py", "scheduler_pages.py"),
    *("pods.py", "recycle_note.py", "recycler.py", "recycling.py"),
}


def awake() -> dict[str, Any]:
    stack = deepcopy(BASE)
    for team in stack["teams"]:
        team.pop("idle", None)
        team.pop("hours", None)
        team.pop("recycle", None)
    return stack


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(BASE, monkeypatch)


def mine(recording: Recording) -> list[Registration]:
    return [each for each in recording.registrations if each.name.startswith("idle-controller")]


def my_own(recording: Recording, kind: str) -> Registration:
    """The one resource of this type that is the controller's."""
    (found,) = [each for each in mine(recording) if each.type == kind]
    return found


def rights_in(recording: Recording, team: str) -> set[tuple[str, str]]:
    """What the controller may do in a team's namespace: resources with verbs."""
    (role,) = (
        each
        for each in mine(recording)
        if each.type == ROLE and each.inputs["metadata"]["namespace"] == team
    )
    return {
        (resource, verb)
        for rule in role.inputs["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


def test_a_fleet_in_which_nobody_sleeps_has_none_and_all_else_as_with_it(
    fleet: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = record(awake(), monkeypatch)

    def others(recording: Recording) -> dict[tuple[str, str], dict[str, Any]]:
        beside = mine(recording)
        kept = [e for e in recording.registrations if e.is_custom and e not in beside]
        return {(each.type, each.name): each.inputs for each in kept}

    asleep, awake_ = others(fleet), others(without)
    assert mine(without) == []
    assert awake_.keys() == asleep.keys()
    # Workers that are all gone are an alarm where nobody sleeps, and none where they may go; and
    # members are told when they go.
    different = {key for key in asleep if awake_[key] != asleep[key]}
    assert different == {(ALERTS, "beta-alerts"), (CONFIG_MAP, "beta-notice")}


def test_it_may_scale_worker_groups_of_the_teams_that_sleep_and_nothing_else(
    fleet: Recording,
) -> None:
    assert rights_in(fleet, "beta") == SLEEP_RIGHTS


def test_it_may_list_pods_and_delete_them_where_processes_are_recycled_and_nowhere_else(
    fleet: Recording,
) -> None:
    assert rights_in(fleet, "tides") == SLEEP_RIGHTS | {("pods", "list"), ("pods", "delete")}
    (policy,) = (each for each in mine(fleet) if each.type == POLICY)
    (binding,) = (each for each in mine(fleet) if each.type == f"{POLICY}Binding")
    assert policy.inputs["metadata"]["name"] == binding.inputs["spec"]["policyName"]
    assert binding.inputs["spec"]["validationActions"] == ["Deny"]


def test_a_fleet_that_only_sleeps_has_no_policy_of_pods(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = deepcopy(BASE)
    for team in stack["teams"]:
        team.pop("recycle", None)
    recording = record(stack, monkeypatch)

    assert {each.type for each in mine(recording)}.isdisjoint({POLICY, f"{POLICY}Binding"})
    assert [each.name for each in mine(recording) if each.type == ROLE] == [
        "idle-controller-beta-role"
    ]


def test_its_files_are_its_modules_and_the_rules_of_the_teams(fleet: Recording) -> None:
    data = my_own(fleet, CONFIG_MAP).inputs["data"]

    assert data.keys() == {*MODULES, "rules.json"}
    sleeps, begins_anew = read(data["rules.json"])
    assert (sleeps.namespace, sleeps.sleep_after_s, sleeps.recycling) == ("beta", 1800, None)
    assert (begins_anew.namespace, begins_anew.sleep_after_s) == ("tides", None)
    assert begins_anew.recycling == Recycling(
        after_s=168 * 3600,
        above_memory_percent=80,
        hours=OpeningHours(windows=(Window(6, 120, 360),), zone="UTC"),
    )


def test_its_pod_mounts_every_file_where_python_finds_it(fleet: Recording) -> None:
    deployment, files = my_own(fleet, DEPLOYMENT), my_own(fleet, CONFIG_MAP)
    pod = deployment.inputs["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    volume = next(each for each in pod["volumes"] if each["name"] == "program")["configMap"]

    assert volume["name"] == files.inputs["metadata"]["name"]
    assert {item["path"] for item in volume["items"]} == {
        *(f"idle_controller/{module}" for module in MODULES),
        "rules.json",
    }
    assert container["command"] == [
        *("python", "-m", "idle_controller"),
        "/opt/daskfleet/rules.json",
    ]


def test_it_runs_the_operators_image_by_the_same_digest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    digest = "sha256:" + "0123456789abcdef" * 4
    operator = {"version": "2026.3.0", "image_digest": digest}
    deployment = my_own(record({**BASE, "operator": operator}, monkeypatch), DEPLOYMENT)
    (container,) = deployment.inputs["spec"]["template"]["spec"]["containers"]

    assert container["image"] == f"ghcr.io/dask/dask-kubernetes-operator:2026.3.0@{digest}"


def test_another_rule_is_another_config_map_so_that_the_old_one_goes_last() -> None:
    assert digest_of({"rules.json": "[]"}) != digest_of({"rules.json": "[1]"})
    assert digest_of({"a": "bc"}) != digest_of({"ab": "c"})


def test_it_has_no_token_but_the_one_that_it_mounts_and_runs_beside_no_other(
    fleet: Recording,
) -> None:
    spec = my_own(fleet, DEPLOYMENT).inputs["spec"]

    assert spec["strategy"] == {"type": "Recreate"}
    assert spec["template"]["spec"]["automountServiceAccountToken"] is False
    assert "runAsNonRoot" in spec["template"]["spec"]["securityContext"]


def test_no_right_to_delete_pods_is_there_before_the_policy_that_narrows_it(
    fleet: Recording,
) -> None:
    (bound,) = (each for each in mine(fleet) if each.type == f"{POLICY}Binding")
    for role in (each for each in mine(fleet) if each.type == ROLE):
        assert any(urn.endswith(f"::{bound.name}") for urn in role.dependencies), role.name
