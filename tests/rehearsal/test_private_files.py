"""Unit: what a rehearsal writes is for its user alone, under a umask that takes nothing away."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rehearsal.control_plane.exec_programs import write_exec_programs
from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.ports import Ports
from rehearsal.dask_pods.left_over import write_processes
from rehearsal.dask_pods.log_file import LogFile
from rehearsal.emulator.request_log import RequestLog
from rehearsal.engine.engine import Engine, EngineFailedError
from rehearsal.process import ProcessRecord
from rehearsal.progress import Steps, open_console
from rehearsal.providers.install import install_plugins
from rehearsal.report.saved import save_report
from rehearsal.stage.auth_plugin import install_auth_plugin
from rehearsal.stage.stack_file import prepare_stack_file
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.workspace import Workspace
from tests.daskfleet.platform.report.documents import broken
from tests.project import PROJECT_DIR

HERE = ProcessRecord.of(os.getpid())


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def stand_ins(directory: Path) -> None:
    install_plugins(
        pulumi_home=directory / "home",
        choice="stand-in",
        user_pulumi_home=directory / "none",
        pulumi=Path("/nowhere/pulumi"),
        progress=lambda _: None,
    )


def settings(directory: Path) -> None:
    file = PROJECT_DIR / "stacks" / "Pulumi.rehearsal.yaml"
    prepare_stack_file(Workspace(project_dir=directory, directory=directory, config_file=file))


WRITERS: dict[str, Callable[[Path], object]] = {
    "report": lambda here: save_report(broken(), here / "report.json"),
    "supervisor": lambda here: SupervisorRecord(process=HERE, base_url="http://x").write(
        here / "supervisor.json"
    ),
    "settings": settings,
    "login plugin": lambda here: install_auth_plugin(here / "bin", here / "token"),
    "provider plugins": stand_ins,
    "ports": lambda here: Ports.choose(here / "ports.json"),
    "exec programs": lambda here: write_exec_programs(here / "exec"),
    "control plane": lambda here: Layout(directory=here / "cluster").create(),
    "pods": lambda here: write_processes(here, (HERE,)),
    "pod's log": lambda here: LogFile(here / "log" / "0.log"),
    "requests": lambda here: RequestLog(here / "logs" / "requests.jsonl").read(),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_a_writer_leaves_nothing_to_others(write: Callable[[Path], object], tmp_path: Path) -> None:
    write(tmp_path)
    written = {path: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert written
    assert {path for path, mode in written.items() if mode & 0o077} == set()


def test_the_engine_and_its_logs_are_private(tmp_path: Path) -> None:
    workspace = Workspace(project_dir=tmp_path, directory=tmp_path)
    workspace.logs_dir.mkdir()
    pulumi = tmp_path / "pulumi"
    pulumi.write_text(f"#!/bin/sh\numask > {tmp_path}/umask.$1\nexit 1\n")
    pulumi.chmod(0o700)
    engine = Engine(workspace, pulumi=pulumi, environment={})
    with pytest.raises(EngineFailedError), Steps(open_console()).step("up") as step:
        engine.run("up", step=step)

    assert int((tmp_path / "umask.up").read_text(), 8) == 0o077
    logs = {path.name: path.stat().st_mode & 0o777 for path in workspace.logs_dir.iterdir()}
    assert logs == {"pulumi-up.jsonl": 0o600, "pulumi-up.stderr": 0o600}
