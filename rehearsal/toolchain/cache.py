"""The per-user cache: one folder per release and pin, complete or absent."""

import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rehearsal.toolchain.errors import ToolchainError
from rehearsal.toolchain.host import Host
from rehearsal.toolchain.releases import Release

ORIGIN_FILE = "origin"


def default_cache_directory() -> Path:
    """Follow the XDG rule, and macOS's own habit where XDG is silent."""
    if configured := os.environ.get("XDG_CACHE_HOME"):
        root = Path(configured)
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path.home() / ".cache"
    return root / "daskfleet" / "toolchain"


def cache_key(release: Release, *, host: Host) -> str:
    """Digest everything that the binaries follow from: pins, go.mod, go.sum, flags, machine."""
    digest = hashlib.sha256()
    pins = release.model_dump_json(exclude={"builds": {"__all__": {"usual_minutes"}}})
    digest.update(pins.encode())
    digest.update(f"{host.system}/{host.architecture}".encode())
    for build in release.builds:
        for name in ("go.mod", "go.sum"):
            digest.update((build.directory / name).read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, kw_only=True)
class CacheEntry:
    """Where one release in one pin lies in the cache, once it is installed."""

    root: Path
    release: Release
    key: str

    @property
    def directory(self) -> Path:
        """The folder with the executables."""
        return self.root / f"{self.release.name}-{self.release.version}-{self.key}"

    @property
    def lock_file(self) -> Path:
        """Held by whoever installs this entry."""
        return self.root / f"{self.directory.name}.lock"

    @property
    def origin(self) -> str | None:
        """How the entry came here, or None while it is not installed."""
        marker = self.directory / ORIGIN_FILE
        return marker.read_text(encoding="utf-8").strip() if marker.exists() else None

    def executables(self) -> Mapping[str, Path]:
        """Give the executables by name."""
        return {name: self.directory / name for name in self.release.executables}

    def install(self, fill: Callable[[Path], str]) -> None:
        """Let `fill` put the executables into a folder and rename that folder into place.

        Args:
            fill: given an empty folder, fills it and says how ("built", "downloaded").

        Raises:
            ToolchainError: `fill` left an executable out, or the cache cannot be written.

        """
        with _clear_about_disks(self.root):
            for abandoned in self.root.glob(f".{self.directory.name}.*"):
                shutil.rmtree(abandoned)
            partial = Path(tempfile.mkdtemp(prefix=f".{self.directory.name}.", dir=self.root))
            try:
                origin = fill(partial)
                missing = [name for name in self.release.executables if not _runs(partial / name)]
                if missing:
                    raise ToolchainError(
                        f"{self.release.title} ({origin}) lacks {', '.join(missing)}; "
                        f"rehearsal/toolchain/pins.yaml does not fit what upstream offers."
                    )
                (partial / ORIGIN_FILE).write_text(origin, encoding="utf-8")
                partial.chmod(0o755)
                partial.rename(self.directory)
            finally:
                shutil.rmtree(partial, ignore_errors=True)


def open_cache(directory: Path) -> Path:
    """Make the cache folder.

    Raises:
        ToolchainError: it cannot be made or written.

    """
    with _clear_about_disks(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return directory


def _runs(executable: Path) -> bool:
    return executable.is_file() and os.access(executable, os.X_OK)


@contextmanager
def _clear_about_disks(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise ToolchainError(disk_full(f"{directory}: {error}")) from error
        raise ToolchainError(
            f"The toolchain cache {directory} cannot be written: {error}. Make it "
            f"writable, or set XDG_CACHE_HOME to a folder of yours with 2 GB free."
        ) from error


def disk_full(evidence: str) -> str:
    """Say that a disk is full, what showed it, and what helps."""
    return (
        f"The disk is full while the toolchain is installed ({evidence}). A first build needs "
        f"about 9 GB for Go's own caches and 0.6 GB for the result: free some space (`go clean "
        f"-cache` empties Go's build cache), or set XDG_CACHE_HOME to another disk. What is built "
        f"so far is kept."
    )
