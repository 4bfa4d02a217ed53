"""A process that has imported program and provider stand-ins, and forks one for each who asks.

Importing Google's SDK twice is most of the processor time of an engine run, and the cases are some
hundreds of runs. A fork per run keeps them as apart as processes are. Whoever asks holds a
connection, and the fork ends with it: so a plugin still ends when its engine is killed.

The program is found by the engine at an address (`--client`), as an inline program of Pulumi's
Automation API is, whose language server this is.
"""

import contextlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pulumi_kubernetes.apps.v1
import pulumi_kubernetes.core.v1
import pulumi_kubernetes.helm.v3
import pulumi_kubernetes.networking.v1  # noqa: F401 - the SDKs load their modules lazily
from pulumi.automation._server import LanguageServer
from pulumi.runtime.proto import language_pb2_grpc

from components import dask_cluster, dask_operator, nvidia_driver, outputs, team
from rehearsal.providers.gcp.input_schema import block_of
from rehearsal.providers.gcp.provider import RESOURCE_TYPES, GcpProvider
from rehearsal.providers.kubernetes.provider import KubernetesProvider
from rehearsal.providers.protocol import Provider
from rehearsal.providers.protocol.engine_log import EngineLog
from rehearsal.providers.protocol.serve import start_server
from tests.faults.google_program import declare

IMPORTED_BY_THE_PROGRAM = (dask_cluster, dask_operator, nvidia_driver, outputs, team)
PROJECT_DIR = Path(__file__).resolve().parents[2]
_PLUGIN = """#!{python} -ISE
import json, os, signal, socket, sys
host = socket.socket(socket.AF_UNIX)
host.connect({address!r})
ask = {{"what": {what!r}, "engine": sys.argv[1:], "environment": dict(os.environ)}}
host.sendall(json.dumps(ask).encode() + b"\\n")
sys.stdout.write(host.makefile().readline())
sys.stdout.flush()
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: os._exit(0))
engine = os.getppid()
host.settimeout(0.2)
while os.getppid() == engine:
    try:
        if not host.recv(1):
            break
    except TimeoutError:
        pass
"""


class WarmProcesses:
    """The process, from the outside."""

    def __init__(self, address: Path) -> None:
        self._address = str(address)
        self._program: socket.socket | None = None

    def serve_google_program(self, document: Mapping[str, Any]) -> str:
        """Serve the Google half on these settings, in place of the last; return where."""
        return self._serve({"what": "google program", "document": document})

    def serve_program(self, environment: Mapping[str, str]) -> str:
        """Serve the whole program, in place of the last; return where."""
        return self._serve({"what": "program", "environment": environment})

    def _serve(self, ask: Mapping[str, Any]) -> str:
        if self._program is not None:
            self._program.close()
        self._program = socket.socket(socket.AF_UNIX)
        self._program.connect(self._address)
        self._program.sendall(json.dumps(ask).encode() + b"\n")
        return f"127.0.0.1:{self._program.makefile().readline().strip()}"

    def write_plugins(self, pulumi_home: Path) -> None:
        """Let both plugins of an engine be served from here."""
        for what in ("gcp", "kubernetes"):
            (executable,) = pulumi_home.glob(f"plugins/resource-{what}-*/pulumi-resource-{what}")
            text = _PLUGIN.format(python=sys.executable, address=self._address, what=what)
            executable.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def warm_processes(directory: Path) -> Iterator[WarmProcesses]:
    """Run the process until the end of the block."""
    address = directory / "warm.sock"
    command = [sys.executable, "-m", __name__, str(address)]
    with subprocess.Popen(command, cwd=PROJECT_DIR) as process:
        try:
            while not address.exists():
                assert process.poll() is None, "the process that keeps imports warm has ended"
                time.sleep(0.05)
            yield WarmProcesses(address)
        finally:
            process.terminate()


def _main(address: str) -> None:
    """Fork for each who connects."""
    for resource_type in RESOURCE_TYPES.values():
        block_of(resource_type.sdk_module, resource_type.sdk_class)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address + ".new")
        listener.listen()
        Path(address + ".new").rename(address)
        while True:
            asker, _ = listener.accept()
            with asker:
                if os.fork() == 0:
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # it has children of its own
                    listener.close()
                    _serve(asker)


def _serve(asker: socket.socket) -> None:
    """Serve what is asked for until the asker hangs up; this process then ends."""
    words = asker.makefile("rw")
    ask = json.loads(words.readline())
    server, port = _SERVERS[ask["what"]](ask)
    words.write(f"{port}\n")
    words.flush()
    with contextlib.suppress(OSError):
        asker.recv(1)
    server.stop(grace=None)
    os._exit(0)


def _google_program(ask: Mapping[str, Any]) -> tuple[grpc.Server, int]:
    return _language_server(lambda: declare(ask["document"]))


def _program(ask: Mapping[str, Any]) -> tuple[grpc.Server, int]:
    os.environ.update(ask["environment"])

    def run() -> None:
        runpy.run_path(str(PROJECT_DIR / "__main__.py"), run_name="__main__")

    return _language_server(run)


def _language_server(program: Callable[[], None]) -> tuple[grpc.Server, int]:
    server = grpc.server(ThreadPoolExecutor(max_workers=4))
    language_pb2_grpc.add_LanguageRuntimeServicer_to_server(LanguageServer(program), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return server, port


def _plugin(provider: type[Provider], ask: Mapping[str, Any]) -> tuple[grpc.Server, int]:
    os.environ.update(ask["environment"])
    return start_server(provider(), EngineLog(next(iter(ask["engine"]), None)))


_SERVERS: Mapping[str, Callable[[Mapping[str, Any]], tuple[grpc.Server, int]]] = {
    "program": _program,
    "google program": _google_program,
    "gcp": partial(_plugin, GcpProvider),
    "kubernetes": partial(_plugin, KubernetesProvider),
}

if __name__ == "__main__":
    _main(sys.argv[1])
