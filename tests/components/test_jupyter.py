"""Unit: a JupyterLab has a token, a home that is kept, and no way in but port-forward."""

import json
from copy import deepcopy
from typing import Any

import pytest

from manifests import jupyter_pod
from manifests.jupyter_lab import Lab, labs_of
from manifests.network_policy import default_deny
from tests.components.fleets import alpha
from tests.recorded_program import Registration, record
from tests.setting_changes import BASE

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"


def pod() -> dict[str, Any]:
    plan = alpha(image=IMAGE, jupyter={})
    assert plan.jupyter is not None
    return jupyter_pod.pod_spec(plan, plan.jupyter, Lab(team=plan.team), system_pool="system")


def environment() -> dict[str, str]:
    (container,) = pod()["containers"]
    return {each["name"]: each["value"] for each in container["env"]}


def recorded(stack: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Registration]:
    registrations = record(stack, monkeypatch).registrations
    return {each.name: each for each in registrations if each.is_custom}


def test_without_it_nothing_else_differs_but_the_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    without = deepcopy(BASE)
    del without["teams"][0]["jupyter"]
    with_it, before = recorded(BASE, monkeypatch), recorded(without, monkeypatch)

    new = {name.removeprefix("alpha-jupyter") for name in with_it.keys() - before.keys()}
    assert new == {"", "-home", "-token", "-token-role", "-token-readers", "-config"}
    different = {name for name, each in before.items() if with_it[name].inputs != each.inputs}
    assert different == {"alpha-team-quota", "alpha-notice"}
    home, role = with_it["alpha-jupyter-home"], with_it["alpha-jupyter-token-role"]
    assert home.is_protected
    assert role.inputs["rules"] == [
        {
            "apiGroups": [""],
            "resources": ["secrets"],
            "resourceNames": ["jupyter-token"],
            "verbs": ["get"],
        }
    ]
    token = json.dumps(with_it["alpha-jupyter"].inputs)
    assert "JUPYTER_TOKEN_FILE" in token
    assert "secretKeyRef" not in token


def test_of_a_retired_team_the_home_is_left_and_not_protected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    retiring = deepcopy(BASE)
    retiring["teams"][0]["retire"] = True
    found = recorded(retiring, monkeypatch)

    assert {name for name in found if "jupyter" in name} == {"alpha-jupyter-home"}
    assert not found["alpha-jupyter-home"].is_protected


def test_a_bare_client_finds_the_teams_cluster_and_the_panel_its_dashboard() -> None:
    host = "dask.alpha.svc.cluster.local"
    assert environment()["DASK_SCHEDULER_ADDRESS"] == f"tcp://{host}:8786"
    data = jupyter_pod.config_data("alpha")
    assert json.loads(data["server"])["ServerProxy"]["host_allowlist"] == [host]
    panel = json.loads(data["lab"])["dask-labextension:plugin"]
    assert panel == {"defaultURL": f"proxy/{host}:8787", "hideClusterManager": True}
    assert "Local" not in environment()["DASK_LABEXTENSION__FACTORY__CLASS"]


