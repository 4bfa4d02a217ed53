"""Integration: `pip install daskfleet`, from the wheel and outside of the checkout."""

import os
import sys
import zipfile
from pathlib import Path

import pytest

from daskfleet.verbs import FOR_MEMBERS, VERBS
from tests.package.installing import Installed, build_wheel, installed
from tests.project import PROJECT_DIR
from tests.pythons import python_of

PYTHONS = (11, 12, 13, 14)
"""Minor releases of Python 3 that the package is for."""

LIGHT = """
import sys
import daskfleet
print([each for each in ("distributed", "dask", "kr8s", "httpx", "pydantic", "typer")
       if each in sys.modules])
"""
NOTHING_OF_THE_PLATFORM = """
import importlib, pkgutil, sys
import daskfleet.team, daskfleet.client, daskfleet.access
DASK = ("daskfleet.client.team_client", "daskfleet.client.fitting", "daskfleet.client.inside")
ELSEWHERE = (*DASK, "daskfleet.team.verify.collect.in_namespace",
             "daskfleet.team.cluster_spec.planned", "daskfleet.access.state_lock")
for room in (daskfleet.team, daskfleet.client, daskfleet.access):
    for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        if not module.name.startswith(ELSEWHERE):
            importlib.import_module(module.name)
print([each for each in ("pulumi", "grpc", "google", "daskfleet.settings", "daskfleet.planning")
       if each in sys.modules])
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """What a member installs, with the Python of these tests."""
    return installed(wheel, tmp_path_factory.mktemp("base") / "venv", python=Path(sys.executable))


def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    here = {
        str((Path(folder) / name).relative_to(PROJECT_DIR))
        for package in ("daskfleet", "in_cluster", "components", "manifests")
        for folder, _, names in os.walk(PROJECT_DIR / package)
        if not folder.endswith("__pycache__")
        for name in names
    }
    assert inside == here


def test_a_member_has_a_command_and_a_module_that_is_light(base: Installed, tmp_path: Path) -> None:
    assert base.daskfleet("--version", home=tmp_path).stdout.startswith("daskfleet 0.")
    said = base.daskfleet("--help", home=tmp_path).stdout
    assert [name for name in VERBS if f" {name} " not in said] == []
    assert base.run("-c", LIGHT, home=tmp_path).stdout == "[]\n"


def test_little_else_is_installed(base: Installed) -> None:
    names = {each.partition("-")[0].lower() for each in base.packages}
    assert {"pulumi", "grpcio", "protobuf", "google_auth", "distributed", "dask"} & names == set()
    assert len(names) <= 35


def test_what_members_run_needs_nothing_of_the_platform(base: Installed, tmp_path: Path) -> None:
    done = base.run("-c", NOTHING_OF_THE_PLATFORM, home=tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("verb", [name for name in VERBS if VERBS[name].users == FOR_MEMBERS])
def test_a_members_verb_has_what_it_needs(verb: str, base: Installed, tmp_path: Path) -> None:
    assert f"Usage: daskfleet {verb}" in base.daskfleet(verb, "--help", home=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("recover", "--help"), "needs the package `psutil`, which is not installed: pip install"),
        (("doctor", "--help"), "pip install 'daskfleet[platform]'"),
        (("review", "--help"), "`daskfleet review` needs the whole repository. Clone"),
        (("rehearse", "up"), "`daskfleet rehearse` needs the whole repository. Clone"),
        (("report",), "`daskfleet report` needs the whole repository. Clone"),
    ],
)
def test_another_verb_says_what_it_lacks(
    arguments: tuple[str, ...], words: str, base: Installed, tmp_path: Path
) -> None:
    done = base.daskfleet(*arguments, home=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_stack_file_is_looked_for_in_the_folder_and_not_in_the_package(
    base: Installed, tmp_path: Path
) -> None:
    done = base.daskfleet("cluster-spec", "fraud", "--stack", "prod", home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"There is no stack file in {tmp_path}/stacks." in done.stderr


def test_a_python_without_dask_is_told_at_once(base: Installed, tmp_path: Path) -> None:
    done = base.run("-c", "import daskfleet; daskfleet.connect()", home=tmp_path)
    assert "NoDistributedError: This Python has no `distributed`" in done.stderr


# Minutes where packages have to be downloaded.
@pytest.mark.soak
@pytest.mark.parametrize("minor", PYTHONS)
def test_every_python_takes_it(minor: int, wheel: Path, tmp_path: Path) -> None:
    python = python_of(minor)
    if python is None:
        pytest.skip(f"this machine has no Python 3.{minor} that can make virtual environments")
    made = installed(wheel, tmp_path / "venv", python=python)

    assert made.daskfleet("--version", home=tmp_path).stdout.startswith("daskfleet 0.")
    assert "connect" in made.daskfleet("--help", home=tmp_path).stdout
    assert made.run("-c", LIGHT, home=tmp_path).stdout == "[]\n"
    done = made.run("-c", NOTHING_OF_THE_PLATFORM, home=tmp_path)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.soak
def test_the_platforms_verbs_have_what_they_need(wheel: Path, tmp_path: Path) -> None:
    extra = f"daskfleet[platform] @ {wheel.as_uri()}"
    made = installed(wheel, tmp_path / "venv", extra, python=Path(sys.executable))
    for name, verb in VERBS.items():
        if not verb.needs_checkout:
            done = made.daskfleet(name, "--help", home=tmp_path)
            assert f"Usage: daskfleet {name}" in done.stdout, done.stderr
