"""With the real `pulumi`: what its words look like, and that nothing is written."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from daskfleet.platform.doctor.model import Outcome
from rehearsal.toolchain import Binaries, ensure_toolchain
from tests.daskfleet.platform.doctor.examined import PROJECT, STACK, Machine, this_host
from tests.project import PROJECT_DIR

pytestmark = pytest.mark.rehearsal


@pytest.fixture(scope="session")
def binaries() -> Binaries:
    """The toolchain."""
    return ensure_toolchain(progress=print)


@pytest.fixture
def logged_in(well: Machine, binaries: Binaries) -> Machine:
    """A machine with the real CLI, logged in to a directory that has no stack."""
    well.remove("pulumi")
    # `stack init` writes a salt into the stack file of the project that it runs in.
    shutil.copy(PROJECT_DIR / "Pulumi.yaml", well.directory)
    teams = [{"name": "fraud", "workers": 2}]
    well.stack_file(config={"daskfleet:project": PROJECT, "daskfleet:teams": teams})
    well.environment |= {
        "PATH": os.pathsep.join((str(well.directory / "bin"), str(binaries.pulumi.parent))),
        "PULUMI_HOME": str(well.directory / "home"),
        "PULUMI_BACKEND_URL": f"file://{well.directory}/state",
        "PULUMI_SKIP_UPDATE_CHECK": "1",
    }
    return well


def pulumi(machine: Machine, *arguments: str) -> None:
    executable = f"{machine.environment['PATH'].rpartition(os.pathsep)[2]}/pulumi"
    subprocess.run(
        [executable, *arguments, "--non-interactive"],
        cwd=machine.directory,
        env=machine.environment,
        check=True,
    )


def files_of(directory: Path) -> dict[str, bytes]:
    return {str(f): f.read_bytes() for f in sorted(directory.rglob("*")) if f.is_file()}


def test_a_stack_is_missing_until_it_is_made_and_locked_while_a_lock_is_left(
    logged_in: Machine,
) -> None:
    missing = logged_in.found(Outcome.WRONG)
    assert [finding.command for finding in missing] == [f"pulumi stack init {STACK}"]

    pulumi(logged_in, "stack", "init", STACK, "--no-select")
    assert logged_in.found(Outcome.WRONG) == []

    logged_in.leave_lock(this_host())
    before = files_of(logged_in.directory / "state")
    (locked,) = logged_in.found(Outcome.WRONG)
    assert locked.command == f"daskfleet recover --stack {STACK}"
    assert files_of(logged_in.directory / "state") == before


def test_plugins_that_nobody_has_installed_are_a_warning(logged_in: Machine) -> None:
    warned = logged_in.found(Outcome.WARNING)
    assert [finding.subject for finding in warned] == [
        "provider plugin gcp",
        "provider plugin kubernetes",
        "provider plugin tls",
    ]


def test_a_backend_that_is_not_there_is_told_in_the_clis_words(logged_in: Machine) -> None:
    logged_in.environment["PULUMI_BACKEND_URL"] = "file:///no/such/directory"
    (wrong,) = logged_in.found(Outcome.WRONG)
    assert wrong.there.startswith("unable to open bucket file:///no/such/directory")
