"""Unit: which locks of the state are stale, and when nobody knows what exists."""

import json
import os
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import psutil
import pytest

from rehearsal.engine.recovery import StateLock, has_unfinished_creation


def lock(*, pid: int, age: timedelta = timedelta(), hostname: str = "") -> StateLock:
    return StateLock(
        pid=pid, hostname=hostname or socket.gethostname(), timestamp=datetime.now(UTC) - age
    )


def test_the_lock_of_a_living_process_is_respected() -> None:
    assert not lock(pid=os.getpid()).is_stale


def test_the_lock_of_a_process_that_is_gone_is_stale() -> None:
    assert lock(pid=2**22 + 1).is_stale


def test_the_lock_of_a_process_that_nobody_has_buried_is_stale() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        while psutil.Process(ended.pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
        assert lock(pid=ended.pid).is_stale


def test_a_process_younger_than_the_lock_only_inherited_its_pid() -> None:
    assert lock(pid=os.getpid(), age=timedelta(days=400)).is_stale


def test_the_lock_of_another_machine_is_never_stale() -> None:
    assert not lock(pid=2**22 + 1, hostname="elsewhere").is_stale


@pytest.mark.parametrize(
    ("deployment", "unfinished"),
    [
        (None, False),
        ({}, False),
        ({"pending_operations": []}, False),
        ({"pending_operations": [{"type": "updating"}]}, False),
        ({"pending_operations": [{"type": "creating"}]}, True),
    ],
)
def test_only_an_unfinished_creation_leaves_something_unknown(
    deployment: dict[str, object] | None,
    unfinished: bool,  # noqa: FBT001 - a column of the table above
) -> None:
    assert (
        has_unfinished_creation(json.dumps({"version": 3, "deployment": deployment})) is unfinished
    )
