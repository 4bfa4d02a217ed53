"""Integration: a program that was a client is as before, and ends as any."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daskfleet.team.connect.api_server import Namespace
from tests.project import PROJECT_DIR

CONNECT = """
import operator, os, threading, warnings
import distributed  # what it opens for itself is not of the tunnel
import daskfleet

def held():
    links = (os.path.join("/proc/self/fd", each) for each in os.listdir("/proc/self/fd"))
    return {os.readlink(each) for each in links if os.path.exists(each)}

def left(before):
    threads = [each.name for each in threading.enumerate() if each is not threading.main_thread()]
    sockets = [each for each in held() - before if each.startswith("socket")]
    return [each for each in threads if "daskfleet" in each or "AnyIO" in each], sockets

filters, before = list(warnings.filters), held()
client = daskfleet.connect("fraud")
assert client.submit(operator.add, 40, 2, pure=False).result(timeout=30) == 42
"""
CLOSE = """
warnings.filterwarnings("ignore", message="of the program's own")
client.close()
print(left(before), warnings.filters[0][1].pattern)
"""


@pytest.fixture
def home(namespace: Namespace, tmp_path: Path) -> Iterator[Path]:
    """A member's folder; what is made in its ``tmp`` is seen."""
    del namespace
    (tmp_path / "tmp").mkdir()
    yield tmp_path
    assert list((tmp_path / "tmp").iterdir()) == []


def run(program: str, home: Path) -> subprocess.CompletedProcess[str]:
    variables = {
        "KUBECONFIG": str(home / "kubeconfig"),
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "PYTHONPATH": str(PROJECT_DIR),
    }
    return subprocess.run(
        [sys.executable, "-c", program],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_after_it_is_closed_no_thread_no_socket_and_no_file_is_left(home: Path) -> None:
    done = run(CONNECT + CLOSE, home)
    assert (done.stdout, done.stderr) == ("([], []) of the program's own\n", "")


def test_a_program_that_does_not_close_it_ends_at_once_and_without_a_word(home: Path) -> None:
    done = run(CONNECT, home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nor_does_one_with_an_event_loop_of_its_own(home: Path) -> None:
    done = run(
        """
import asyncio, daskfleet
async def main():
    client = await daskfleet.connect("fraud", asynchronous=True)
    assert await client.submit(sum, [40, 2], pure=False) == 42
    await client.close()
asyncio.run(main())
""",
        home,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
