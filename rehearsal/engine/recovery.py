"""What a killed engine leaves in the state, and how the next ``up`` gets past it."""

import json
import socket
from datetime import datetime
from pathlib import Path

import psutil
from pydantic import BaseModel, ConfigDict

from rehearsal.engine.engine import Engine
from rehearsal.errors import RehearsalError
from rehearsal.workspace import Workspace


class StateLock(BaseModel):
    """A lock of Pulumi's file backend (pulumi/pulumi pkg/backend/diy/lock.go)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    pid: int
    hostname: str
    timestamp: datetime

    @property
    def is_stale(self) -> bool:
        """Whether the engine that took the lock on this machine is gone."""
        if self.hostname != socket.gethostname():
            return False
        try:
            holder = psutil.Process(self.pid)
            if holder.status() == psutil.STATUS_ZOMBIE:
                return True
            # A process younger than the lock only inherited the pid.
            return holder.create_time() > self.timestamp.timestamp() + 1
        except psutil.NoSuchProcess:
            return True


def release_stale_lock(workspace: Workspace, engine: Engine) -> bool:
    """Release the stack's lock if its engine was killed; return whether there was one.

    Raises:
        RehearsalError: an engine is at work on the stack.

    """
    is_locked = has_stale_lock(workspace)
    if is_locked:
        engine.output("cancel", "--yes")
    return is_locked


def has_stale_lock(workspace: Workspace) -> bool:
    """Tell whether the stack is locked by an engine that was killed.

    Raises:
        RehearsalError: an engine is at work on the stack.

    """
    locks = [_read_lock(file) for file in _lock_files(workspace)]
    for lock in locks:
        if not lock.is_stale:
            raise RehearsalError(
                f"Another pulumi (process {lock.pid} on {lock.hostname}) is at work on stack "
                f"{workspace.stack} since {lock.timestamp:%H:%M:%S}. Wait for it, or end it."
            )
    return bool(locks)


def was_killed_while_creating(engine: Engine) -> bool:
    """Tell whether the state holds a creation of which nobody knows how it ended."""
    return has_unfinished_creation(engine.output("stack", "export"))


def has_unfinished_creation(state: str) -> bool:
    """Tell whether an exported state has a creation among its pending operations."""
    deployment = json.loads(state).get("deployment") or {}
    pending = deployment.get("pending_operations") or []
    return any(operation["type"] == "creating" for operation in pending)


def _lock_files(workspace: Workspace) -> list[Path]:
    return sorted((workspace.state_dir / ".pulumi" / "locks").glob("**/*.json"))


def _read_lock(file: Path) -> StateLock:
    return StateLock.model_validate_json(file.read_bytes())
