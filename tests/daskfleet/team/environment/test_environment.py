"""What fits a scheduler, as pip, conda and Docker take it."""

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from distributed import LocalCluster
from distributed.versions import get_versions
from packaging.requirements import Requirement
from typer.testing import CliRunner

from daskfleet.cli import app
from daskfleet.team.environment.formats import (
    NAMES,
    UnusableVersionError,
    checked,
    conda_environment,
    image_commands,
    requirements,
)
from tests.daskfleet.client.played_fleet import played, pod
from tests.daskfleet.team.connect.api_server import Namespace

PACKAGES = {"python": "3.13.1", "dask": "2026.8.0", "msgpack": "1.1.0", "lz4": "4.4.4"}


def test_pip_gets_a_requirements_file_that_says_which_python() -> None:
    text = requirements(PACKAGES, source="What team fraud has.")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines == ["dask==2026.8.0", "lz4==4.4.4", "msgpack==1.1.0"]
    assert "# What team fraud has.\n# It runs Python 3.13.1: python3.13 -m venv" in text


def test_conda_gets_its_own_names() -> None:
    text = conda_environment(PACKAGES, name="fraud", source="What team fraud has.")
    assert yaml.safe_load(text) == {
        "name": "fraud",
        "channels": ["conda-forge"],
        "dependencies": [
            "python=3.13.1",
            "dask-core=2026.8.0",
            "lz4=4.4.4",
            "msgpack-python=1.1.0",
        ],
    }


@pytest.mark.parametrize("version", ["1.0\n-e git+https://x", "1.0 --index-url x", "", "../x"])
def test_what_is_no_version_is_not_written(version: str) -> None:
    with pytest.raises(UnusableVersionError, match="which is no version"):
        checked({**PACKAGES, "dask": version})


@pytest.mark.parametrize(
    "name",
    [
        "--index-url=https://x/ #",
        "numpy @ https://x/numpy.whl #",
        "dask\n-e git+https://x",
        "nunpy",
    ],
)
def test_what_dask_does_not_compare_is_not_written(name: str) -> None:
    with pytest.raises(UnusableVersionError, match="not a package that Dask compares") as refused:
        checked({**PACKAGES, name: "1.0"})
    assert str(refused.value).isprintable()


def test_every_package_that_dask_compares_is_known() -> None:
    assert set(get_versions()["packages"]) == NAMES


def test_a_scheduler_that_hides_its_python_is_no_traceback() -> None:
    with pytest.raises(UnusableVersionError, match="does not tell its version of Python"):
        checked({"dask": "2026.8.0"})


def test_an_image_is_one_word_of_the_command() -> None:
    text = image_commands("x/y:1; curl evil | sh", team="fraud")
    assert "'x/y:1; curl evil | sh' python\n" in text


@pytest.fixture
def member(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Namespace]:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    with LocalCluster(
        n_workers=0, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        namespace = Namespace(pod("one", scheduler=cluster.scheduler_address))
        with played(namespace, tmp_path):
            yield namespace


@pytest.mark.usefixtures("member")
def test_it_is_asked_of_the_scheduler() -> None:
    done = CliRunner().invoke(app, ["environment", "fraud"])
    assert done.exit_code == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    pinned = {each.name: str(each.specifier) for each in map(Requirement, lines)}
    assert pinned["distributed"] == f"=={metadata.version('distributed')}"
    assert pinned["pandas"] == f"=={metadata.version('pandas')}"
    assert "python" not in pinned
    assert f"It runs Python {'.'.join(map(str, sys.version_info[:3]))}:" in done.stdout


@pytest.mark.usefixtures("member")
def test_the_image_is_run_beside_the_tunnel() -> None:
    done = CliRunner().invoke(app, ["environment", "fraud", "--format", "image"])
    assert done.exit_code == 0
    assert "daskfleet connect fraud\n" in done.stdout
    assert "docker run --rm --interactive --tty --network host" in done.stdout


def test_what_stands_in_the_way_is_said(member: Namespace) -> None:
    member.notice_status = 403
    done = CliRunner().invoke(app, ["environment", "fraud"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "you are not one of its members" in done.stderr
