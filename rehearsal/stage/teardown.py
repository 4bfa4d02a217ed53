"""Ending a rehearsal, in whatever state it was left."""

import shutil
from collections.abc import Callable

from rehearsal.control_plane import stop_left_over
from rehearsal.dask_pods.left_over import end_left_over
from rehearsal.process import ProcessRecord
from rehearsal.supervisor.record import read_record
from rehearsal.workspace import Workspace


def end_rehearsal(workspace: Workspace, *, report: Callable[[str], None]) -> None:
    """End every process that the rehearsal recorded, and delete its directory.

    Works on a rehearsal that runs, that was killed, or that never came up; what is gone already
    is no error. Nothing is ended but by recorded pid and start time.
    """
    end_engine(workspace, report=report)
    record = read_record(workspace.supervisor_file)
    if record is not None:
        report("ending the control plane and the emulated Google APIs")
        record.process.end()
        # A killed supervisor leaves its operators behind.
        for cluster in record.clusters:
            if cluster.operator is not None:
                cluster.operator.process.end()
    for directory in sorted(workspace.dask_pods_dir.glob("*")):
        if count := end_left_over(directory):
            report(f"ended {count} processes of Dask pods, left behind by a killed supervisor")
    for directory in sorted(workspace.clusters_dir.glob("*")):
        for name in stop_left_over(directory):
            report(f"ended {name}, left behind by a killed supervisor")
    if workspace.directory.exists():
        shutil.rmtree(workspace.directory)


def end_engine(workspace: Workspace, *, report: Callable[[str], None]) -> None:
    """End the engine that a ``rehearse up`` has started, if it runs; that ``up`` then fails."""
    if not workspace.engine_file.exists():
        return
    engine = ProcessRecord.model_validate_json(workspace.engine_file.read_bytes())
    if engine.is_alive:
        report(f"ending pulumi (process {engine.pid})")
        engine.end()