def test_with_a_gpu_it_is_on_that_pool_and_finds_the_driver() -> None:
    plan = alpha(image=IMAGE, jupyter={"worker_pool": "a100"})
    assert plan.jupyter is not None
    with_gpu = jupyter_pod.pod_spec(plan, plan.jupyter, Lab(team=plan.team), system_pool="system")

    (container,) = with_gpu["containers"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"
    (toleration,) = with_gpu["tolerations"]
    assert toleration["key"] == "nvidia.com/gpu"
    assert "a100" in json.dumps(with_gpu["affinity"])
    assert "LD_LIBRARY_PATH" in {each["name"] for each in container["env"]}
    assert "LD_LIBRARY_PATH" not in environment()
    assert "nvidia.com/gpu" not in json.dumps(pod())


def test_where_the_team_has_tls_it_has_a_clients_certificate() -> None:
    plan = alpha(image=IMAGE, jupyter={}, tls=True)
    assert plan.jupyter is not None
    spec = jupyter_pod.pod_spec(plan, plan.jupyter, Lab(team=plan.team), system_pool="system")
    (container,) = spec["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    assert variables["DASK_SCHEDULER_ADDRESS"] == "tls://dask.alpha.svc.cluster.local:8786"
    directory = variables["DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT"].rpartition("/")[0]
    (volume,) = [m["name"] for m in container["volumeMounts"] if m["mountPath"] == directory]
    assert volume in {each["name"] for each in spec["volumes"]}


def test_the_images_own_command_and_its_empty_token_are_replaced() -> None:
    (container,) = pod()["containers"]
    assert container["args"][0] == "jupyter-lab"
    assert "token" not in " ".join(container["args"])
    assert "allow_origin" not in json.dumps(pod()) + json.dumps(jupyter_pod.config_data("alpha"))


def test_the_home_hides_nothing_of_the_image_and_the_token_is_not_written_to_it() -> None:
    (container,) = pod()["containers"]
    mounts = {each["mountPath"] for each in container["volumeMounts"]}
    assert not any(mount.startswith("/home/rapids") for mount in mounts)
    assert environment()["HOME"] in mounts
    assert not environment()["JUPYTER_RUNTIME_DIR"].startswith(environment()["HOME"])


def test_it_asks_for_no_gpu_and_no_policy_of_the_dask_pods_is_its() -> None:
    assert "nvidia.com/gpu" not in json.dumps(pod())
    plan = alpha(image=IMAGE, jupyter={}, labels={"cost-center": "cc-1"})
    labels = Lab(team=plan.team).labels
    assert labels["cost-center"] == "cc-1"
    assert not any(label.startswith("dask.org/") for label in labels)
    assert default_deny()["podSelector"] == {}


PEOPLE = [
    {"name": "alice", "member": "user:alice@example.com"},
    {"name": "bob", "member": "user:bob@example.com"},
]


def with_people() -> dict[str, Any]:
    stack = deepcopy(BASE)
    stack["teams"][0]["jupyter"]["people"] = PEOPLE
    return stack


def test_people_come_beside_what_the_team_has_and_change_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without = with_people()
    del without["teams"][0]["jupyter"]["people"]
    with_it, before = recorded(with_people(), monkeypatch), recorded(without, monkeypatch)

    parts = ("", "-home", "-token", "-token-role", "-token-readers", "-config")
    new = {f"alpha.{name}-jupyter{part}" for name in ("alice", "bob") for part in parts}
    assert with_it.keys() - before.keys() == new
    different = {name for name, each in before.items() if with_it[name].inputs != each.inputs}
    assert different == {"alpha-team-quota", "alpha-notice"}


def test_a_person_alone_may_read_the_token_of_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    found = recorded(with_people(), monkeypatch)

    for name in ("alice", "bob"):
        (rule,) = found[f"alpha.{name}-jupyter-token-role"].inputs["rules"]
        assert (rule["resourceNames"], rule["verbs"]) == ([f"jupyter-{name}-token"], ["get"])
        (reader,) = found[f"alpha.{name}-jupyter-token-readers"].inputs["subjects"]
        assert (reader["kind"], reader["name"]) == ("User", f"{name}@example.com")
    of_the_team = found["alpha-jupyter-token-role"].inputs["rules"]
    assert [rule["resourceNames"] for rule in of_the_team] == [["jupyter-token"]]


def test_who_takes_over_a_name_gets_another_token_and_a_server_that_knows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken_over = with_people()
    eve = {**PEOPLE[0], "member": "user:eve@example.com"}
    taken_over["teams"][0]["jupyter"]["people"] = [eve, PEOPLE[1]]
    before, after = (
        {(each.type, each.name): each.inputs for each in record(stack, monkeypatch).registrations}
        for stack in (with_people(), taken_over)
    )
    token = "random:index/randomPassword:RandomPassword"  # noqa: S105  (a type token)
    lab = "kubernetes:apps/v1:Deployment"

    different = {key for key in before if before[key] != after[key]}
    assert {
        (token, "alpha.alice-jupyter-token"),
        (lab, "alpha.alice-jupyter"),
    } == {key for key in different if key[0] in {token, lab}}
    assert "keepers" not in before[token, "alpha-jupyter-token"]
    assert "annotations" not in before[lab, "alpha-jupyter"]["spec"]["template"]["metadata"]


def test_a_person_has_a_protected_home_that_no_other_pod_mounts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = recorded(with_people(), monkeypatch)
    prefixes = ("alpha", "alpha.alice", "alpha.bob")

    for prefix in prefixes:
        claim, lab = found[f"{prefix}-jupyter-home"], found[f"{prefix}-jupyter"]
        assert claim.is_protected
        mounted = [
            volume["persistentVolumeClaim"]["claimName"]
            for volume in lab.inputs["spec"]["template"]["spec"]["volumes"]
            if "persistentVolumeClaim" in volume
        ]
        assert mounted == [claim.inputs["metadata"]["name"], "reference"]
    claims = {found[f"{prefix}-jupyter-home"].inputs["metadata"]["name"] for prefix in prefixes}
    assert len(claims) == len(prefixes)


def test_no_selector_finds_the_pod_of_another_jupyterlab() -> None:
    plan = alpha(
        image=IMAGE,
        members=[each["member"] for each in PEOPLE],
        jupyter={"people": PEOPLE, "cpu": 0.1, "memory_gib": 1},
    )
    labs = labs_of(plan.team)

    for lab in labs:
        found = [each for each in labs if lab.selector.items() <= each.labels.items()]
        assert found == [lab]


def test_the_homes_of_people_outlive_the_teams_retirement(monkeypatch: pytest.MonkeyPatch) -> None:
    retiring = with_people()
    retiring["teams"][0]["retire"] = True
    left = {name for name in recorded(retiring, monkeypatch) if "jupyter" in name}

    assert left == {f"{prefix}-jupyter-home" for prefix in ("alpha", "alpha.alice", "alpha.bob")}
