"""Putting a snapshot in the place of a stage, from where `set_stage` goes on with it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from rehearsal.control_plane import ControlPlaneError
from rehearsal.control_plane.layout import Layout
from rehearsal.control_plane.ports import listen
from rehearsal.errors import RehearsalError
from rehearsal.snapshots.stage_copy import copy_stage
from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.at_rest import AtRest, read_at_rest
from rehearsal.supervisor.record import read_record
from rehearsal.workspace import Workspace


def put_back(workspace: Workspace, snapshot: Path, *, report: Callable[[str], None]) -> None:
    """End what runs of the stage, and put the snapshot in its place, at rest.

    It may be the snapshot of a stage in another directory, unless that one runs: the ports of a
    stage are in Pulumi's state, in its kubeconfigs, and in the links of Google's resources.

    Raises:
        RehearsalError: it cannot be used, here or now. What runs, runs on.

    """
    saved = replace(workspace, directory=snapshot)
    at_rest = read_at_rest(saved.rest_file)
    _check_disks(saved, at_rest, workspace)
    _check_ports(_ports(saved, at_rest.port) - _own_ports(workspace))
    report(f"copying {snapshot}")
    # Hidden, which no stack's directory is.
    draft = workspace.directory.with_name(f".{workspace.directory.name}.new")
    copy_stage(snapshot, draft)
    end_rehearsal(workspace, report=report)
    draft.rename(workspace.directory)


def _check_disks(saved: Workspace, at_rest: AtRest, workspace: Workspace) -> None:
    """Volumes name the directory that they are; no API server lets that be changed."""
    has_disks = any(saved.disks_dir.glob("*/*"))
    if has_disks and at_rest.directory != workspace.directory.resolve():
        raise RehearsalError(
            f"{saved.directory} has persistent volumes, whose directories are in "
            f"{at_rest.directory}: it cannot be used in {workspace.directory}."
        )


def _check_ports(ports: set[int]) -> None:
    for port in sorted(ports):
        try:
            listen(port).close()
        except ControlPlaneError as error:
            raise RehearsalError(
                f"{error} What was saved is known by that port, in Pulumi's state for example, and "
                "can use no other. End that program (`ss -ltnp` names it), or come up anew."
            ) from error


def _own_ports(workspace: Workspace) -> set[int]:
    """Return the ports that will be free when the stage has ended."""
    record = read_record(workspace.supervisor_file)
    return _ports(workspace, urlsplit(record.base_url).port if record else None)


def _ports(stage: Workspace, google: int | None) -> set[int]:
    files = (Layout(directory=cluster).ports for cluster in stage.clusters_dir.glob("*"))
    ports = {port for file in files for port in json.loads(file.read_bytes()).values()}
    return ports | ({google} if google else set())
