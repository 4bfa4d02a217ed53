"""Saving: the stage comes to rest, is copied, and goes on."""

import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import httpx

from rehearsal.emulator.quiescence import PATIENCE_S, QUIESCE_PATH
from rehearsal.engine.recovery import has_stale_lock
from rehearsal.errors import RehearsalError
from rehearsal.snapshots.names import DRAFT, new_snapshot
from rehearsal.snapshots.stage_copy import copy_stage
from rehearsal.supervisor.launch import live_supervisor, wake_supervisor
from rehearsal.supervisor.look import start_afresh, what_is_dead
from rehearsal.supervisor.record import SupervisorRecord
from rehearsal.workspace import Workspace

STOPS_WITHIN_S = 120.0
"""A control plane ends in 2 to 5 s; the rest is for a busy machine."""


def save(workspace: Workspace, name: str, *, report: Callable[[str], None]) -> Path:
    """Save the stage that runs under a name, and return where.

    It does not answer meanwhile; processes of Dask pods are ended, and started anew.

    Raises:
        RehearsalError: nothing runs, something is at work on it, or the name cannot be used.

    """
    snapshot = new_snapshot(workspace, name)
    supervisor = live_supervisor(workspace)
    if supervisor is None:
        raise RehearsalError(
            f"No rehearsal of stack {workspace.stack} runs that could be saved. Start one: "
            f"`{workspace.command('up')}`."
        )
    if dead := what_is_dead(workspace):
        raise RehearsalError(dead)
    has_stale_lock(workspace)  # raises when an engine is at work
    report("ending the control plane and the emulated Google APIs, which keep what they have")
    _come_to_rest(workspace, supervisor)
    try:
        report(f"copying {workspace.directory}")
        draft = workspace.saved_dir / DRAFT
        copy_stage(workspace.directory, draft)
        draft.rename(snapshot)
    finally:
        report("starting them again")
        wake_supervisor(workspace)
    return snapshot


def _come_to_rest(workspace: Workspace, supervisor: SupervisorRecord) -> None:
    answer = httpx.post(
        f"{supervisor.base_url}{QUIESCE_PATH}", timeout=2 * PATIENCE_S, trust_env=False
    )
    if answer.status_code == HTTPStatus.CONFLICT:
        raise RehearsalError(
            f"The emulated Google Cloud is at work: {answer.text}. Nothing was saved, and all goes "
            "on; try again when that is done."
        )
    answer.raise_for_status()
    deadline = time.monotonic() + STOPS_WITHIN_S
    while supervisor.process.is_alive and time.monotonic() < deadline:
        time.sleep(0.05)
    if not workspace.rest_file.exists():
        raise RehearsalError(
            f"The supervisor did not come to rest; its last words are in "
            f"{workspace.logs_dir / 'supervisor.log'}. {start_afresh(workspace)}"
        )
