"""A plugin of pytest: what upstream's ``conftest.py`` gives its tests, on a running control plane.

The names are upstream's. Each test has as long as upstream gives it.
"""

import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import pytest
from kopf.testing import KopfRunner

IMAGE_VARIABLE = "OPERATORS_OWN_IMAGE"
KUBECTL = "kubectl"
"""The stage's, first on PATH."""

LISTENS_WITHIN_S = 2
LONGEST_S = 60
"""Of a test without ``timeout`` (upstream's pyproject.toml)."""


class ControlPlaneOfTests:
    """What the tests use of ``pytest_kind.cluster.KindCluster``."""

    def kubectl(self, *arguments: str) -> str:
        """Run kubectl, and return what it prints."""
        command = [KUBECTL, *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
        if done.returncode:
            raise subprocess.CalledProcessError(
                done.returncode, done.args, done.stdout, done.stderr
            )
        return done.stdout

    @contextmanager
    def port_forward(self, target: str, port: int, *arguments: str) -> Iterator[int]:
        """Forward a free port, and give it as soon as kubectl listens."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            here = int(free.getsockname()[1])
        forward = [KUBECTL, "port-forward", target, f"{here}:{port}", *arguments]
        while (process := _forwarding(forward, here)) is None:
            time.sleep(1)
        try:
            yield here
        finally:
            process.terminate()
            process.wait()


def _forwarding(command: Sequence[str], port: int) -> "subprocess.Popen[bytes] | None":
    """Forward a port; None where nobody listens in the pod yet, which ends kubectl."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    if b"Forwarding from" in process.stdout.readline():
        with socket.create_connection(("127.0.0.1", port)) as tried:
            tried.settimeout(LISTENS_WITHIN_S)
            try:
                if tried.recv(1):  # a scheduler greets first
                    return process
            except OSError:
                pass
    process.kill()
    process.wait()
    return None


@pytest.fixture(scope="session")
def k8s_cluster() -> ControlPlaneOfTests:
    """Give the control plane that KUBECONFIG names."""
    return ControlPlaneOfTests()


@pytest.fixture(scope="session")
def docker_image() -> str:
    """Name what pods are said to run."""
    return os.environ[IMAGE_VARIABLE]


@pytest.fixture(autouse=True)
def namespace(k8s_cluster: ControlPlaneOfTests) -> Iterator[str]:
    """Make a namespace for each test."""
    name = f"dask-k8s-pytest-{uuid.uuid4().hex[:10]}"
    k8s_cluster.kubectl("create", "namespace", name)
    yield name
    k8s_cluster.kubectl("delete", "namespace", name, "--wait=false", "--ignore-not-found=true")


@pytest.fixture
def kopf_runner(namespace: str) -> KopfRunner:
    """Give the operator, which works in the test's namespace."""
    return KopfRunner(["run", "-m", "dask_kubernetes.operator", "--verbose", "-n", namespace])


@pytest.fixture
def anyio_backend() -> str:
    """Dask needs asyncio."""
    return "asyncio"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """End a test that takes too long: several of them wait in loops without an end."""
    marker = item.get_closest_marker("timeout")
    longest_s = int(marker.args[0]) if marker else LONGEST_S

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"{item.name} takes longer than {longest_s} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(longest_s)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
