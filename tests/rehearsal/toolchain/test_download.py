"""Unit tests: official downloads, from a server on this machine."""

import io
import json
import socket
import tarfile
import zipfile
from pathlib import Path

import pytest

from rehearsal.toolchain.download import Downloader, published_checksum
from rehearsal.toolchain.errors import ChecksumMismatchError, DownloadUnavailableError
from rehearsal.toolchain.releases import Download
from tests.rehearsal.toolchain.mirror import Mirror

PROGRAM = b"#!/bin/sh\necho hello\n"


def test_a_bare_executable_is_installed_under_its_own_name(mirror: Mirror, tmp_path: Path) -> None:
    mirror.publish("kwok-linux-amd64", PROGRAM)
    with Downloader() as downloader:
        downloader.fetch(mirror.download("kwok-linux-amd64"), into=tmp_path)
    assert (tmp_path / "kwok").read_bytes() == PROGRAM
    assert (tmp_path / "kwok").stat().st_mode & 0o111
    assert [file.name for file in tmp_path.iterdir()] == ["kwok"]


def test_a_file_that_is_not_the_announced_one_is_refused(mirror: Mirror, tmp_path: Path) -> None:
    mirror.publish("kube-apiserver", PROGRAM, digest="0" * 64)
    with Downloader() as downloader, pytest.raises(ChecksumMismatchError, match="refused"):
        downloader.fetch(mirror.download("kube-apiserver"), into=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_an_announced_checksum_is_not_fetched(
    mirror: Mirror, tmp_path: Path
) -> None:
    mirror.files = {"/kwok": PROGRAM, "/kwok.sha256": b"0" * 10}
    with Downloader() as downloader, pytest.raises(DownloadUnavailableError, match="not list kwok"):
        downloader.fetch(mirror.download("kwok"), into=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_the_wanted_members_of_an_archive_are_installed(
    mirror: Mirror, tmp_path: Path
) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("etcd-v3/etcd", "etcd-v3/etcdctl", "../etcd"):
            member = tarfile.TarInfo(name)
            member.size = len(PROGRAM)
            archive.addfile(member, io.BytesIO(PROGRAM))
    mirror.publish("etcd.tar.gz", packed.getvalue())
    with Downloader() as downloader:
        downloader.fetch(mirror.download("etcd.tar.gz", members=("*/etcd",)), into=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["etcd"]
    assert not (tmp_path.parent / "etcd").exists()


def test_a_zip_archive_serves_as_well(mirror: Mirror, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("etcd-v3/etcd", PROGRAM)
    mirror.publish("etcd.zip", packed.getvalue())
    with Downloader() as downloader:
        downloader.fetch(mirror.download("etcd.zip", members=("*/etcd",)), into=tmp_path)
    assert (tmp_path / "etcd").read_bytes() == PROGRAM


def test_a_missing_file_is_unavailable_rather_than_an_error_page(
    mirror: Mirror, tmp_path: Path
) -> None:
    with Downloader() as downloader, pytest.raises(DownloadUnavailableError, match="404"):
        downloader.fetch(mirror.download("kwok"), into=tmp_path)


def test_a_host_that_does_not_answer_is_asked_once(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/kwok"
        download = Download(url=url, checksums_url=f"{url}.sha256")
        with Downloader() as downloader:
            with pytest.raises(DownloadUnavailableError, match="not reachable"):
                downloader.fetch(download, into=tmp_path)
            with pytest.raises(DownloadUnavailableError, match="did not answer before"):
                downloader.fetch(download, into=tmp_path)


@pytest.mark.parametrize(
    "announced",
    [
        f"{'a' * 64}\n",
        f"{'a' * 64}  kwok\n",
        f"{'b' * 64}  other\n{'A' * 64} *kwok\n",
        json.dumps({"assets": [{"name": "kwok", "digest": f"sha256:{'a' * 64}"}]}),
    ],
)
def test_a_checksum_is_found_in_every_form_that_is_published(announced: str) -> None:
    assert published_checksum(announced, file_name="kwok") == "a" * 64


@pytest.mark.parametrize(
    "announced",
    [
        f"{'b' * 64}  other\n{'c' * 64}  another\n",
        f"{'b' * 64}  other\n",
        json.dumps({"assets": [{"name": "kwok", "digest": None}]}),
        "<html>please log in</html>",
    ],
)
def test_the_checksum_of_another_file_is_not_taken(announced: str) -> None:
    assert published_checksum(announced, file_name="kwok") is None
