"""End to end: a stage that breaks is told apart from one that works, and always ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from rehearsal.control_plane.layout import Layout
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.launch import launch_supervisor, live_supervisor
from rehearsal.supervisor.look import what_is_dead
from rehearsal.toolchain import Binaries
from rehearsal.workspace import Workspace
from tests.processes_that_may_end import command_line
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.waiting import PATIENCE_S, until
from tests.tiers.long_files import LONG

pytestmark = LONG

CLUSTERS = "container/v1beta1/projects/p/locations/us-central1-c/clusters"


@contextmanager
def served(directory: Path) -> Iterator[Workspace]:
    """A supervisor with one control plane behind it."""
    workspace = Workspace(project_dir=PROJECT_DIR, directory=directory / "stage")
    workspace.clusters_dir.mkdir(parents=True)
    supervisor = launch_supervisor(workspace, latency="fast", dask="place")
    body = {"cluster": {"name": "c", "initialNodeCount": 1}}
    answer = httpx.post(f"{supervisor.base_url}/{CLUSTERS}", json=body, timeout=PATIENCE_S)
    answer.raise_for_status()
    until(lambda: bool(clusters(workspace)))
    yield workspace
    end_rehearsal(workspace, report=print)


@pytest.fixture
def doomed(binaries: Binaries, tmp_path: Path) -> Iterator[Workspace]:
    """A stage for a test that breaks it."""
    del binaries
    with served(tmp_path) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def stage(binaries: Binaries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A stage for those that leave it whole."""
    del binaries
    with served(tmp_path_factory.mktemp("whole")) as workspace:
        yield workspace


def test_a_dead_control_plane_process_is_reported_and_down_still_ends_everything(
    doomed: Workspace,
) -> None:
    assert what_is_dead(doomed) is None
    (scheduler,) = (p for p in processes(doomed) if "kube-scheduler" in p.name())
    scheduler.kill()
    until(lambda: what_is_dead(doomed) is not None)
    assert "kube-scheduler" in (what_is_dead(doomed) or "")
    end_rehearsal(doomed, report=print)
    assert processes(doomed) == []
    assert not doomed.directory.exists()


def test_down_ends_what_a_killed_supervisor_has_left(doomed: Workspace) -> None:
    record = live_supervisor(doomed)
    assert record is not None
    os.kill(record.process.pid, signal.SIGKILL)
    until(lambda: live_supervisor(doomed) is None)
    assert len(processes(doomed)) >= 5
    said: list[str] = []
    end_rehearsal(doomed, report=said.append)
    assert any("etcd" in line for line in said)
    assert processes(doomed) == []


def test_a_second_supervisor_for_the_directory_is_refused(stage: Workspace) -> None:
    command = [sys.executable, "-m", "rehearsal.supervisor", str(stage.directory)]
    second = subprocess.run(
        command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert second.returncode == 1
    assert "already serves" in second.stderr
    assert live_supervisor(stage) is not None


def test_the_tokens_of_the_cluster_are_in_no_log_and_no_argument_list(stage: Workspace) -> None:
    until(stage.token_file.exists)
    layout = Layout(directory=stage.clusters_dir / "c")
    tokens = {stage.token_file.read_text(), layout.tokens.read_text().split(",")[0]}
    logs = [*stage.logs_dir.iterdir(), *layout.logs.iterdir(), layout.audit_log, stage.request_log]
    for token in tokens:
        assert not [log for log in logs if token in log.read_text(errors="replace")]
        assert not [p for p in processes(stage) if token in command_line(p)]


def clusters(workspace: Workspace) -> tuple[object, ...]:
    record = live_supervisor(workspace)
    return record.clusters if record else ()


def processes(workspace: Workspace) -> list[psutil.Process]:
    """Every process that was started with a path in the stage's directory."""
    found = psutil.process_iter(["cmdline"])
    return [p for p in found if str(workspace.directory) in " ".join(p.info["cmdline"] or ())]
