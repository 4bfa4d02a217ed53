"""Unit: where a rehearsal keeps its files, and that nothing in it leads to a real cloud."""

import sys
from pathlib import Path

import pytest

from daskfleet.google_cloud import endpoints as daskfleets
from rehearsal.toolchain import Binaries
from rehearsal.workspace import (
    ENDPOINTS,
    NOT_EMULATED,
    Workspace,
    pulumi_environment,
    rehearsal_variables,
    users_pulumi_home,
)

PROJECT = Path("/project")
BINARIES = Binaries(
    etcd=Path("/tools/etcd/etcd"),
    kube_apiserver=Path("/tools/kubernetes/kube-apiserver"),
    kube_controller_manager=Path("/tools/kubernetes/kube-controller-manager"),
    kube_scheduler=Path("/tools/kubernetes/kube-scheduler"),
    kubectl=Path("/tools/kubectl/kubectl"),
    kwok=Path("/tools/kwok/kwok"),
    helm=Path("/tools/helm/helm"),
    pulumi=Path("/tools/pulumi/pulumi"),
    pulumi_language_python=Path("/tools/pulumi/pulumi-language-python"),
)


def variables(workspace: Workspace) -> dict[str, str]:
    return rehearsal_variables(workspace, base_url="http://127.0.0.1:1234", binaries=BINARIES)


def test_the_auth_plugin_and_this_python_come_before_the_users_own_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    workspace = Workspace.of_stack(PROJECT, "rehearsal")
    assert variables(workspace)["PATH"].split(":") == [
        "/project/.rehearsal/rehearsal/bin",
        str(Path(sys.executable).parent),
        "/tools/pulumi",
        "/tools/helm",
        "/tools/kubectl",
        "/usr/bin",
    ]


def test_setting_the_path_twice_does_not_make_it_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace.of_stack(PROJECT, "rehearsal")
    once = variables(workspace)["PATH"]
    monkeypatch.setenv("PATH", once)
    assert variables(workspace)["PATH"] == once


def test_every_google_endpoint_is_on_the_emulator() -> None:
    found = variables(Workspace.of_stack(PROJECT, "rehearsal"))
    endpoints = {name: url for name, url in found.items() if name.endswith("_ENDPOINT")}
    assert endpoints.keys() == ENDPOINTS.keys() | {
        f"GOOGLE_{name}_CUSTOM_ENDPOINT" for name in NOT_EMULATED
    }
    assert all(url.startswith("http://127.0.0.1:1234/") for url in endpoints.values())


@pytest.mark.parametrize("api", daskfleets.ENDPOINTS)
def test_whatever_daskfleet_asks_of_google_leads_to_the_emulator(api: daskfleets.Api) -> None:
    environment = variables(Workspace.of_stack(PROJECT, "rehearsal"))
    assert daskfleets.base_url(api, environment).startswith("http://127.0.0.1:1234/")


def test_credentials_and_kubeconfigs_of_the_users_shell_do_not_reach_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elsewhere = {
        "GOOGLE_APPLICATION_CREDENTIALS": "/home/me/key.json",
        "GOOGLE_CREDENTIALS": "{}",
        "CLOUDSDK_CORE_PROJECT": "production",
        "PULUMI_ACCESS_TOKEN": "pul-123",
        "KUBECONFIG": "/home/me/.kube/config",
    }
    for name, value in elsewhere.items():
        monkeypatch.setenv(name, value)
    environment = pulumi_environment(
        Workspace.of_stack(PROJECT, "rehearsal"), base_url="http://x", binaries=BINARIES
    )
    assert not elsewhere.keys() & environment.keys()


def test_the_rehearsal_stack_is_used_in_place_and_every_other_as_a_copy() -> None:
    in_place = Workspace.of_stack(PROJECT, "rehearsal")
    assert in_place.own_stack_file is None
    assert "PULUMI_OPTION_CONFIG_FILE" not in variables(in_place)
    copied = Workspace.of_stack(PROJECT, "prod")
    assert copied.own_stack_file == PROJECT / ".rehearsal" / "prod" / "Pulumi.prod.yaml"
    assert variables(copied)["PULUMI_OPTION_CONFIG_FILE"] == str(copied.own_stack_file)


def test_plugins_are_looked_for_at_the_users_pulumi_also_from_within_a_rehearsal_shell(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    workspace = Workspace.of_stack(PROJECT, "rehearsal")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PULUMI_HOME", str(workspace.pulumi_home))
    assert users_pulumi_home(workspace) == tmp_path / ".pulumi"
    monkeypatch.setenv("PULUMI_HOME", "/opt/pulumi")
    assert users_pulumi_home(workspace) == Path("/opt/pulumi")
