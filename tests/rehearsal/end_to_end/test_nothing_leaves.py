"""End to end: an `up` and the doctor where there is only loopback, and nobody tries to leave."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rehearsal.toolchain import Binaries
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.alone.__main__ import PROBE_ADDRESS, PROBE_NAME
from tests.tiers.long_files import LONG

pytestmark = LONG

UNSHARE = ("unshare", "--map-root-user", "--net", "--mount")
ON_PURPOSE = {f"name {PROBE_NAME}", f"tcp {PROBE_ADDRESS[0]}:{PROBE_ADDRESS[1]}"}


def can_be_alone() -> bool:
    """Whether this machine gives somebody namespaces of the own."""
    tools = ("unshare", "ip", "mount")
    if not all(shutil.which(each) for each in tools):
        return False
    tried = subprocess.run(
        [*UNSHARE, "ip", "link", "set", "lo", "up"], capture_output=True, check=False
    )
    return tried.returncode == 0


@pytest.mark.skipif(not can_be_alone(), reason="this machine gives no network namespaces")
def test_a_whole_up_and_the_doctor_dial_nothing_but_loopback(
    binaries: Binaries, tmp_path: Path
) -> None:
    del binaries  # built, if they are not there, while there is a network
    run = subprocess.run(
        [*UNSHARE, sys.executable, "-m", "tests.rehearsal.end_to_end.alone", str(tmp_path)],
        cwd=PROJECT_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr

    told = json.loads(run.stdout.splitlines()[-1])

    assert set(told["attempts"]) >= ON_PURPOSE
    assert sorted(set(told["attempts"]) - ON_PURPOSE) == []
    assert told["changed_again"] == 0
    assert {each["outcome"] for each in told["doctor"]} == {"ok"}
    assert {each["area"] for each in told["doctor"]} >= {"APIs", "permissions", "quota", "zone"}
