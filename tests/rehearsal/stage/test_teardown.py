"""Unit: ending a rehearsal that is in any state but a tidy one."""

import subprocess
import sys
from pathlib import Path

from rehearsal.process import ProcessRecord
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.record import ClusterRecord, OperatorRecord, SupervisorRecord
from rehearsal.workspace import Workspace


def sleeper() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_directory_without_any_record_is_just_deleted(tmp_path: Path) -> None:
    workspace = Workspace(project_dir=tmp_path, directory=tmp_path / "stage")
    (workspace.directory / "state").mkdir(parents=True)
    end_rehearsal(workspace, report=print)
    assert not workspace.directory.exists()


def test_what_never_was_can_be_ended(tmp_path: Path) -> None:
    end_rehearsal(Workspace(project_dir=tmp_path, directory=tmp_path / "none"), report=print)


def test_the_operator_and_the_engine_that_a_killed_supervisor_left_are_ended(
    tmp_path: Path,
) -> None:
    workspace = Workspace(project_dir=tmp_path, directory=tmp_path / "stage")
    workspace.directory.mkdir()
    operator, engine = sleeper(), sleeper()
    cluster = ClusterRecord(
        name="c",
        endpoint="127.0.0.1:1",
        kubeconfig=tmp_path / "k",
        audit_log=tmp_path / "a",
        operator=OperatorRecord(
            process=ProcessRecord.of(operator.pid),
            namespace="n",
            service_account="s",
            image="i",
            restarts=0,
            log_file=tmp_path / "l",
        ),
    )
    gone = ProcessRecord(pid=operator.pid, started_at_s=1.0)
    SupervisorRecord(process=gone, base_url="http://127.0.0.1:1", clusters=(cluster,)).write(
        workspace.supervisor_file
    )
    workspace.engine_file.write_text(ProcessRecord.of(engine.pid).model_dump_json())
    end_rehearsal(workspace, report=print)
    assert operator.wait() != 0
    assert engine.wait() != 0
    assert not workspace.directory.exists()
