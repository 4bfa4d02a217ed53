"""Rehearsal tests: the toolchain of this machine, and what happens when downloads lie."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from rehearsal.toolchain import Binaries, Origin
from rehearsal.toolchain import binaries as subject
from rehearsal.toolchain.download import Downloader
from rehearsal.toolchain.errors import ChecksumMismatchError
from rehearsal.toolchain.path_lookup import parse_version
from rehearsal.toolchain.releases import Download, Release, releases


@pytest.mark.rehearsal
def test_every_binary_reports_its_pinned_version(binaries: Binaries) -> None:
    for release in releases().values():
        asked = (release.asked,) if release.asked else release.executables
        for tool in binaries.tools:
            if tool.name in asked:
                said = subprocess.check_output([tool.path, *release.version_command], text=True)
                assert parse_version(said) == release.version == tool.version


@pytest.mark.rehearsal
def test_the_engine_finds_its_language_host_and_that_its_executor(binaries: Binaries) -> None:
    folder = binaries.pulumi.resolve().parent
    assert binaries.pulumi_language_python.resolve().parent == folder
    assert (folder / "pulumi-language-python-exec").is_file()


@pytest.mark.rehearsal
@pytest.mark.usefixtures("binaries")
def test_a_second_call_takes_everything_as_it_lies() -> None:
    said: list[str] = []
    again = subject.ensure_toolchain(progress=said.append)
    assert said == []
    assert {tool.origin for tool in again.tools} <= {
        Origin.PATH,
        Origin.CACHED_BUILD,
        Origin.CACHED_DOWNLOAD,
    }


@pytest.mark.rehearsal
@pytest.mark.usefixtures("binaries")
def test_the_command_prints_folders_for_a_shells_path() -> None:
    command = [sys.executable, "-m", "rehearsal.toolchain", "--path", "helm", "kwok"]
    helm, kwok = subprocess.check_output(command, text=True).strip().split(":")
    assert (Path(helm) / "helm").exists()
    assert (Path(kwok) / "kwok").exists()


def test_a_refused_download_is_reported_and_built_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Downloader, download: Download, *, into: Path) -> None:
        raise ChecksumMismatchError(f"{download.url} was refused, not put into {into}")

    def build(release: Release, *, into: Path, progress: subject.Progress) -> None:
        progress("building")
        for name in release.executables:
            (into / name).write_bytes(hashlib.sha256(name.encode()).digest())
            (into / name).chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(Downloader, "fetch", refuse)
    monkeypatch.setattr(subject, "build_release", build)
    said: list[str] = []
    warnings: list[str] = []
    helm = (releases()["helm"],)
    first = subject.ensure_releases(
        helm, cache_dir=tmp_path, progress=said.append, warn=warnings.append
    )
    assert [tool.origin for tool in first] == [Origin.BUILT]
    (warning,) = warnings
    assert "WARNING" in warning
    assert "was refused" in warning
    second = subject.ensure_releases(helm, cache_dir=tmp_path, progress=said.append)
    assert [tool.origin for tool in second] == [Origin.CACHED_BUILD]
    assert second[0].path == first[0].path
