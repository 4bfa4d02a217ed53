"""Real Dask processes on this machine's loopback."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

HOST = "127.0.0.1"
START_TIMEOUT_S = 60
"""For a machine that runs many tests at once."""

Process = subprocess.Popen[bytes]


@dataclass(frozen=True, kw_only=True)
class Scheduler:
    """A scheduler that answers."""

    address: str
    http: str


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        port: int = listening.getsockname()[1]
        return port


@contextmanager
def scheduler() -> Iterator[Scheduler]:
    """Run a scheduler."""
    comm, http = free_port(), free_port()
    arguments = ("--port", str(comm), "--dashboard-address", f"{HOST}:{http}")
    with _running(Path(sys.executable), "scheduler", "--host", HOST, *arguments):
        running = Scheduler(address=f"tcp://{HOST}:{comm}", http=f"http://{HOST}:{http}")
        _until_healthy(running)
        yield running


@contextmanager
def worker(
    of: Scheduler,
    name: str,
    *arguments: str,
    threads: int = 1,
    resources: str = "GPU=1",
    python: Path = Path(sys.executable),
    **environment: str,
) -> Iterator[Process]:
    """Run a worker as the project's pods do, and wait until the scheduler knows it."""
    before = _workers(of)
    started = (
        *("worker", of.address, "--host", HOST, "--no-nanny", "--name", name),
        *("--nthreads", str(threads), "--dashboard-address", f"{HOST}:0", *arguments),
        *(("--resources", resources) if resources else ()),
    )
    with _running(python, *started, environment=environment) as process:
        _until_workers(of, before + 1, process)
        yield process
    _until_workers(of, before)


@contextmanager
def _running(
    python: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> Iterator[Process]:
    process = subprocess.Popen(
        [str(python), "-m", "dask", *arguments],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.wait()


def _until_healthy(of: Scheduler) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{of.http}/health").text == "ok":
                return
        time.sleep(0.1)
    raise AssertionError("the scheduler does not start")


def _workers(of: Scheduler) -> int:
    count: int = httpx.get(f"{of.http}/json/counts.json").json()["workers"]
    return count


def _until_workers(of: Scheduler, count: int, process: Process | None = None) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while _workers(of) != count:
        assert process is None or process.poll() is None, "the worker has ended"
        assert time.monotonic() < deadline, f"not {count} workers"
        time.sleep(0.1)
