"""End to end: somebody who has a kubeconfig, an environment with the wheel, and nothing else."""

import operator
import os
import signal
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
from distributed import Client

import daskfleet
from daskfleet import errors
from tests.daskfleet.team.verify.environments import SHARED
from tests.package.installing import Installed, build_wheel, installed
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.real_dask.test_connect import TEAM, scheduler_of

pytestmark = pytest.mark.rehearsal

THREE_LINES = f"""
import daskfleet
client = daskfleet.connect("{TEAM}")
print(client.submit(sum, [40, 2]).result())
"""


@pytest.fixture(scope="module")
def member(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel, and the Dask of the team's image, in the Python that its pods have here."""
    directory = tmp_path_factory.mktemp("member")
    wheel = build_wheel(directory / "dist")
    dask = [f"{name}=={metadata.version(name)}" for name in SHARED]
    begun = time.monotonic()
    made = installed(wheel, directory / "venv", *dask, python=Path(sys.executable))
    print(f"installed in {time.monotonic() - begun:.1f} s")  # noqa: T201 - docs/connect.md
    return made


def test_three_lines_of_python_have_a_result(
    fleet: RunningRehearsal, member: Installed, tmp_path: Path
) -> None:
    environment_of(fleet, "alice@example.com", home=tmp_path)
    for run in ("first", "second"):
        begun = time.monotonic()
        done = member.run("-c", THREE_LINES, home=tmp_path)
        took_s = time.monotonic() - begun
        print(f"{run} result after {took_s:.1f} s")  # noqa: T201 - docs/connect.md
        assert (done.stdout, done.stderr) == ("42\n", "")


def test_the_environment_that_is_printed_is_the_one_that_fits(
    fleet: RunningRehearsal, member: Installed, tmp_path: Path
) -> None:
    environment_of(fleet, "alice@example.com", home=tmp_path)
    done = member.daskfleet("environment", TEAM, home=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("dask", "distributed", "pandas"):
        assert f"{name}=={metadata.version(name)}" in done.stdout.splitlines()


def test_a_client_goes_on_when_the_scheduler_is_in_another_pod(
    fleet: RunningRehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = environment_of(fleet, "alice@example.com", home=tmp_path)
    monkeypatch.setenv("KUBECONFIG", str(Path(alice["HOME"]) / ".kube" / "config"))
    with daskfleet.connect(TEAM) as client:
        assert client.submit(operator.add, 40, 2).result(timeout=30) == 42
        os.kill(client.run_on_scheduler(os.getpid), signal.SIGKILL)
        assert computes_again(client)

        before = scheduler_of(fleet)
        kubectl(fleet, "--namespace", TEAM, "delete", "pod", before)
        assert computes_again(client)
        assert scheduler_of(fleet) != before


def computes_again(client: Client) -> bool:
    """Whether the same client gets an answer, as soon as it has found the scheduler again."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            return bool(client.submit(operator.add, 40, 2, pure=False).result(timeout=60) == 42)
        except Exception:  # noqa: BLE001 - CancelledError, or that there is no connection just now
            time.sleep(0.5)
    return False


def test_a_member_of_another_team_gets_an_exception_of_a_type_of_its_own(
    fleet: RunningRehearsal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = environment_of(fleet, "alice@example.com", home=tmp_path)
    monkeypatch.setenv("KUBECONFIG", str(Path(alice["HOME"]) / ".kube" / "config"))
    with pytest.raises(errors.NotAMemberError, match="has no team genomics, or you are not one"):
        daskfleet.connect("genomics")
