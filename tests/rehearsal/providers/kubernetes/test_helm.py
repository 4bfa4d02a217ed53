"""Unit: how Helm is run. Helm itself is played; the real one is in test_release.py."""

import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from rehearsal.providers.kubernetes.helm import EXECUTABLE_VARIABLE, VALUES, Helm, HelmError
from rehearsal.providers.protocol import OperationCancelledError
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.played_helm import PlayedHelm, connection


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedHelm:
    helm = PlayedHelm(tmp_path)
    helm.write()
    monkeypatch.setenv(EXECUTABLE_VARIABLE, str(helm.executable))
    return helm


def test_helm_gets_the_providers_cluster_and_nothing_of_the_shells(
    played: PlayedHelm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELM_KUBECONTEXT", "production")
    monkeypatch.setenv("HELM_NAMESPACE", "kube-system")
    monkeypatch.setenv("HELM_DEBUG", "0")

    said = Helm(connection(helm_environment={"HELM_DRIVER": "secret"})).read(["version"])

    environment = played.read("environment").splitlines()
    assert said == "done\n"
    assert not [each for each in environment if each.startswith(("HELM_KUBE", "HELM_NAMESPACE"))]
    assert {"HELM_DRIVER=secret", "HELM_DEBUG=0"} <= set(environment)
    assert "current-context: mine" in played.read("kubeconfig")
    assert played.read("mode") == "600\n"


def test_a_failure_is_helms_own_text_without_its_warnings(played: PlayedHelm) -> None:
    played.tell(fails="WARNING: group-readable\nError: no such chart\nat all\n")
    helm = Helm(connection())

    with pytest.raises(HelmError, match=r"^helm template: no such chart\nat all$"):
        helm.read(["template", "paint"])
    with pytest.raises(HelmError, match=r"^helm install: no such chart\nat all$"):
        helm.run(["install", "paint"], values={}, timeout_s=60, call=engine_call())


def test_values_travel_in_a_file(played: PlayedHelm) -> None:
    said: list[str] = []
    call = replace(engine_call(), report=said.append)
    arguments = ["install", "paint", f"--values={VALUES}"]

    Helm(connection()).run(arguments, values={"colour": "red"}, timeout_s=60, call=call)
    Helm(connection()).read_with_values(["template", f"--values={VALUES}"], {"colour": "blue"})

    assert said == ["helm install"]
    assert played.read("given") == '{"colour": "blue"}'
    assert VALUES not in played.read("calls")


def test_who_cancels_ends_helm(played: PlayedHelm) -> None:
    played.tell(hang="")
    cancelled = threading.Event()
    cancelled.set()
    call = replace(engine_call(), cancelled=cancelled)
    begin = time.monotonic()

    with pytest.raises(OperationCancelledError, match="helm install"):
        Helm(connection()).run(["install", "paint"], values={}, timeout_s=600, call=call)

    assert time.monotonic() - begin < 300


def test_without_helm_it_is_said_how_to_name_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(EXECUTABLE_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(HelmError, match=f"helm is not on PATH and {EXECUTABLE_VARIABLE} is not"):
        Helm(connection()).read(["version"])
