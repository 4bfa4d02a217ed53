"""Unit tests: the cache is complete or absent, and says what is wrong with a disk."""

import errno
from pathlib import Path

import pytest

from rehearsal.toolchain.cache import CacheEntry, cache_key, default_cache_directory, open_cache
from rehearsal.toolchain.errors import ToolchainError
from rehearsal.toolchain.host import Host
from rehearsal.toolchain.releases import releases

LINUX = Host(system="linux", architecture="amd64")
ETCD = releases()["etcd"]


@pytest.fixture
def entry(tmp_path: Path) -> CacheEntry:
    return CacheEntry(root=tmp_path, release=ETCD, key="0123")


def fill(folder: Path) -> str:
    (folder / "etcd").touch(mode=0o755)
    return "built"


def test_an_installed_entry_knows_where_it_came_from(entry: CacheEntry) -> None:
    assert entry.origin is None
    entry.install(fill)
    assert entry.origin == "built"
    assert entry.executables()["etcd"].is_file()


def test_an_interrupted_installation_leaves_nothing(entry: CacheEntry) -> None:
    def interrupted(folder: Path) -> str:
        fill(folder)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        entry.install(interrupted)
    assert entry.origin is None
    assert list(entry.root.iterdir()) == []


def test_what_a_killed_installation_left_is_removed_by_the_next(entry: CacheEntry) -> None:
    abandoned = entry.root / f".{entry.directory.name}.x1"
    abandoned.mkdir()
    entry.install(fill)
    assert not abandoned.exists()


def test_an_installation_without_an_executable_is_refused(entry: CacheEntry) -> None:
    with pytest.raises(ToolchainError, match=r"etcd v3\.6\.8 \(downloaded\) lacks etcd"):
        entry.install(lambda _: "downloaded")
    assert entry.origin is None


def test_a_full_disk_is_called_a_full_disk(entry: CacheEntry) -> None:
    def full(_: Path) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ToolchainError, match=r"disk is full.*free some space"):
        entry.install(full)


def test_a_cache_that_cannot_be_made_names_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ToolchainError, match=r"cannot be written.*XDG_CACHE_HOME"):
        open_cache(tmp_path / "file" / "cache")


def test_the_key_follows_the_machine_the_pin_and_the_module() -> None:
    key = cache_key(ETCD, host=LINUX)
    assert key == cache_key(ETCD, host=LINUX)
    assert key != cache_key(ETCD, host=Host(system="linux", architecture="arm64"))
    assert key != cache_key(ETCD.model_copy(update={"version": "v3.6.9"}), host=LINUX)
    helm = ETCD.model_copy(update={"builds": releases()["helm"].builds})
    assert key != cache_key(helm, host=LINUX)


def test_a_better_estimate_of_the_build_time_rebuilds_nothing() -> None:
    build = ETCD.builds[0].model_copy(update={"usual_minutes": 99})
    estimated = ETCD.model_copy(update={"builds": (build,)})
    assert cache_key(estimated, host=LINUX) == cache_key(ETCD, host=LINUX)


def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_directory() == tmp_path / "daskfleet" / "toolchain"
