"""Rehearsal tests: starting, dying, stopping, and what is left."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import psutil
import pytest

from rehearsal.control_plane import ControlPlaneError, stop_left_over
from rehearsal.control_plane.ports import Ports
from rehearsal.toolchain import Binaries
from tests.rehearsal.control_plane.conftest import ApiClient, make_control_plane
from tests.tiers.long_files import LONG

pytestmark = LONG

PATIENCE_S = 60
STARTED = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"]
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"


def running_in(directory: Path) -> list[str]:
    """Look at all processes, so that an unrecorded one is found too."""
    found = []
    for process in psutil.process_iter():
        try:
            if str(directory) in " ".join(process.cmdline()) and process.pid != os.getpid():
                found.append(process.name())
        except psutil.Error:
            continue
    return found


def process_id_of(name: str, directory: Path) -> int:
    records = json.loads((directory / "processes.json").read_text("utf-8"))
    return int(next(record["process_id"] for record in records if record["name"] == name))


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "cluster"
    stop_left_over(tmp_path / "cluster")


def test_a_restart_finds_the_same_cluster_and_stopping_leaves_nothing(
    binaries: Binaries, directory: Path
) -> None:
    control_plane = make_control_plane(binaries, directory)
    control_plane.start()
    known = (control_plane.endpoint, control_plane.ca_certificate, control_plane.client_token)
    with ApiClient(control_plane, token=control_plane.client_token) as api:
        api.create(CONFIGMAPS, {"metadata": {"name": "kept"}})
    control_plane.stop()
    assert running_in(directory) == []
    with pytest.raises(ControlPlaneError, match="is stopped"):
        _ = control_plane.endpoint

    again = make_control_plane(binaries, directory)
    again.start()
    assert (again.endpoint, again.ca_certificate, again.client_token) == known
    with ApiClient(again, token=again.client_token) as api:
        assert api.get(f"{CONFIGMAPS}/kept").is_success
    with pytest.raises(ControlPlaneError, match="already running"):
        again.start()
    again.stop()
    assert running_in(directory) == []


def test_a_killed_api_server_is_reported_and_the_rest_still_stops(
    binaries: Binaries, directory: Path
) -> None:
    control_plane = make_control_plane(binaries, directory)
    control_plane.start()
    assert control_plane.dead_processes() == ()
    os.kill(process_id_of("kube-apiserver", directory), signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE_S
    while not (dead := {one.name: one for one in control_plane.dead_processes()}):
        assert time.monotonic() < deadline
    assert dead["kube-apiserver"].exit_code == -signal.SIGKILL
    assert dead["kube-apiserver"].last_lines
    control_plane.stop()
    assert running_in(directory) == []


def test_a_restarted_process_serves_the_same_objects(binaries: Binaries, directory: Path) -> None:
    control_plane = make_control_plane(binaries, directory)
    control_plane.start()
    with ApiClient(control_plane, token=control_plane.client_token) as api:
        api.create(CONFIGMAPS, {"metadata": {"name": "kept"}})
    for name in ("etcd", "kube-apiserver"):
        before = process_id_of(name, directory)
        control_plane.restart(name)
        assert process_id_of(name, directory) != before
        assert control_plane.dead_processes() == ()
        with ApiClient(control_plane, token=control_plane.client_token) as api:
            assert api.get(f"{CONFIGMAPS}/kept").is_success
    with pytest.raises(ControlPlaneError, match="no process sshd"):
        control_plane.restart("sshd")
    control_plane.stop()
    assert running_in(directory) == []


def start_and_crash(binaries: Binaries, directory: Path) -> None:
    make_control_plane(binaries, directory).start()
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_a_killed_owner_left_is_cleaned_by_the_next_start(
    binaries: Binaries, directory: Path
) -> None:
    owner = get_context("spawn").Process(target=start_and_crash, args=(binaries, directory))
    owner.start()
    owner.join()
    assert owner.exitcode == -signal.SIGKILL
    assert sorted(running_in(directory)) == sorted(STARTED)
    control_plane = make_control_plane(binaries, directory)
    control_plane.start()
    assert sorted(running_in(directory)) == sorted(STARTED)
    assert stop_left_over(directory) == tuple(reversed(STARTED))
    assert running_in(directory) == []


def test_a_component_that_ends_at_once_is_named_with_its_last_words(
    binaries: Binaries, directory: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "kube-scheduler"
    broken.write_text("#!/bin/sh\necho no such flag; exit 2\n", encoding="utf-8")
    broken.chmod(0o755)
    control_plane = make_control_plane(replace(binaries, kube_scheduler=broken), directory)
    with pytest.raises(
        ControlPlaneError, match=r"(?s)kube-scheduler ended with exit code 2.*no such flag"
    ):
        control_plane.start()
    assert running_in(directory) == []


def test_a_port_lost_to_another_program_costs_another_try(
    binaries: Binaries, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Ports.choose
    with socket.create_server(("127.0.0.1", 0)) as thief:
        stolen = thief.getsockname()[1]
        losses = iter([{"api_server": stolen}, {}])
        monkeypatch.setattr(
            Ports, "choose", lambda known, **_: replace(choose(known), **next(losses))
        )
        control_plane = make_control_plane(binaries, directory)
        control_plane.start()
    assert control_plane.endpoint != f"127.0.0.1:{stolen}"
    control_plane.stop()


def test_a_race_that_kwok_loses_at_its_start_costs_another_try(
    binaries: Binaries, directory: Path, tmp_path: Path
) -> None:
    unlucky = tmp_path / "kwok"
    was_started = tmp_path / "was-started"
    unlucky.write_text(
        f'#!/bin/sh\n[ -e {was_started} ] && exec {binaries.kwok} "$@"\n'
        f"touch {was_started}; echo 'fatal error: concurrent map writes'; exit 2\n",
        encoding="utf-8",
    )
    unlucky.chmod(0o755)
    control_plane = make_control_plane(replace(binaries, kwok=unlucky), directory)
    control_plane.start()
    assert was_started.exists()
    assert control_plane.dead_processes() == ()
    control_plane.stop()
