"""Unit: commands of this machine beside each other; none outlives its look-up."""

import asyncio
import time
from pathlib import Path

import psutil
import pytest

from daskfleet.access.processes import started
from daskfleet.platform.doctor import commands
from daskfleet.platform.doctor.errors import NotLookedAtError

NOTES_ITS_ID = ("sh", "-c", "echo $$ > id; exec sleep 600")


def is_gone(directory: Path) -> bool:
    return not psutil.pid_exists(int((directory / "id").read_text()))


def test_a_command_that_hangs_is_ended_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LONGEST_S", 1)
    running = started(NOTES_ITS_ID, directory=tmp_path)
    with pytest.raises(NotLookedAtError, match="`pulumi whoami` did not end within 1 s"):
        asyncio.run(commands.ended("pulumi whoami", running))
    assert is_gone(tmp_path)


def test_a_command_that_nobody_waits_for_any_more_is_ended(tmp_path: Path) -> None:
    async def begin_and_cancel() -> None:
        running = started(NOTES_ITS_ID, directory=tmp_path)
        task = asyncio.create_task(commands.ended("pulumi whoami", running))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    begun = time.monotonic()
    asyncio.run(begin_and_cancel())
    assert is_gone(tmp_path)
    assert time.monotonic() - begun < 30
