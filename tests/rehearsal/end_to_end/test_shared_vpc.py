"""End to end: a fleet in another project's network, by following the page word by word."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from rehearsal.stage.teardown import end_rehearsal
from rehearsal.supervisor.launch import live_supervisor
from rehearsal.toolchain import Binaries
from rehearsal.workspace import Workspace
from tests.project import PROJECT_DIR
from tests.tiers.long_files import LONG
from tests.tiers.providers import chosen_providers

pytestmark = LONG

STACK = "shared-vpc"
"""The page's own: the doctor looks for the stack's file."""

PAGE = PROJECT_DIR / "docs" / "network.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
HOST = "projects/example-host"
NOBODY_MAY = "Kubernetes Engine Service Agent is missing required permissions on this project"

Finding = dict[str, Any]


@pytest.fixture
def workspace(binaries: Binaries) -> Iterator[Workspace]:
    """The stage of the page's stack."""
    del binaries
    made = Workspace.of_stack(PROJECT_DIR, STACK)
    yield made
    end_rehearsal(made, report=print)
    made.lock_file.unlink(missing_ok=True)


def test_a_fleet_comes_up_in_another_project_s_network(workspace: Workspace) -> None:
    begin, make, let_in = blocks()
    up, shell = begin
    *network, doctor = make
    *grants, _, _ = let_in

    refused = typed(up)
    assert refused.returncode != 0
    assert NOBODY_MAY in words(refused), words(refused)

    done = typed(shell, *network)
    assert done.returncode == 0, done.stderr
    wrong = [each for each in findings(typed(shell, f"{doctor} --json")) if is_wrong(each)]
    roles = [each["subject"] for each in wrong if "add-iam-policy-binding" in each["command"]]
    user = "roles/compute.networkUser in example-host"
    assert roles == ["roles/container.hostServiceAgentUser in example-host", user, user]
    (attach,) = (each["command"] for each in wrong if each["subject"] not in roles)
    assert attach in PAGE.read_text("utf-8")

    done = typed(shell, *network[:1], *grants)
    assert done.returncode == 0, done.stderr
    well = typed(shell, f"{doctor} --json")
    assert [each for each in findings(well) if is_wrong(each)] == []
    assert well.returncode == 0

    done = typed(f"{up} --json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [claim for claim in report["claims"] if not claim["holds"]] == []
    assert is_in_the_host_s_network(workspace)

    moved = typed(shell, "pulumi preview --config daskfleet:network={}")
    assert moved.returncode != 0
    said = words(moved)
    assert re.search(r"replace resource .*cluster-control-plane", said), said
    assert "protect" in said


def blocks() -> tuple[tuple[str, ...], ...]:
    """The commands of the page's last section, block by block."""
    section = PAGE.read_text("utf-8").partition("## Rehearse it")[2]
    return tuple(
        tuple(line.removeprefix("$ ") for line in block.splitlines())
        for block in BLOCK.findall(section)
    )


def typed(*commands: str) -> "subprocess.CompletedProcess[str]":
    """Type commands of the page."""
    options = f"--providers {chosen_providers()} --dask place"
    script = "\n".join(commands).replace("rehearse up ", f"rehearse up {options} ")
    script = re.sub(r"\bdaskfleet (?=rehearse|doctor)", f"{sys.executable} -m daskfleet ", script)
    return subprocess.run(
        ["/bin/bash", "-euc", script],
        cwd=PROJECT_DIR,
        env={**os.environ, "PYTHONPATH": str(PROJECT_DIR), "COLUMNS": "400"},
        capture_output=True,
        text=True,
        check=False,
    )


def words(done: "subprocess.CompletedProcess[str]") -> str:
    """What a command said, in one line."""
    return " ".join((done.stdout + done.stderr).split())


def findings(done: "subprocess.CompletedProcess[str]") -> list[Finding]:
    """What the doctor found."""
    found: list[Finding] = json.loads(done.stdout)["findings"]
    return found


def is_wrong(finding: Finding) -> bool:
    """Whether `up` would fail."""
    return bool(finding["outcome"] == "wrong")


def is_in_the_host_s_network(workspace: Workspace) -> bool:
    """Whether the cluster is in the host's network, and its own project has none."""
    supervisor = live_supervisor(workspace)
    assert supervisor is not None
    own = "projects/example-research"
    networks = google(supervisor.base_url, f"compute/v1/{own}/global/networks")
    found = google(supervisor.base_url, f"container/v1beta1/{own}/locations/-/clusters")
    (cluster,) = found["clusters"]
    network = cluster["networkConfig"]
    return (
        not networks.get("items")
        and network["network"] == f"{HOST}/global/networks/company"
        and network["subnetwork"] == f"{HOST}/regions/us-central1/subnetworks/research"
    )


def google(base_url: str, path: str) -> dict[str, Any]:
    """Return what the emulated Google answers."""
    answer: dict[str, Any] = httpx.get(f"{base_url}/{path}").raise_for_status().json()
    return answer
