"""Unit: what is asked of Helm, and what of its answers stays in the state.

With the real Helm on a real API server: test_release.py.
"""

from pathlib import Path
from typing import Any

import pytest

from rehearsal.providers.kubernetes.helm import EXECUTABLE_VARIABLE, HelmError
from rehearsal.providers.kubernetes.release import HelmRelease, resource_names
from rehearsal.providers.protocol import (
    UNKNOWN,
    Change,
    Naming,
    ProviderError,
    ResourceIncompleteError,
    State,
    reveal,
)
from tests.rehearsal.providers.calls import engine_call
from tests.rehearsal.providers.kubernetes.charts_for_tests import write_chart
from tests.rehearsal.providers.kubernetes.played_helm import METADATA, PlayedHelm, connection

NAMING = Naming("paint", b"seed")
INPUTS = {
    "chart": "oci://example.com/paint",
    "name": "paint",
    "namespace": "n",
    "version": "1.0.0",
    "timeout": 60,
}


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedHelm:
    helm = PlayedHelm(tmp_path)
    helm.write()
    monkeypatch.setenv(EXECUTABLE_VARIABLE, str(helm.executable))
    return helm


@pytest.fixture
def release(played: PlayedHelm) -> HelmRelease:
    assert played.executable.exists()
    return HelmRelease(connection(namespace="team"))


def test_a_release_is_installed_changed_and_uninstalled(
    release: HelmRelease, played: PlayedHelm
) -> None:
    played.tell(next=METADATA)
    state = release.create(inputs={**INPUTS, "values": {"a": 1}}, call=engine_call())
    assert played.read("given") == '{"a": 1}'
    assert state.id == "n/paint"
    assert state.outputs["status"] == METADATA
    assert state.outputs["resourceNames"] == {"ConfigMap/v1": ["n/paint-settings"]}
    assert "checksum" not in state.outputs
    played.tell(next={**METADATA, "revision": 2})
    changed = release.update(old=state, inputs=INPUTS, call=engine_call())
    assert changed.outputs["status"]["revision"] == 2
    release.delete(old=changed, call=engine_call())
    release.delete(old=changed, call=engine_call())
    assert played.calls == [
        "install paint oci://example.com/paint",
        "upgrade paint oci://example.com/paint",
        "uninstall paint",
    ]


def test_a_release_that_is_there_is_not_taken_over(
    release: HelmRelease, played: PlayedHelm
) -> None:
    played.tell(release=METADATA)
    with pytest.raises(ProviderError, match="paint exists already in namespace n"):
        release.create(inputs=INPUTS, call=engine_call())
    assert played.calls == []


def test_a_release_that_failed_half_way_stays_in_the_state(
    release: HelmRelease, played: PlayedHelm
) -> None:
    played.tell(next={**METADATA, "status": "failed"}, fails="Error: timed out\n")
    with pytest.raises(ResourceIncompleteError) as caught:
        release.create(inputs=INPUTS, call=engine_call())
    assert caught.value.resource_id == "n/paint"
    assert caught.value.outputs["status"]["status"] == "failed"
    assert "timed out" in caught.value.reasons[0]


@pytest.mark.parametrize("before", [None, METADATA], ids=["install", "upgrade"])
def test_a_release_that_helm_has_not_touched_is_only_an_error(
    release: HelmRelease, played: PlayedHelm, before: dict[str, object] | None
) -> None:
    played.tell(fails="Error: no such chart\n", **({"release": before} if before else {}))
    change = release.update if before else release.create
    known: Any = {"old": State("n/paint", INPUTS, {})} if before else {}
    with pytest.raises(HelmError, match="no such chart"):
        change(**known, inputs=INPUTS, call=engine_call())


def test_a_release_that_is_gone_right_after_it_was_made_is_said(
    release: HelmRelease, played: PlayedHelm
) -> None:
    with pytest.raises(ProviderError, match="paint is gone right after Helm made it"):
        release.create(inputs=INPUTS, call=engine_call())
    assert len(played.calls) == 1


def test_another_version_and_other_values_show_as_drift(
    release: HelmRelease, played: PlayedHelm
) -> None:
    stored = State("n/paint", {**INPUTS, "values": {"a": 1}}, {"checksum": "c"})
    assert release.read(stored=stored, call=engine_call()) is None
    played.tell(release=METADATA, values={"a": 1})
    same = release.read(stored=stored, call=engine_call())
    played.tell(release={**METADATA, "version": "2.0.0"}, values={"a": 2})
    drifted = release.read(stored=stored, call=engine_call())
    imported = release.read(stored=State("n/paint", {}, {}), call=engine_call())
    assert same is not None
    assert drifted is not None
    assert imported is not None
    assert same.inputs == stored.inputs
    assert same.outputs["checksum"] == "c"
    assert (drifted.inputs["version"], drifted.inputs["values"]) == ("2.0.0", {"a": 2})
    assert (imported.inputs["chart"], imported.inputs["namespace"]) == ("paint", "n")


