"""Every binary of the rehearsal, from the first place that has it in the pinned version."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rehearsal.locking import exclusive
from rehearsal.toolchain.cache import CacheEntry, cache_key, default_cache_directory, open_cache
from rehearsal.toolchain.download import Downloader
from rehearsal.toolchain.errors import ChecksumMismatchError, DownloadUnavailableError
from rehearsal.toolchain.go_build import build_release
from rehearsal.toolchain.host import Host
from rehearsal.toolchain.path_lookup import find_on_path
from rehearsal.toolchain.releases import REHEARSAL_RELEASES, Release, releases

Progress = Callable[[str], None]


class Origin(StrEnum):
    """Where an executable was taken from in this run."""

    PATH = "PATH"
    DOWNLOADED = "downloaded"
    BUILT = "built"
    CACHED_DOWNLOAD = "cached (downloaded)"
    CACHED_BUILD = "cached (built)"


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One executable as it lies on this machine."""

    name: str
    version: str
    origin: Origin
    path: Path


@dataclass(frozen=True, kw_only=True)
class Binaries:
    """The executables that a rehearsal runs; `tools` says what each is and where it came from."""

    etcd: Path
    kube_apiserver: Path
    kube_controller_manager: Path
    kube_scheduler: Path
    kubectl: Path
    kwok: Path
    helm: Path
    pulumi: Path
    pulumi_language_python: Path
    tools: tuple[Tool, ...] = ()


def ensure_toolchain(*, cache_dir: Path | None = None, progress: Progress) -> Binaries:
    """Put every binary of the rehearsal in place: seconds when cached, minutes the first time.

    Args:
        cache_dir: where downloads and builds are kept; default, the user's cache folder.
        progress: given a line whenever something happens, and every 15 s while Go builds.

    Raises:
        ToolchainError: a binary cannot be had; the message says what to do.

    """
    tools = ensure_releases(
        tuple(releases()[name] for name in REHEARSAL_RELEASES),
        cache_dir=cache_dir,
        progress=progress,
    )
    paths = {tool.name: tool.path for tool in tools}
    return Binaries(
        etcd=paths["etcd"],
        kube_apiserver=paths["kube-apiserver"],
        kube_controller_manager=paths["kube-controller-manager"],
        kube_scheduler=paths["kube-scheduler"],
        kubectl=paths["kubectl"],
        kwok=paths["kwok"],
        helm=paths["helm"],
        pulumi=paths["pulumi"],
        pulumi_language_python=paths["pulumi-language-python"],
        tools=tools,
    )


def ensure_releases(
    wanted: tuple[Release, ...], *, cache_dir: Path | None = None, progress: Progress
) -> tuple[Tool, ...]:
    """Put releases in place, one after the other: Go alone keeps every core busy.

    Raises:
        ToolchainError: a release cannot be had; the message says what to do.

    """
    host = Host.this_machine()
    cache = open_cache(cache_dir or default_cache_directory())
    with Downloader() as downloader:
        return tuple(
            tool
            for release in wanted
            for tool in _ensure(
                release, host=host, cache=cache, downloader=downloader, progress=progress
            )
        )


def _ensure(
    release: Release, *, host: Host, cache: Path, downloader: Downloader, progress: Progress
) -> tuple[Tool, ...]:
    if on_path := find_on_path(release):
        return _tools(release, origin=Origin.PATH, executables=on_path)
    entry = CacheEntry(root=cache, release=release, key=cache_key(release, host=host))

    def fill(folder: Path) -> str:
        try:
            _download(release, into=folder, host=host, downloader=downloader)
        except DownloadUnavailableError as error:
            progress(f"{release.title}: no official download ({error})")
        except ChecksumMismatchError as error:
            # Not used and not hidden: what is built instead is checked file by file by go.sum.
            progress(f"{release.title}: WARNING: {error}")
        else:
            progress(f"{release.title}: downloaded, checksum verified")
            return Origin.DOWNLOADED
        build_release(release, into=folder, progress=progress)
        return Origin.BUILT

    if entry.origin is None:
        with exclusive(entry.lock_file, subject=release.title, progress=progress):
            # Whoever held the lock before may have installed it.
            if entry.origin is None:
                entry.install(fill)
                origin = Origin(str(entry.origin))
                return _tools(release, origin=origin, executables=entry.executables())
    cached = Origin(f"cached ({entry.origin})")
    return _tools(release, origin=cached, executables=entry.executables())


def _download(release: Release, *, into: Path, host: Host, downloader: Downloader) -> None:
    downloads = release.downloads_for(host)
    if not downloads:
        raise DownloadUnavailableError(f"none is published for {host.system}")
    for download in downloads:
        downloader.fetch(download, into=into)


def _tools(
    release: Release, *, origin: Origin, executables: Mapping[str, Path]
) -> tuple[Tool, ...]:
    built = origin in {Origin.BUILT, Origin.CACHED_BUILD}
    versions = release.built_versions if built else {}
    return tuple(
        Tool(name=name, version=versions.get(name, release.version), origin=origin, path=path)
        for name, path in executables.items()
    )
