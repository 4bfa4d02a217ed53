"""A bucket on this machine in which Pulumi keeps its state: fake-gcs-server, reached by gs://.

The engine opens gs:// with gocloud.dev's blob/gcsblob. STORAGE_EMULATOR_HOST leads that to another
server, and then no credentials are looked for (gcsblob.go, ``lazyCredsOpener``).
"""

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx

from rehearsal.toolchain.binaries import ensure_releases
from rehearsal.toolchain.releases import releases

NAME = "pulumi-state"
STARTS_WITHIN_S = 30.0


@dataclass(frozen=True, kw_only=True)
class StateBucket:
    """A bucket that is served."""

    address: str
    """Host and port."""
    directory: Path
    """Where its objects lie, each a file of its name."""

    @property
    def environment(self) -> dict[str, str]:
        """What leads the engine to it."""
        return {"PULUMI_BACKEND_URL": f"gs://{NAME}", "STORAGE_EMULATOR_HOST": self.address}

    def put(self, name: str, text: str) -> None:
        """Write an object; the server does not take a file that it has not written."""
        url = f"http://{self.address}/upload/storage/v1/b/{NAME}/o"
        query = {"uploadType": "media", "name": name}
        httpx.post(url, params=query, content=text).raise_for_status()


def free_address() -> str:
    """Give an address of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


@contextlib.contextmanager
def state_bucket(
    directory: Path, *, address: str | None = None, reached_at: str | None = None
) -> Iterator[StateBucket]:
    """Serve a bucket whose objects are files below ``directory``, for the length of the block.

    Args:
        directory: where to; what is there is in the bucket.
        address: host and port to serve at; None: any.
        reached_at: host and port of a proxy before it, which clients go through.

    Raises:
        ToolchainError: the server cannot be built.

    """
    (tool,) = ensure_releases((releases()["fake-gcs-server"],), progress=lambda _: None)
    address = address or free_address()
    host, port = address.split(":")
    objects = directory / NAME
    objects.mkdir(parents=True, exist_ok=True)
    command = (
        tool.path,
        *("-scheme", "http", "-host", host, "-port", port, "-log-level", "error"),
        *("-backend", "filesystem", "-filesystem-root", directory),
        *("-public-host", address, "-external-url", f"http://{reached_at or address}"),
    )
    with (directory.with_suffix(".log")).open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait_for(address, server)
        yield StateBucket(address=reached_at or address, directory=objects)
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while True:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(f"http://{address}/storage/v1/b/{NAME}").raise_for_status()
            return
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"fake-gcs-server does not answer at {address}")
        time.sleep(0.05)
