"""Unit tests: the provider's own arguments, and when they mean another cluster."""

import json
from typing import Any

import pytest

from rehearsal.providers.kubernetes.settings import (
    check_settings,
    diff_settings,
    parse_settings,
)
from rehearsal.providers.protocol import UNKNOWN, Secret


def kubeconfig(server: str, *, user: str = "u", name: str = "c") -> str:
    return json.dumps(
        {
            "clusters": [{"name": name, "cluster": {"server": server}}],
            "users": [{"name": user, "user": {}}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": user}}],
            "current-context": name,
        }
    )


HERE = kubeconfig("https://127.0.0.1:1")
THERE = kubeconfig("https://127.0.0.1:2")


def refused(**inputs: Any) -> dict[str, str]:
    return {item.path: item.reason for item in check_settings({"kubeconfig": HERE, **inputs})}


def test_a_kubeconfig_is_required() -> None:
    (failure,) = check_settings({})
    assert failure.path == "kubeconfig"
    assert "never uses an ambient kubeconfig" in failure.reason


def test_arguments_arrive_as_json_text_and_are_typed() -> None:
    settings = parse_settings(
        {
            "kubeconfig": Secret(HERE),
            "namespace": "team",
            "enableConfigMapMutable": "true",
            "kubeClientSettings": '{"timeout": 5}',
            "helmReleaseSettings": '{"driver": "configmap"}',
        }
    )
    assert settings.kubeconfig == HERE
    assert settings.namespace == "team"
    assert settings.mutability.config_maps
    assert not settings.mutability.secrets
    assert settings.client_timeout_s == 5
    assert settings.helm_environment == {"HELM_DRIVER": "configmap"}


def test_what_is_honoured_passes() -> None:
    assert not refused(
        context="c",
        cluster="c",
        clusterIdentifier="p/z/c",
        namespace="n",
        enableServerSideApply="true",
        suppressHelmHookWarnings="true",
        deleteUnreachable="false",
        kubeClientSettings=UNKNOWN,
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("enableServerSideApply", "false"),
        ("renderYamlToDirectory", "out"),
        ("kubeClientSettings", '{"qps": 50}'),
        ("helmReleaseSettings", '{"colour": "red"}'),
        ("deleteUnreachable", "maybe"),
        ("kubeConfig", "a typing error"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(key: str, value: str) -> None:
    assert list(refused(**{key: value})) == [key]


def replaces(old: dict[str, Any], new: dict[str, Any]) -> bool:
    return diff_settings(old=old, new=new).replaces


def test_an_unchanged_identifier_never_replaces() -> None:
    old = {"kubeconfig": HERE, "clusterIdentifier": "p/z/c"}
    for changed in (THERE, UNKNOWN):
        diff = diff_settings(old=old, new={**old, "kubeconfig": changed})
        assert diff.changes
        assert not diff.replaces


def test_another_identifier_replaces_but_adding_one_does_not() -> None:
    old = {"kubeconfig": HERE, "clusterIdentifier": "a"}
    assert replaces(old, {**old, "clusterIdentifier": "b"})
    assert replaces(old, {**old, "clusterIdentifier": UNKNOWN})
    assert not replaces({"kubeconfig": HERE}, {"kubeconfig": HERE, "clusterIdentifier": "a"})


def test_without_identifier_another_server_replaces_and_another_user_does_not() -> None:
    old = {"kubeconfig": HERE}
    assert replaces(old, {"kubeconfig": THERE})
    assert replaces(old, {"kubeconfig": UNKNOWN})
    renewed = kubeconfig("https://127.0.0.1:1", user="new")
    assert diff_settings(old=old, new={"kubeconfig": renewed}).changes
    assert not replaces(old, {"kubeconfig": renewed})


def test_equal_arguments_have_no_diff() -> None:
    assert not diff_settings(old={"kubeconfig": Secret(HERE)}, new={"kubeconfig": HERE}).changes
