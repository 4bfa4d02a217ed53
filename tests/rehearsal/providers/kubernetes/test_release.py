"""Rehearsal tier: Helm releases by the real Helm on a real API server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.release import HelmRelease
from rehearsal.providers.protocol import (
    UNKNOWN,
    Call,
    Naming,
    ProviderError,
    ResourceIncompleteError,
    Secret,
    State,
    reveal,
)
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("helm_on_path")]

CONFIG_MAP = Kind("", "v1", "ConfigMap")
NAMING = Naming("paint", b"seed")
MakeCall = Callable[..., Call]

BROKEN_TEMPLATE = "kind: {{ .Values.missing.deeply }}\n"
UNSCHEDULABLE = """\
apiVersion: v1
kind: Pod
metadata: {name: "{{ .Release.Name }}"}
spec: {containers: [{name: c, image: does.not/exist}]}
"""


def checked(release: HelmRelease, **inputs: Any) -> dict[str, Any]:
    answer = release.check(inputs=inputs, old_inputs={}, naming=NAMING)
    assert not answer.failures
    return answer.inputs


def test_a_release_lives_from_install_to_uninstall(
    connection: Connection, api: KubernetesApi, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    state = release.create(inputs=inputs, call=call())
    assert state.id == f"{namespace}/paint"
    assert state.outputs["status"]["status"] == "deployed"
    assert state.outputs["status"]["appVersion"] == "9"
    assert state.outputs["resourceNames"] == {"ConfigMap/v1": ["paint-settings"]}

    refreshed = release.read(stored=state, call=call())
    assert refreshed is not None
    assert not release.diff(old=refreshed, inputs=inputs).changes

    blue = {**inputs, "values": {"colour": "blue"}}
    assert release.diff(old=refreshed, inputs=blue).changes
    state = release.update(old=refreshed, inputs=blue, call=call())
    assert state.outputs["status"]["revision"] == 2
    settings = api.get(CONFIG_MAP, namespace, "paint-settings")
    assert settings is not None
    assert settings["data"] == {"colour": "blue"}

    release.delete(old=state, call=call())
    assert release.read(stored=state, call=call()) is None
    assert api.get(CONFIG_MAP, namespace, "paint-settings") is None
    release.delete(old=state, call=call())


def test_values_that_somebody_else_set_show(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    state = release.create(inputs=inputs, call=call())
    release.update(old=state, inputs={**inputs, "values": {"colour": "pink"}}, call=call())
    live = release.read(stored=state, call=call())
    assert live is not None
    assert list(release.diff(old=live, inputs=inputs).changes) == [("values", "colour")]


def test_an_existing_release_is_not_taken_over(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    release.create(inputs=inputs, call=call())
    with pytest.raises(ProviderError, match="exists already"):
        release.create(inputs=inputs, call=call())


def test_a_new_chart_version_is_an_upgrade(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    state = release.create(inputs=inputs, call=call())
    write_chart(tmp_path / "paint", version="1.1.0")
    newer = checked(release, chart=chart, name="paint", namespace=namespace)
    assert list(release.diff(old=state, inputs=newer).changes) == [("version",)]


def test_changed_files_under_an_old_version_are_pointed_out(
    connection: Connection,
    namespace: str,
    tmp_path: Path,
    call: MakeCall,
    capfd: pytest.CaptureFixture[str],
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    state = release.create(inputs=inputs, call=call())
    (tmp_path / "paint" / "values.yaml").write_text("colour: green\n")
    assert not release.diff(old=state, inputs=inputs).changes
    assert "raise `version` in its Chart.yaml" in capfd.readouterr().err


def test_a_preview_renders_a_local_chart_and_installs_nothing(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(release, chart=chart, name="paint", namespace=namespace)
    state = release.create(inputs=inputs, call=call(preview=True))
    assert state.outputs["status"] is UNKNOWN
    assert release.read(stored=State(f"{namespace}/paint", inputs, {}), call=call()) is None

    write_chart(tmp_path / "paint", template=BROKEN_TEMPLATE)
    with pytest.raises(ProviderError, match="nil pointer"):
        release.create(inputs=inputs, call=call(preview=True))


def test_a_release_that_does_not_become_ready_stays_in_the_state(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "pod", template=UNSCHEDULABLE)
    inputs = checked(release, chart=chart, name="pod", namespace=namespace, timeout=2)
    with pytest.raises(ResourceIncompleteError) as caught:
        release.create(inputs=inputs, call=call())
    assert caught.value.outputs["status"]["status"] == "failed"


def test_an_atomic_release_that_fails_leaves_nothing(
    connection: Connection, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "pod", template=UNSCHEDULABLE)
    inputs = checked(release, chart=chart, name="pod", namespace=namespace, timeout=2, atomic=True)
    with pytest.raises(ProviderError) as caught:
        release.create(inputs=inputs, call=call())
    assert not isinstance(caught.value, ResourceIncompleteError)
    assert release.read(stored=State(f"{namespace}/pod", inputs, {}), call=call()) is None


def test_secret_values_reach_the_chart_and_stay_secret(
    connection: Connection, api: KubernetesApi, namespace: str, tmp_path: Path, call: MakeCall
) -> None:
    release = HelmRelease(connection)
    chart = write_chart(tmp_path / "paint")
    inputs = checked(
        release,
        chart=chart,
        name="paint",
        namespace=namespace,
        values={"colour": Secret("canary-1234")},
    )
    state = release.create(inputs=inputs, call=call())
    assert "canary-1234" not in repr(state.outputs)
    assert "canary-1234" in repr(reveal(state.outputs))
    settings = api.get(CONFIG_MAP, namespace, "paint-settings")
    assert settings is not None
    assert settings["data"] == {"colour": "canary-1234"}
