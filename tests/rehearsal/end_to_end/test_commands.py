"""End to end: the commands as they are typed, on the production stack's settings."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.toolchain import Binaries
from rehearsal.workspace import Workspace
from tests.project import PROJECT_DIR
from tests.tiers.long_files import LONG
from tests.tiers.providers import chosen_providers
from tests.warm_python.fixtures import cold_python

pytestmark = LONG

STACK = f"prod-of-test-{os.getpid()}"
PROD = PROJECT_DIR / "stacks" / "Pulumi.prod.yaml"


@pytest.fixture
def workspace(binaries: Binaries) -> Iterator[Workspace]:
    """A stack of this test alone, for which every Python starts as a user's does."""
    del binaries
    made = Workspace.of_stack(PROJECT_DIR, STACK)
    with cold_python():
        yield made
    end_rehearsal(made, report=print)
    made.lock_file.unlink(missing_ok=True)


def test_the_production_stack_comes_up_is_looked_at_by_hand_and_goes(workspace: Workspace) -> None:
    prod = PROD.read_bytes()
    plugins = ("--providers", chosen_providers())
    options = ("--config-file", str(PROD), *plugins, "--dask", "place", "--json")
    up = daskfleet("rehearse up", *options)
    report = json.loads(up.stdout)
    assert [claim for claim in report["claims"] if not claim["holds"]] == []
    assert len(report["claims"]) == 11
    assert all(step["duration_s"] > 0 for step in report["steps"])
    assert PROD.read_bytes() == prod

    by_shell = daskfleet("rehearse shell").stdout
    script = f"{by_shell}\npulumi preview --expect-no-changes && pulumi stack ls"
    by_hand = subprocess.run(
        ["/bin/sh", "-ec", script], cwd=PROJECT_DIR, capture_output=True, text=True, check=False
    )
    assert by_hand.returncode == 0, by_hand.stdout + by_hand.stderr
    assert STACK in by_hand.stdout
    assert PROD.read_bytes() == prod

    assert json.loads(daskfleet("rehearse status", "--json").stdout)["pods"] == report["pods"]
    daskfleet("report", stack="--rehearsal")
    page = (workspace.directory / "report.html").read_text(encoding="utf-8")
    drawn = [*report["pods"], *report["nodes"], *report["pools"]]
    assert len(report["nodes"]) > 10
    assert [each["name"] for each in drawn if each["name"] not in page] == []

    daskfleet("rehearse down")
    assert not workspace.directory.exists()


def daskfleet(
    verb: str, *options: str, stack: str = "--stack"
) -> "subprocess.CompletedProcess[str]":
    """Type a command for the stack, and expect it to succeed."""
    command = [sys.executable, "-m", "daskfleet", *verb.split(), stack, STACK, *options]
    done = subprocess.run(command, cwd=PROJECT_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done
