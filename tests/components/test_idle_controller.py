"""Unit: what runs where a team sleeps, with which right, and that nothing does where none does."""

import json
from copy import deepcopy
from typing import Any

import pytest

from components.idle_controller import digest_of
from idle_controller.rules import read
from tests.recorded_program import Recording, Registration, record
from tests.setting_changes import BASE

DEPLOYMENT = "kubernetes:apps/v1:Deployment"
CONFIG_MAP = "kubernetes:core/v1:ConfigMap"
ROLE = "kubernetes:rbac.authorization.k8s.io/v1:Role"
MODULES = {
    *("__init__.py", "__main__.py", "apis.py", "decisions.py", "loop.py"),
    *("note.py", "opening_hours.py", "rules.py"),
}


def awake() -> dict[str, Any]:
    stack = deepcopy(BASE)
    for team in stack["teams"]:
        team.pop("idle", None)
        team.pop("hours", None)
    return stack


@pytest.fixture
def fleet(monkeypatch: pytest.MonkeyPatch) -> Recording:
    return record(BASE, monkeypatch)


def mine(recording: Recording) -> list[Registration]:
    return [each for each in recording.registrations if each.name.startswith("idle-controller")]


def test_a_fleet_in_which_nobody_sleeps_has_none_and_all_else_as_with_it(
    fleet: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = record(awake(), monkeypatch)

    def others(recording: Recording) -> list[str]:
        beside = mine(recording)
        kept = [e for e in recording.registrations if e.is_custom and e not in beside]
        return sorted(json.dumps([each.type, each.name, each.inputs]) for each in kept)

    assert mine(without) == []
    assert others(without) == others(fleet)


def test_it_may_scale_worker_groups_of_the_teams_that_sleep_and_nothing_else(
    fleet: Recording,
) -> None:
    (role,) = [each for each in fleet.of_type(ROLE) if each.name.startswith("idle-controller")]

    assert role.inputs["metadata"]["namespace"] == "beta"
    assert {
        (resource, verb)
        for rule in role.inputs["rules"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    } == {("daskclusters", "list"), ("daskworkergroups", "get"), ("daskworkergroups", "patch")}


def test_its_files_are_its_modules_and_the_rules_of_the_teams(fleet: Recording) -> None:
    (files,) = fleet.of_type(CONFIG_MAP)
    data = files.inputs["data"]

    assert data.keys() == {*MODULES, "rules.json"}
    (rule,) = read(data["rules.json"])
    assert (rule.namespace, rule.sleep_after_s) == ("beta", 1800)


def test_its_pod_mounts_every_file_where_python_finds_it(fleet: Recording) -> None:
    (deployment,), (files,) = fleet.of_type(DEPLOYMENT), fleet.of_type(CONFIG_MAP)
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


def test_another_rule_is_another_config_map_so_that_the_old_one_goes_last() -> None:
    assert digest_of({"rules.json": "[]"}) != digest_of({"rules.json": "[1]"})
    assert digest_of({"a": "bc"}) != digest_of({"ab": "c"})


def test_it_has_no_token_but_the_one_that_it_mounts_and_runs_beside_no_other(
    fleet: Recording,
) -> None:
    (deployment,) = fleet.of_type(DEPLOYMENT)
    spec = deployment.inputs["spec"]

    assert spec["strategy"] == {"type": "Recreate"}
    assert spec["template"]["spec"]["automountServiceAccountToken"] is False
    assert "runAsNonRoot" in spec["template"]["spec"]["securityContext"]
