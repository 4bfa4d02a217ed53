"""What `.ci/prepare` says of a machine that lacks something, and what it installs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chromium import NAMES
from tests.project import PROJECT_DIR

PREPARE = PROJECT_DIR / ".ci/prepare"
ALWAYS = ("bash", "dirname")
COMMANDS = ("git", "make", "go", "chromium")
NO_CHROMIUM = "There is no Chromium on PATH, as chromium, chromium-browser or google-chrome."


class Machine:
    """A machine whose PATH is one folder."""

    def __init__(self, folder: Path, *, root: bool = False) -> None:
        self.folder = folder
        for name in ALWAYS:
            (folder / name).symlink_to(str(shutil.which(name)))
        for name in COMMANDS:
            self.has(name)
        self.has("id", f"echo {0 if root else 1000}")
        self.has("python", f'exec "{sys.executable}" "$@"')

    def has(self, name: str, script: str = "exit 0") -> None:
        """Put a command there."""
        (self.folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.folder / name).chmod(0o755)

    def lacks(self, name: str) -> None:
        """Take a command away."""
        (self.folder / name).unlink()

    def prepare(self, *part: str) -> tuple[int, list[str]]:
        """Run the script; return its exit status and what it said."""
        done = subprocess.run(
            [PREPARE, *part],
            env={"PATH": str(self.folder), "HOME": str(self.folder), "PYTHON": "python"},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr.splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_machine_with_everything_is_told_nothing(machine: Machine) -> None:
    assert machine.prepare() == (0, [])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("git", "There is no git on PATH."),
        ("make", "There is no make on PATH."),
        ("chromium", NO_CHROMIUM),
        ("python", "python is not Python 3.11 or newer; PYTHON=python3.12 names another one."),
    ],
)
def test_what_is_missing_has_a_sentence(machine: Machine, name: str, said: str) -> None:
    machine.lacks(name)
    assert machine.prepare() == (1, [f"prepare: {said}"])


def test_everything_that_is_missing_is_said_at_once(machine: Machine) -> None:
    for name in ("git", "make", "chromium"):
        machine.lacks(name)
    status, said = machine.prepare()
    assert (status, len(said)) == (1, 3)


def test_an_old_python_is_too_old(machine: Machine) -> None:
    machine.has("python", "exit 1")
    status, said = machine.prepare()
    assert status == 1
    assert "Python 3.11 or newer" in said[0]


def test_without_go_and_without_network_the_toolchain_cannot_be_had(machine: Machine) -> None:
    machine.lacks("go")
    machine.has("python", f'case "$*" in *urllib*) exit 1;; esac; exec "{sys.executable}" "$@"')
    status, said = machine.prepare("toolchain")
    assert status == 1
    assert len(said) == 1
    assert said[0].startswith("prepare: There is no go on PATH, and GitHub cannot be reached")
    assert said[0].endswith(": install Go 1.21 or newer (https://go.dev/dl).")
    built = machine.folder / ".cache/daskfleet/toolchain/pulumi-v1-0"
    built.mkdir(parents=True)
    (built / "origin").touch()
    assert machine.prepare("toolchain") == (0, [])


@pytest.mark.parametrize(
    ("part", "name"),
    [("quick", "go"), ("check", "chromium"), ("toolchain", "chromium"), ("end-to-end", "chromium")],
)
def test_a_part_asks_only_for_what_it_needs(machine: Machine, part: str, name: str) -> None:
    machine.lacks(name)
    assert machine.prepare(part) == (0, [])


def test_root_on_debian_gets_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    machine = Machine(tmp_path, root=True)
    machine.lacks("chromium")
    browser = tmp_path / "google-chrome"
    installs = f"case $1 in install) : > {browser}; /bin/chmod +x {browser};; esac"
    machine.has("apt-get", f'echo "$@" >> {tmp_path}/calls; {installs}')
    assert machine.prepare() == (0, ["prepare: installing chromium fonts-dejavu-core"])
    update, install = (tmp_path / "calls").read_text().splitlines()
    assert update.startswith("update")
    assert install.endswith("-y --no-install-recommends chromium fonts-dejavu-core")


def test_what_could_not_be_installed_is_said(tmp_path: Path) -> None:
    machine = Machine(tmp_path, root=True)
    machine.lacks("chromium")
    machine.has("apt-get")
    assert machine.prepare()[1][-1] == f"prepare: {NO_CHROMIUM}"


def test_who_is_not_root_installs_nothing(machine: Machine) -> None:
    machine.lacks("chromium")
    machine.has("apt-get", f": > {machine.folder}/called")
    assert machine.prepare()[0] == 1
    assert not (machine.folder / "called").exists()


def test_an_unknown_part_is_refused(machine: Machine) -> None:
    assert machine.prepare("everything")[0] == 2


def test_the_browsers_are_those_that_the_tests_look_for() -> None:
    (names,) = re.findall(r"is_there (chromium .*) \|\|", PREPARE.read_text())
    assert tuple(names.split()) == NAMES
