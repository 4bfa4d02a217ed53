"""Unit: one supervisor per directory, its record, and its options."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rehearsal.emulator import Latency
from rehearsal.errors import RehearsalError
from rehearsal.process import ProcessRecord
from rehearsal.supervisor import launch
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.supervisor.lock import only_supervisor
from rehearsal.supervisor.look import cluster_named, what_is_dead
from rehearsal.supervisor.record import (
    ClusterRecord,
    DeadProcessRecord,
    OperatorRecord,
    SupervisorRecord,
    read_record,
)
from rehearsal.supervisor.serve import parse_latency
from rehearsal.workspace import Workspace
from tests.project import PROJECT_DIR

HOLD = """
import sys; from pathlib import Path; from rehearsal.supervisor.lock import only_supervisor
with only_supervisor(Path(sys.argv[1])): print(flush=True); sys.stdin.read()
"""
HERE = ProcessRecord.of(os.getpid())


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty stage."""
    made = Workspace(project_dir=tmp_path, directory=tmp_path / "stage")
    made.directory.mkdir()
    return made


def cluster(workspace: Workspace, *dead: DeadProcessRecord) -> ClusterRecord:
    return ClusterRecord(
        name="rapids-gpu",
        endpoint="127.0.0.1:1",
        kubeconfig=workspace.directory / "kubeconfig",
        audit_log=workspace.directory / "audit.log",
        dead_processes=dead,
    )


def test_a_second_supervisor_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(RehearsalError, match=rf"process {holder.pid}\) already serves"):
            only_supervisor(tmp_path).__enter__()
        holder.kill()
    with only_supervisor(tmp_path):
        assert (tmp_path / "supervisor.lock").read_text() == str(os.getpid())


def test_ctrl_c_while_a_supervisor_starts_leaves_none(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def interrupted(process: "subprocess.Popen[bytes]", *_: object, **__: object) -> None:
        started.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(launch, "_wait_for_record", interrupted)
    here = Workspace(project_dir=PROJECT_DIR, directory=workspace.directory)
    with pytest.raises(KeyboardInterrupt):
        launch.launch_supervisor(here, latency="fast", dask="place")
    assert started[0].wait(timeout=10) == -signal.SIGTERM


def test_a_record_is_read_as_it_was_written(workspace: Workspace) -> None:
    record = SupervisorRecord(process=HERE, base_url="http://x", clusters=(cluster(workspace),))
    record.write(workspace.supervisor_file)
    assert read_record(workspace.supervisor_file) == record
    assert live_supervisor(workspace) == record


def test_the_record_of_a_supervisor_that_was_killed_is_not_alive(workspace: Workspace) -> None:
    earlier = ProcessRecord(pid=os.getpid(), started_at_s=1.0)
    SupervisorRecord(process=earlier, base_url="http://x").write(workspace.supervisor_file)
    assert live_supervisor(workspace) is None
    assert "supervisor has ended" in (what_is_dead(workspace) or "")


def test_a_dead_control_plane_process_is_named_with_its_log_and_the_way_out(
    workspace: Workspace,
) -> None:
    dead = DeadProcessRecord(name="etcd", exit_code=-9, log_file=Path("/logs/etcd.log"))
    SupervisorRecord(process=HERE, base_url="http://x", clusters=(cluster(workspace, dead),)).write(
        workspace.supervisor_file
    )
    message = what_is_dead(workspace) or ""
    for word in ("etcd", "-9", "/logs/etcd.log", "daskfleet rehearse down"):
        assert word in message


def test_an_operator_that_ends_soon_after_each_start_is_told_with_its_log(
    workspace: Workspace,
) -> None:
    gone = ProcessRecord(pid=os.getpid(), started_at_s=1.0)

    def message(process: ProcessRecord, failures: int) -> str:
        operator = OperatorRecord(
            process=process,
            namespace="dask-operator",
            service_account="dask-kubernetes-operator",
            image="i",
            restarts=failures,
            failures_in_a_row=failures,
            log_file=Path("/logs/operator.log"),
        )
        clusters = (cluster(workspace).model_copy(update={"operator": operator}),)
        record = SupervisorRecord(process=HERE, base_url="http://x", clusters=clusters)
        record.write(workspace.supervisor_file)
        return what_is_dead(workspace) or ""

    assert "/logs/operator.log" in message(gone, failures=3)
    assert message(gone, failures=1) == message(HERE, failures=3) == ""


def test_all_is_well_while_every_process_runs(workspace: Workspace) -> None:
    record = SupervisorRecord(process=HERE, base_url="http://x", clusters=(cluster(workspace),))
    record.write(workspace.supervisor_file)
    assert what_is_dead(workspace) is None
    assert cluster_named(record, "rapids-gpu") == record.clusters[0]
    with pytest.raises(RehearsalError, match="no cluster other"):
        cluster_named(record, "other")


def test_latency_is_fast_or_scaled_by_a_positive_number() -> None:
    assert parse_latency("fast") == Latency.fast()
    assert parse_latency("scaled:60") == Latency.scaled(60)
    divisors = ("", "x", "0", "-1", "nan", "inf")
    for wrong in ("slow", "scaled", *(f"scaled:{divisor}" for divisor in divisors)):
        with pytest.raises(RehearsalError, match="--latency"):
            parse_latency(wrong)
