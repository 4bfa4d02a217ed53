"""Artifacts of other runs, read as data: nothing of them names a path here, nothing is run."""

import io
import zipfile
import zlib
from collections.abc import Iterable

import httpx
from github.Artifact import Artifact
from github.WorkflowRun import WorkflowRun

from daskfleet.platform.review.github.connection import Connection
from daskfleet.platform.review.github.errors import GitHubError

LARGEST_BYTES = 256 * 1024 * 1024
"""Of an archive, and of each file in it; a preview of 5,000 resources has a fifth of that."""

TIMEOUT_S = 60.0
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What `zipfile` raises for damaged, unknown and encrypted archives."""


def find_artifact(connection: Connection, run: WorkflowRun, name: str) -> Artifact | None:
    """Return the newest artifact of that name which is still there."""
    artifacts = connection.insist(
        f"Listing the artifacts of run {run.id}", lambda: list(run.get_artifacts())
    )
    usable = [found for found in artifacts if found.name == name and not found.expired]
    return max(usable, key=lambda found: found.id, default=None)


def read_files(
    connection: Connection, artifact: Artifact, names: Iterable[str]
) -> dict[str, bytes]:
    """Download an artifact and return those of the named files that it has."""
    archive = connection.insist(
        f"Downloading the artifact {artifact.name}",
        lambda: _download(connection, artifact.archive_download_url),
    )
    return unpack(archive, names, artifact.name)


def _download(connection: Connection, url: str) -> bytes:
    # httpx takes the token off when the API redirects to the store, which is another host.
    headers = {"Authorization": f"Bearer {connection.token}"}
    archive = bytearray()
    with httpx.stream(
        "GET", url, headers=headers, follow_redirects=True, timeout=TIMEOUT_S
    ) as response:
        if response.is_error:
            response.read()
        response.raise_for_status()
        for chunk in response.iter_bytes():
            archive += chunk
            if len(archive) > LARGEST_BYTES:
                raise _too_large(url)
    return bytes(archive)


def unpack(archive: bytes, names: Iterable[str], source: str) -> dict[str, bytes]:
    """Read the named files of a ZIP archive, and nothing that is called otherwise."""
    files: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as entries:
            for name in sorted(set(names) & set(entries.namelist())):
                with entries.open(name) as entry:
                    # What the archive says of its sizes may be wrong.
                    content = entry.read(LARGEST_BYTES + 1)
                if len(content) > LARGEST_BYTES:
                    raise _too_large(f"{source}/{name}")
                files[name] = content
    except UNREADABLE as error:
        raise GitHubError(f"The artifact {source} cannot be unpacked: {error}.") from error
    return files


def _too_large(what: str) -> GitHubError:
    return GitHubError(f"{what} is larger than {LARGEST_BYTES // 2**20} MiB: not read.")
