"""Unit tests: what is taken from PATH."""

from pathlib import Path

import pytest

from rehearsal.toolchain.path_lookup import find_on_path, parse_version
from rehearsal.toolchain.releases import releases


def put(folder: Path, name: str, script: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize(
    ("output", "version"),
    [
        ("etcd Version: 3.6.8\nGit SHA: 4f4c2c8\nGo Version: go1.24.13\n", "v3.6.8"),
        ("Kubernetes v1.36.3\n", "v1.36.3"),
        ("Kubernetes v1.36.3-gke.1245000\n", "v1.36.3-gke.1245000"),
        ("Kubernetes v1.36.3+k3s1\n", "v1.36.3+k3s1"),
        ("kwok version v0.8.0 go1.26.8 (linux/amd64)\n", "v0.8.0"),
        ("v3.22.0", "v3.22.0"),
        ("1.7.12\ninstalled by building from source\n", "v1.7.12"),
        ("command not understood", None),
    ],
)
def test_a_version_is_read_as_each_tool_writes_it(output: str, version: str | None) -> None:
    assert parse_version(output) == version


def test_the_pinned_version_on_path_is_taken(tmp_path: Path) -> None:
    etcd = put(tmp_path, "etcd", "echo etcd Version: 3.6.8")
    assert find_on_path(releases()["etcd"], path=str(tmp_path)) == {"etcd": etcd}


@pytest.mark.parametrize(
    "script", ["echo etcd Version: 3.6.9", "echo etcd Version: 3.6.8; exit 1", "echo hello"]
)
def test_another_version_on_path_is_left_alone(tmp_path: Path, script: str) -> None:
    put(tmp_path, "etcd", script)
    assert find_on_path(releases()["etcd"], path=str(tmp_path)) is None


def test_a_file_that_is_no_program_is_left_alone(tmp_path: Path) -> None:
    put(tmp_path, "etcd", "").write_bytes(b"\x00\x01")
    assert find_on_path(releases()["etcd"], path=str(tmp_path)) is None


def test_one_kubernetes_server_on_path_is_not_mixed_with_others(tmp_path: Path) -> None:
    put(tmp_path, "kube-apiserver", "echo Kubernetes v1.36.3")
    assert find_on_path(releases()["kubernetes"], path=str(tmp_path)) is None


def test_pulumi_is_taken_with_the_language_host_beside_it(tmp_path: Path) -> None:
    put(tmp_path, "pulumi", "echo v3.256.0")
    put(tmp_path, "pulumi-language-python", "exit 2")
    assert find_on_path(releases()["pulumi"], path=str(tmp_path)) is not None


def test_a_language_host_from_elsewhere_is_no_match(tmp_path: Path) -> None:
    put(tmp_path / "a", "pulumi", "echo v3.256.0")
    put(tmp_path / "b", "pulumi-language-python", "exit 2")
    path = f"{tmp_path / 'a'}:{tmp_path / 'b'}"
    assert find_on_path(releases()["pulumi"], path=path) is None
