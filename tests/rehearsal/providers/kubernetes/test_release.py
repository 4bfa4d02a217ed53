"""Rehearsal tier: Helm releases by the real Helm on a real API server."""

from pathlib import Path
from typing import Any

import pytest

from rehearsal.providers.kubernetes.api import KubernetesApi
from rehearsal.providers.kubernetes.connection import Connection
from rehearsal.providers.kubernetes.kinds import Kind
from rehearsal.providers.kubernetes.release import HelmRelease
from rehearsal.providers.protocol import (
    UNKNOWN,
    Naming,
    ProviderError,
    ResourceIncompleteError,
    Secret,
    State,
    reveal,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("helm_on_path")]

CONFIG_MAP = Kind("", "v1", "ConfigMap")
NAMING = Naming("paint", b"seed")

BROKEN_TEMPLATE = "kind: {{ .Values.missing.deeply }}\n"
UNSCHEDULABLE = """\
apiVersion: v1
kind: Pod
metadata: {name: "{{ .Release.Name }}"}
spec: {containers: [{name: c, image: does.not/exist}]}
"""


@pytest.fixture
def release(connection: Connection) -> HelmRelease:
    """The resource type on the session's control plane."""
    return HelmRelease(connection)


def checked(release: HelmRelease, **inputs: Any) -> dict[str, Any]:
    answer = release.check(inputs=inputs, old_inputs={}, naming=NAMING)
    assert not answer.failures
    return answer.inputs


def painted(release: HelmRelease, directory: Path, namespace: str) -> dict[str, Any]:
    """Write the chart `paint` and check a release of it."""
    chart = write_chart(directory / "paint")
    return checked(release, chart=chart, name="paint", namespace=namespace)


def test_a_release_lives_from_install_to_uninstall(
    release: HelmRelease, api: KubernetesApi, namespace: str, tmp_path: Path
) -> None:
    inputs = painted(release, tmp_path, namespace)
    state = release.create(inputs=inputs, call=engine_call())
    assert state.id == f"{namespace}/paint"
    assert state.outputs["status"]["status"] == "deployed"
    assert state.outputs["status"]["appVersion"] == "9"
    assert state.outputs["resourceNames"] == {"ConfigMap/v1": ["paint-settings"]}

    refreshed = release.read(stored=state, call=engine_call())
    assert refreshed is not None
    assert not release.diff(old=refreshed, inputs=inputs).changes

    blue = {**inputs, "values": {"colour": "blue"}}
    assert release.diff(old=refreshed, inputs=blue).changes
    state = release.update(old=refreshed, inputs=blue, call=engine_call())
    assert state.outputs["status"]["revision"] == 2
    settings = api.get(CONFIG_MAP, namespace, "paint-settings")
    assert settings is not None
    assert settings["data"] == {"colour": "blue"}

    release.delete(old=state, call=engine_call())
    assert release.read(stored=state, call=engine_call()) is None
    assert api.get(CONFIG_MAP, namespace, "paint-settings") is None
    release.delete(old=state, call=engine_call())


def test_values_that_somebody_else_set_show(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    inputs = painted(release, tmp_path, namespace)
    state = release.create(inputs=inputs, call=engine_call())
    release.update(old=state, inputs={**inputs, "values": {"colour": "pink"}}, call=engine_call())
    live = release.read(stored=state, call=engine_call())
    assert live is not None
    assert list(release.diff(old=live, inputs=inputs).changes) == [("values", "colour")]


def test_an_existing_release_is_not_taken_over(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    inputs = painted(release, tmp_path, namespace)
    release.create(inputs=inputs, call=engine_call())
    with pytest.raises(ProviderError, match="exists already"):
        release.create(inputs=inputs, call=engine_call())


def test_a_new_chart_version_is_an_upgrade(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    inputs = painted(release, tmp_path, namespace)
    state = release.create(inputs=inputs, call=engine_call())
    chart = write_chart(tmp_path / "paint", version="1.1.0")
    newer = checked(release, chart=chart, name="paint", namespace=namespace)
    assert list(release.diff(old=state, inputs=newer).changes) == [("version",)]


def test_changed_files_under_an_old_version_are_pointed_out(
    release: HelmRelease,
    namespace: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    inputs = painted(release, tmp_path, namespace)
    state = release.create(inputs=inputs, call=engine_call())
    (tmp_path / "paint" / "values.yaml").write_text("colour: green\n")
    assert not release.diff(old=state, inputs=inputs).changes
    assert "raise `version` in its Chart.yaml" in capfd.readouterr().err


def test_a_preview_renders_a_local_chart_and_installs_nothing(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    inputs = painted(release, tmp_path, namespace)
    state = release.create(inputs=inputs, call=engine_call(preview=True))
    assert state.outputs["status"] is UNKNOWN
    assert release.read(stored=State(f"{namespace}/paint", inputs, {}), call=engine_call()) is None

    write_chart(tmp_path / "paint", template=BROKEN_TEMPLATE)
    with pytest.raises(ProviderError, match="nil pointer"):
        release.create(inputs=inputs, call=engine_call(preview=True))


def test_a_release_that_does_not_become_ready_stays_in_the_state(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    chart = write_chart(tmp_path / "pod", template=UNSCHEDULABLE)
    inputs = checked(release, chart=chart, name="pod", namespace=namespace, timeout=2)
    with pytest.raises(ResourceIncompleteError) as caught:
        release.create(inputs=inputs, call=engine_call())
    assert caught.value.outputs["status"]["status"] == "failed"


def test_an_atomic_release_that_fails_leaves_nothing(
    release: HelmRelease, namespace: str, tmp_path: Path
) -> None:
    chart = write_chart(tmp_path / "pod", template=UNSCHEDULABLE)
    inputs = checked(release, chart=chart, name="pod", namespace=namespace, timeout=2, atomic=True)
    with pytest.raises(ProviderError) as caught:
        release.create(inputs=inputs, call=engine_call())
    assert not isinstance(caught.value, ResourceIncompleteError)
    assert release.read(stored=State(f"{namespace}/pod", inputs, {}), call=engine_call()) is None


def test_secret_values_reach_the_chart_and_stay_secret(
    release: HelmRelease, api: KubernetesApi, namespace: str, tmp_path: Path
) -> None:
    chart = write_chart(tmp_path / "paint")
    inputs = checked(
        release,
        chart=chart,
        name="paint",
        namespace=namespace,
        values={"colour": Secret("canary-1234")},
    )
    state = release.create(inputs=inputs, call=engine_call())
    assert "canary-1234" not in repr(state.outputs)
    assert "canary-1234" in repr(reveal(state.outputs))
    settings = api.get(CONFIG_MAP, namespace, "paint-settings")
    assert settings is not None
    assert settings["data"] == {"colour": "canary-1234"}
