"""Every binary of the rehearsal, from the first place that has it in the pinned version."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from rehearsal.locking import exclusive
from rehearsal.toolchain.cache import CacheEntry, cache_key, default_cache_directory, open_cache
from rehearsal.toolchain.course import Course
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


def ensure_toolchain(
    *, cache_dir: Path | None = None, progress: Progress, warn: Progress | None = None
) -> Binaries:
    """Put every binary of the rehearsal in place: seconds when cached, minutes the first time.

    Args:
        cache_dir: where downloads and builds are kept; default, the user's cache folder.
        progress: given a line whenever something is put in place, and every 15 s while Go builds:
            behind one bar over all that was missing, with the time that is left.
        warn: given what must stay to be read where such lines are replaced by the next one;
            default, ``progress``.

    Raises:
        ToolchainError: a binary cannot be had; the message says what to do.

    """
    tools = ensure_releases(
        tuple(releases()[name] for name in REHEARSAL_RELEASES),
        cache_dir=cache_dir,
        progress=progress,
        warn=warn,
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
    wanted: tuple[Release, ...],
    *,
    cache_dir: Path | None = None,
    progress: Progress,
    warn: Progress | None = None,
) -> tuple[Tool, ...]:
    """Put releases in place, one after the other: Go alone keeps every core busy.

    Raises:
        ToolchainError: a release cannot be had; the message says what to do.

    """
    host = Host.this_machine()
    cache = open_cache(cache_dir or default_cache_directory())
    entries = {
        release.name: CacheEntry(root=cache, release=release, key=cache_key(release, host=host))
        for release in wanted
    }
    in_place = {name: _in_place(entry) for name, entry in entries.items()}
    missing = [release for release in wanted if in_place[release.name] is None]
    course = Course(missing, progress=progress)
    with Downloader() as downloader:
        for release in missing:
            course.begin(release)
            entry = entries[release.name]
            in_place[release.name] = _install(
                entry, host=host, downloader=downloader, on=course, warn=warn or progress
            )
            course.end()
    if missing:
        course.say("the toolchain is in place")
    return tuple(tool for tools in in_place.values() for tool in tools or ())


def _in_place(entry: CacheEntry) -> tuple[Tool, ...] | None:
    """What PATH or the cache has, None where neither does."""
    if on_path := find_on_path(entry.release):
        return _tools(entry.release, origin=Origin.PATH, executables=on_path)
    return None if entry.origin is None else _cached(entry)


def _cached(entry: CacheEntry) -> tuple[Tool, ...]:
    origin = Origin(f"cached ({entry.origin})")
    return _tools(entry.release, origin=origin, executables=entry.executables())


def _install(
    entry: CacheEntry, *, host: Host, downloader: Downloader, on: Course, warn: Progress
) -> tuple[Tool, ...]:
    release = entry.release

    def fill(folder: Path) -> str:
        try:
            on.say(f"{release.title}: looking for the official download")
            _download(release, into=folder, host=host, downloader=downloader)
        except DownloadUnavailableError as error:
            on.say(f"{release.title}: no official download ({error})")
        except ChecksumMismatchError as error:
            # Not used and not hidden: what is built instead is checked file by file by go.sum.
            warn(f"{release.title}: WARNING: {error}")
        else:
            on.say(f"{release.title}: downloaded, checksum verified")
            return Origin.DOWNLOADED
        on.build()
        build_release(release, into=folder, progress=on.say)
        return Origin.BUILT

    with exclusive(entry.lock_file, subject=release.title, progress=on.say):
        # Whoever held the lock before may have installed it.
        if entry.origin is not None:
            return _cached(entry)
        entry.install(fill)
        return _tools(release, origin=Origin(str(entry.origin)), executables=entry.executables())


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
