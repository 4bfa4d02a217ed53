"""Unit tests: what reaches Helm's command line, and what is refused."""

from typing import Any

import pytest

from rehearsal.providers.kubernetes.release_inputs import (
    install_arguments,
    refuse,
    uninstall_arguments,
    upgrade_arguments,
    with_defaults,
)

RELEASE: dict[str, Any] = {
    "name": "operator",
    "namespace": "dask-operator",
    "chart": "dask-kubernetes-operator",
    "version": "2026.3.0",
    "repositoryOpts": {"repo": "https://helm.dask.org"},
    "timeout": 120,
}


def test_an_install_names_chart_version_namespace_and_repository() -> None:
    release = {**RELEASE, "skipCrds": True, "createNamespace": True, "atomic": True}
    assert install_arguments(release, values_file="v.json") == [
        "install",
        "operator",
        "dask-kubernetes-operator",
        "--version=2026.3.0",
        "--repo=https://helm.dask.org",
        "--namespace=dask-operator",
        "--values=v.json",
        "--timeout=120s",
        "--wait",
        "--output=json",
        "--atomic",
        "--create-namespace",
        "--skip-crds",
    ]


def test_an_upgrade_may_clean_up_but_never_creates_namespaces() -> None:
    release = {**RELEASE, "cleanupOnFail": True, "createNamespace": True, "skipAwait": True}
    arguments = upgrade_arguments(release, values_file="v.json")
    assert "--cleanup-on-fail" in arguments
    assert "--create-namespace" not in arguments
    assert "--wait" not in arguments


def test_no_value_is_ever_an_argument() -> None:
    release = {**RELEASE, "values": {"password": "canary-1234"}}
    arguments = [
        *install_arguments(release, values_file="v.json"),
        *upgrade_arguments(release, values_file="v.json"),
    ]
    assert not any("canary" in argument for argument in arguments)


def test_an_uninstall_waits_unless_the_program_never_waits() -> None:
    assert "--wait" in uninstall_arguments(RELEASE)
    assert "--wait" not in uninstall_arguments({**RELEASE, "skipAwait": True})
    assert "--wait" in uninstall_arguments({**RELEASE, "skipAwait": True, "atomic": True})


def test_defaults_are_a_name_a_namespace_and_a_time_out() -> None:
    inputs = with_defaults({"chart": "c", "compat": "true"}, name="n", namespace="default")
    assert inputs == {"chart": "c", "name": "n", "namespace": "default", "timeout": 300}
    impatient = with_defaults({"chart": "c", "skipAwait": True}, name="n", namespace="default")
    assert "timeout" not in impatient


@pytest.mark.parametrize("key", ["postrender", "valueYamlFiles", "valuess"])
def test_what_would_not_reach_helm_is_refused(key: str) -> None:
    assert [failure.path for failure in refuse({"chart": "c", key: "x"})] == [key]


def test_a_repository_password_is_refused_with_the_way_out() -> None:
    (failure,) = refuse({"chart": "c", "repositoryOpts": {"repo": "r", "password": "secret"}})
    assert failure.path == "repositoryOpts.password"
    assert "helm repo add" in failure.reason
    assert "secret" not in failure.reason


def test_a_chart_is_required() -> None:
    assert [failure.path for failure in refuse({})] == ["chart"]
