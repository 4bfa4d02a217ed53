"""Unit: a JupyterLab has a token, a home that is kept, and no way in but port-forward."""

import json
from copy import deepcopy
from typing import Any

import pytest

from manifests import jupyter_pod
from manifests.network_policy import default_deny
from tests.components.fleets import alpha
from tests.recorded_program import Registration, record
from tests.setting_changes import BASE

IMAGE = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"


def pod() -> dict[str, Any]:
    plan = alpha(image=IMAGE, jupyter={})
    assert plan.jupyter is not None
    return jupyter_pod.pod_spec(plan, plan.jupyter, system_pool="system")


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
    with_gpu = jupyter_pod.pod_spec(plan, plan.jupyter, system_pool="system")

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
    spec = jupyter_pod.pod_spec(plan, plan.jupyter, system_pool="system")
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
    labels = jupyter_pod.labels(alpha(image=IMAGE, jupyter={}, labels={"cost-center": "cc-1"}))
    assert labels["cost-center"] == "cc-1"
    assert not any(label.startswith("dask.org/") for label in labels)
    assert default_deny()["podSelector"] == {}