def test_values_that_are_empty_on_both_sides_are_the_same(
    release: HelmRelease, played: PlayedHelm
) -> None:
    played.tell(release=METADATA, values="null")
    read = release.read(stored=State("n/paint", INPUTS, {}), call=engine_call())
    assert read is not None
    assert "values" not in read.inputs


def test_what_helm_cannot_tell_is_no_release_that_is_gone(
    release: HelmRelease, played: PlayedHelm
) -> None:
    script = played.executable.read_text().replace("release: not found", "no connection")
    played.executable.write_text(script)
    with pytest.raises(HelmError, match="no connection"):
        release.read(stored=State("n/paint", INPUTS, {}), call=engine_call())


def test_names_and_the_charts_version_are_filled_in(
    release: HelmRelease, played: PlayedHelm, tmp_path: Path
) -> None:
    played.tell(chart="name: paint\nversion: 3.2.1\n")

    def checked(**inputs: Any) -> dict[str, Any]:
        answer = release.check(inputs=inputs, old_inputs={}, naming=NAMING)
        assert not answer.failures
        return answer.inputs

    looked_up = checked(chart="repository/paint")
    assert (looked_up["version"], looked_up["namespace"]) == ("3.2.1", "team")
    assert looked_up["name"].startswith("paint-")
    assert checked(chart="repository/paint", version="1.0.0")["version"] == "1.0.0"
    assert checked(chart=write_chart(tmp_path / "paint"))["version"] == "1.0.0"
    assert "version" not in checked(chart="repository/paint", name=UNKNOWN)
    assert played.calls == ["show chart repository/paint"]


def test_a_name_that_was_given_once_stays(release: HelmRelease) -> None:
    inputs = {"chart": "repository/paint", "version": "1"}
    again = release.check(inputs=inputs, old_inputs={"name": "paint-1a2b"}, naming=NAMING)
    assert again.inputs["name"] == "paint-1a2b"


def test_a_chart_that_cannot_be_looked_up_is_refused(release: HelmRelease, tmp_path: Path) -> None:
    inputs = {"chart": str(tmp_path / "no-such-chart"), "name": "paint"}
    (failure,) = release.check(inputs=inputs, old_inputs={}, naming=NAMING).failures
    assert failure.path == "chart"


@pytest.mark.parametrize("is_new", [True, False])
def test_a_preview_renders_a_chart_of_this_machine_and_asks_for_no_change(
    release: HelmRelease, played: PlayedHelm, tmp_path: Path, *, is_new: bool
) -> None:
    inputs = {**INPUTS, "chart": write_chart(tmp_path / "paint"), "values": {"a": 1}}
    call = engine_call(preview=True)
    state = (
        release.create(inputs=inputs, call=call)
        if is_new
        else release.update(old=State("n/paint", {}, {}), inputs=inputs, call=call)
    )
    assert state.id == ("" if is_new else "n/paint")
    assert state.outputs["status"] is UNKNOWN
    assert reveal(state.outputs)["__inputs"] == inputs
    assert [each.split()[0] for each in played.calls] == ["template"]
    assert "--kube-version=v1.36.3" in played.read("calls")
    assert played.read("given") == '{"a": 1}'


@pytest.mark.parametrize("inputs", [INPUTS, {**INPUTS, "chart": "./paint", "values": UNKNOWN}])
def test_a_preview_renders_nothing_that_it_would_have_to_fetch_or_guess(
    release: HelmRelease, played: PlayedHelm, inputs: dict[str, Any]
) -> None:
    release.create(inputs=inputs, call=engine_call(preview=True))
    assert not (played.directory / "calls").exists()


def test_another_name_is_another_release_and_another_version_is_not(release: HelmRelease) -> None:
    old = State("n/paint", INPUTS, {})
    renamed = release.diff(old=old, inputs={**INPUTS, "name": "other"}).changes
    raised = release.diff(old=old, inputs={**INPUTS, "version": "2.0.0"}).changes
    assert renamed == {("name",): Change.UPDATE_REPLACE}
    assert raised == {("version",): Change.UPDATE}


def test_files_that_change_without_the_charts_version_are_warned_of(
    release: HelmRelease,
    played: PlayedHelm,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chart = write_chart(tmp_path / "paint")
    played.tell(next=METADATA)
    inputs = {**INPUTS, "chart": chart}
    state = release.create(inputs=inputs, call=engine_call())
    release.diff(old=state, inputs=inputs)
    assert capsys.readouterr().err == ""
    write_chart(tmp_path / "paint", template="# nothing\n")
    release.diff(old=state, inputs={**inputs, "timeout": 61})
    assert capsys.readouterr().err == ""
    release.diff(old=state, inputs=inputs)
    assert "its version 1.0.0 did not, so release paint is not upgraded" in capsys.readouterr().err


def test_names_of_a_manifest_are_grouped_by_kind_and_api() -> None:
    manifest = (
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b, namespace: n}\n"
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n---\n"
    )
    assert resource_names(manifest) == {"Deployment.apps/apps/v1": ["a", "n/b"]}
