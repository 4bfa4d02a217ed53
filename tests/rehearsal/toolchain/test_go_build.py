"""Unit tests: building from source, with stand-ins for `go` on PATH."""

import os
from pathlib import Path

import psutil
import pytest

from rehearsal.toolchain import go_build
from rehearsal.toolchain.errors import ToolchainError
from rehearsal.toolchain.go_build import build_release, find_go
from rehearsal.toolchain.releases import releases

ETCD = releases()["etcd"]
SILENT = lambda _: None  # noqa: E731

NEW_ENOUGH = 'if [ "$1" = env ]; then echo go1.26.0; exit; fi'


@pytest.fixture
def go_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the file to write a stand-in's shell script to."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.defpath}")
    script = folder / "go"
    script.touch(mode=0o755)
    return script


def write(script: Path, *lines: str) -> None:
    script.write_text("\n".join(("#!/bin/sh", *lines)) + "\n", encoding="utf-8")


def test_a_missing_go_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match=r"no `go` on PATH. Install Go 1\.26 or newer"):
        find_go(ETCD.builds[0])


@pytest.mark.parametrize("version", ["go1.9.2", "go1.18", "go1.25.11"])
def test_an_old_go_says_what_to_install(go_says: Path, version: str) -> None:
    write(go_says, f"echo {version}")
    with pytest.raises(ToolchainError, match=rf"too old.*\({version}\). Install Go 1\.26"):
        find_go(ETCD.builds[0])


def test_a_go_that_refuses_the_module_is_quoted(go_says: Path) -> None:
    refusal = "go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)"
    write(go_says, f"echo '{refusal}' >&2; exit 1")
    with pytest.raises(ToolchainError, match=r"running go 1\.24\.1"):
        find_go(ETCD.builds[0])


def test_a_newer_go_serves(go_says: Path) -> None:
    write(go_says, "echo go2.0.1")
    assert find_go(ETCD.builds[0]) == go_says


def test_a_failed_build_shows_the_compilers_last_words(go_says: Path, tmp_path: Path) -> None:
    write(go_says, NEW_ENOUGH, "echo 'dial tcp: lookup proxy.golang.org: no such host'; exit 1")
    with pytest.raises(ToolchainError, match=r"(?s)etcd failed.*no such host.*set GOPROXY"):
        build_release(ETCD, into=tmp_path, progress=SILENT)


def test_a_compiler_that_fills_the_disk_is_not_a_compile_error(
    go_says: Path, tmp_path: Path
) -> None:
    write(go_says, NEW_ENOUGH, "echo 'write /tmp/go-build: no space left on device'; exit 1")
    with pytest.raises(ToolchainError, match=r"disk is full.*write /tmp/go-build: no space"):
        build_release(ETCD, into=tmp_path, progress=SILENT)


def test_a_build_without_c_is_installed_under_the_executables_name(
    go_says: Path, tmp_path: Path
) -> None:
    write(
        go_says,
        NEW_ENOUGH,
        'while [ "$1" != -o ]; do shift; done',
        'echo "CGO_ENABLED=$CGO_ENABLED GOWORK=$GOWORK" > "$2/server"',
    )
    into = tmp_path / "into"
    into.mkdir()
    build_release(ETCD, into=into, progress=SILENT)
    assert (into / "etcd").read_text(encoding="utf-8") == "CGO_ENABLED=0 GOWORK=off\n"
    assert [file.name for file in into.iterdir()] == ["etcd"]


def test_a_long_build_tells_how_long_it_usually_takes_and_ends_with_its_caller(
    go_says: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process_id = tmp_path / "pid"
    write(go_says, NEW_ENOUGH, f"echo $$ > {process_id}.new; mv {process_id}.new {process_id}")
    with go_says.open("a", encoding="utf-8") as script:
        script.write("exec sleep 60\n")
    monkeypatch.setattr(go_build, "REPORT_EVERY_S", 0.05)
    said: list[str] = []

    def interrupt_once_it_runs(line: str) -> None:
        said.append(line)
        if "so far" in line and process_id.exists():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_release(ETCD, into=tmp_path, progress=interrupt_once_it_runs)
    assert said[-1].endswith(": building etcd, 0 s so far")
    assert not psutil.pid_exists(int(process_id.read_text(encoding="utf-8")))
