"""Unit: what the official sites serve takes the place of building, from a server on this machine.

The archives are laid out as the sites lay them out; what is in them are scripts.
"""

import hashlib
import io
import json
import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import httpx
import pytest

from rehearsal.toolchain import Origin
from rehearsal.toolchain import binaries as subject
from rehearsal.toolchain.host import Host
from rehearsal.toolchain.releases import REHEARSAL_RELEASES, Download, Release, releases
from tests.rehearsal.toolchain.mirror import Mirror

HOST = Host.this_machine()
LAYOUT = {
    "etcd": ("etcd-release/etcd", "etcd-release/etcdctl"),
    "helm": ("linux-amd64/helm", "linux-amd64/LICENSE"),
    "pulumi": (
        "pulumi/pulumi",
        "pulumi/pulumi-language-go",
        "pulumi/pulumi-language-python",
        "pulumi/pulumi-language-python-exec",
        "pulumi/pulumi-resource-pulumi-python",
    ),
}
"""Entries of the archives, by release; what is no archive is the executable itself."""


def program(name: str) -> bytes:
    """An executable that says its name."""
    return f"#!/bin/sh\necho {name}\n".encode()


def archive(release: str, *, file_name: str) -> bytes:
    """An archive as the release's site has it."""
    packed = io.BytesIO()
    if file_name.endswith(".zip"):
        with zipfile.ZipFile(packed, "w") as zipped:
            for entry in LAYOUT[release]:
                zipped.writestr(entry, program(entry))
        return packed.getvalue()
    with tarfile.open(fileobj=packed, mode="w:gz") as unzipped:
        for entry in LAYOUT[release]:
            content = program(entry)
            member = tarfile.TarInfo(entry)
            member.size = len(content)
            unzipped.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def at(mirror: Mirror, release: Release) -> Release:
    """The release with its official sites on this machine, paths and all."""

    def here(url: str) -> str:
        return url.replace("https://", f"{mirror.url}/")

    downloads = tuple(
        each.model_copy(update={"url": here(each.url), "checksums_url": here(each.checksums_url)})
        for each in release.downloads
    )
    return release.model_copy(update={"downloads": downloads})


def publish(mirror: Mirror, release: Release) -> None:
    """Serve a release's files, and their checksums in the form of their site."""
    for download in release.downloads_for(HOST):
        name = PurePosixPath(httpx.URL(download.url).path).name
        content = archive(release.name, file_name=name) if download.members else program(name)
        mirror.files[httpx.URL(download.url).path] = content
        digest = hashlib.sha256(content).hexdigest()
        mirror.files[httpx.URL(download.checksums_url).path] = announced(download, name, digest)


def announced(download: Download, name: str, digest: str) -> bytes:
    """A checksum as GitHub's API, a list of several files, or a file beside the file has it."""
    if "api.github.com" in download.checksums_url:
        return json.dumps({"assets": [{"name": name, "digest": f"sha256:{digest}"}]}).encode()
    if download.checksums_url == f"{download.url}.sha256":
        return digest.encode()
    return f"{'0' * 64}  another-file\n{digest}  {name}\n".encode()


@pytest.fixture
def official(mirror: Mirror) -> dict[str, Release]:
    """The rehearsal's releases, whose sites are on this machine and serve nothing yet."""
    return {name: at(mirror, releases()[name]) for name in REHEARSAL_RELEASES}


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What had to be built, on a machine that has nothing on PATH."""
    names: list[str] = []

    def build(release: Release, *, into: Path, progress: subject.Progress) -> None:
        progress(f"{release.title}: building")
        names.append(release.name)
        for name in release.executables:
            (into / name).write_bytes(program(name))
            (into / name).chmod(0o755)

    monkeypatch.setattr(subject, "build_release", build)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    return names


def shares(said: list[str]) -> list[int]:
    """What the bar showed, in per cent."""
    return [int(found[1]) for line in said if (found := re.search(r"(\d+)%[,:] ", line))]


def test_where_the_sites_answer_nothing_is_built(
    mirror: Mirror, official: dict[str, Release], built: list[str], tmp_path: Path
) -> None:
    for release in official.values():
        publish(mirror, release)
    said: list[str] = []

    wanted = tuple(official.values())
    tools = subject.ensure_releases(wanted, cache_dir=tmp_path, progress=said.append)

    assert {tool.origin for tool in tools} == {Origin.DOWNLOADED}
    assert [tool.name for tool in tools] == [
        name for release in official.values() for name in release.executables
    ]
    assert all(tool.path.stat().st_mode & 0o111 for tool in tools)
    assert built == []
    pulumi = next(tool.path for tool in tools if tool.name == "pulumi")
    assert (pulumi.parent / "pulumi-language-python-exec").is_file()
    assert not (pulumi.parent / "pulumi-language-go").exists()


def test_one_bar_goes_over_all_that_is_missing_and_a_second_call_says_nothing(
    mirror: Mirror, official: dict[str, Release], tmp_path: Path
) -> None:
    for release in official.values():
        publish(mirror, release)
    wanted, said = tuple(official.values()), list[str]()
    subject.ensure_releases(wanted, cache_dir=tmp_path, progress=said.append)
    again: list[str] = []
    second = subject.ensure_releases(wanted, cache_dir=tmp_path, progress=again.append)

    assert len(shares(said)) == len(said)
    assert shares(said) == sorted(shares(said))
    assert (shares(said)[0], shares(said)[-1]) == (0, 100)
    assert all("at most" in line for line in said[:-1])
    assert again == []
    assert {tool.origin for tool in second} == {Origin.CACHED_DOWNLOAD}


def test_only_what_no_site_serves_is_built(
    mirror: Mirror, official: dict[str, Release], built: list[str], tmp_path: Path
) -> None:
    for name in ("etcd", "kubernetes", "kubectl", "pulumi"):
        publish(mirror, official[name])
    wanted, said = tuple(official.values()), list[str]()
    tools = subject.ensure_releases(wanted, cache_dir=tmp_path, progress=said.append)

    assert built == ["kwok", "helm"]
    assert {tool.name for tool in tools if tool.origin is Origin.BUILT} == {"kwok", "helm"}
    assert any("kwok v0.8.0: no official download" in line and "404" in line for line in said)
