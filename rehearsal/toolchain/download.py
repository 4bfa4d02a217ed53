"""Official downloads, each checked against the checksum that its publisher announces."""

import hashlib
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import IO, Self

import httpx

from rehearsal.toolchain.errors import ChecksumMismatchError, DownloadUnavailableError
from rehearsal.toolchain.releases import Download

# A host that cannot be reached costs this once, and is not asked again.
CONNECT_TIMEOUT_S = 2
READ_TIMEOUT_S = 30

_SHA256 = re.compile(r"\b[0-9a-f]{64}\b", re.IGNORECASE)


class Downloader:
    """Fetches files for one run, remembering which hosts do not answer."""

    def __init__(self) -> None:
        self._client = httpx.Client(
            timeout=httpx.Timeout(READ_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
            follow_redirects=True,
        )
        self._given_up: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def fetch(self, download: Download, *, into: Path) -> None:
        """Install one official file into a folder.

        Raises:
            DownloadUnavailableError: the file or its checksum cannot be had.
            ChecksumMismatchError: the file is not what its publisher announced; nothing of it
                is installed.

        """
        name = PurePosixPath(httpx.URL(download.url).path).name
        expected = published_checksum(self._text(download.checksums_url), file_name=name)
        if expected is None:
            raise DownloadUnavailableError(f"{download.checksums_url} does not list {name}")
        file = into / f".download-{name}"
        try:
            actual = self._save(download.url, file)
            if actual != expected:
                raise ChecksumMismatchError(
                    f"{download.url} has SHA-256 {actual}, but {download.checksums_url} announces "
                    f"{expected}. The file was refused"
                )
            if download.members:
                _extract(file, name=name, members=download.members, into=into)
            else:
                file.rename(into / _executable_name(name, download=download))
        finally:
            file.unlink(missing_ok=True)
        for installed in into.iterdir():
            installed.chmod(0o755)

    def _text(self, url: str) -> str:
        return self._answer(url, lambda response: response.read().decode())

    def _save(self, url: str, file: Path) -> str:
        def write(response: httpx.Response) -> str:
            digest = hashlib.sha256()
            with file.open("wb") as handle:
                for block in response.iter_bytes():
                    digest.update(block)
                    handle.write(block)
            return digest.hexdigest()

        return self._answer(url, write)

    def _answer(self, url: str, read: Callable[[httpx.Response], str]) -> str:
        host = httpx.URL(url).host
        if host in self._given_up:
            raise DownloadUnavailableError(f"{host} did not answer before")
        try:
            with self._client.stream("GET", url) as response:
                if not response.is_success:
                    raise DownloadUnavailableError(f"{url} answers {response.status_code}")
                return read(response)
        except httpx.ConnectError as error:
            self._given_up.add(host)
            raise DownloadUnavailableError(f"{host} is not reachable ({error})") from error
        except httpx.ConnectTimeout as error:
            self._given_up.add(host)
            raise DownloadUnavailableError(
                f"{host} is not reachable within {CONNECT_TIMEOUT_S} s"
            ) from error
        except httpx.HTTPError as error:
            raise DownloadUnavailableError(f"{url}: {error}") from error


def published_checksum(announced: str, *, file_name: str) -> str | None:
    """Find a file's SHA-256 in what its publisher announces.

    Understands `sha256sum` output, a bare digest, and GitHub's description of a release, whose
    assets carry a digest (https://docs.github.com/en/rest/releases/releases).
    """
    if announced.lstrip().startswith("{"):
        assets = json.loads(announced).get("assets", [])
        digests = {asset["name"]: asset.get("digest") or "" for asset in assets}
        return digests.get(file_name, "").removeprefix("sha256:").lower() or None
    lines = [line.split() for line in announced.splitlines() if _SHA256.search(line)]
    for words in lines:
        if words[-1].removeprefix("*") == file_name or len(words) == len(lines) == 1:
            return words[0].lower()
    return None


def _executable_name(file_name: str, *, download: Download) -> str:
    """Drop what a bare executable's file name says of the machine (kwok-linux-amd64)."""
    systems = "|".join(download.systems)
    return re.sub(rf"-({systems})-\w+$", "", file_name)


def _extract(archive: Path, *, name: str, members: tuple[str, ...], into: Path) -> None:
    """Install the wanted regular files of an archive, without their folders."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(archive) as unzipped:
            for entry in unzipped.infolist():
                if not entry.is_dir() and _wanted(entry.filename, members):
                    with unzipped.open(entry) as content:
                        _write(content, into / PurePosixPath(entry.filename).name)
        return
    with tarfile.open(archive) as unpacked:
        for member in unpacked.getmembers():
            file = unpacked.extractfile(member) if member.isfile() else None
            if file and _wanted(member.name, members):
                _write(file, into / PurePosixPath(member.name).name)


def _wanted(entry: str, members: tuple[str, ...]) -> bool:
    return any(fnmatch(entry.removeprefix("./"), pattern) for pattern in members)


def _write(content: IO[bytes], file: Path) -> None:
    with content, file.open("wb") as handle:
        while block := content.read(1 << 20):
            handle.write(block)
