"""Unit: an interrupted program shows no traceback, and one that fails still does."""

import signal
import subprocess
import sys

import pytest

WAITING = """
import asyncio, os, signal
from components.interruption import be_quiet_when_interrupted
be_quiet_when_interrupted()

async def wait():
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
    await asyncio.sleep(60)

loop = asyncio.new_event_loop()
try:
    loop.run_until_complete(wait())
finally:
    loop.close()
"""
FAILING = WAITING.replace("await asyncio.sleep(60)", "raise ValueError('not this one')").replace(
    "asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)", "pass"
)


@pytest.mark.parametrize(
    ("program", "status", "shown"),
    [(WAITING, -signal.SIGINT, ""), (FAILING, 1, "ValueError: not this one\n")],
)
def test_only_an_interrupt_is_quiet(program: str, status: int, shown: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.returncode == status
    assert done.stderr.endswith(shown)
    assert bool(done.stderr) is bool(shown)
