"""End to end: the ways to a team's cluster that docs/connect.md has, from this machine."""

import json
import operator
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from distributed import Client

from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import typed
from tests.rehearsal.real_dask.conftest import SOURCES

pytestmark = pytest.mark.rehearsal

TEAM = "climate"
FROM_NAME = f"""
from dask.distributed import Client
from dask_kubernetes.operator import KubeCluster
ways = {{"namespace": "{TEAM}", "port_forward_cluster_ip": True, "quiet": True}}
with KubeCluster.from_name("{TEAM}", **ways) as cluster:
    with Client(cluster) as client:
        print(client.submit(sum, [40, 2]).result(timeout=30))
"""


def test_one_address_of_this_machine_outlives_the_scheduler_behind_it(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    with connected(fleet, TEAM, tmp_path) as connection:
        assert connection.address in connection.line
        with Client(scheduler_file=str(connection.file), timeout=30) as client:
            assert client.submit(operator.add, 40, 2).result(timeout=30) == 42
            os.kill(client.run_on_scheduler(os.getpid), signal.SIGKILL)
        assert computes_at(connection.address)

        kubectl(fleet, "--namespace", TEAM, "delete", "pod", scheduler_of(fleet))
        assert computes_at(connection.address)
        assert f"forwarding to pod {scheduler_of(fleet)}" in connection.news.read_text("utf-8")


def test_a_member_needs_a_kubeconfig_and_nothing_of_pulumi(
    fleet: RunningRehearsal, tmp_path: Path
) -> None:
    alice = environment_of(fleet, "alice@example.com", home=tmp_path)
    assert [name for name in alice if name.startswith("PULUMI")] == []
    assert shutil.which("pulumi", path=alice["PATH"]) is None

    with connected(fleet, TEAM, tmp_path, environment=alice) as connection:
        assert computes_at(connection.address)
        assert "reading the notice in namespace climate" in connection.news.read_text("utf-8")

    woken = asked(alice, "wake", TEAM)
    assert woken.returncode == 0, woken.stderr
    assert "are not asleep. Nothing was done" in woken.stderr

    checks = json.loads(asked(alice, "verify", TEAM, "--json").stdout)["teams"][0]["checks"]
    outcomes = {check["name"]: check["outcome"] for check in checks}
    assert outcomes["computation"] == outcomes["pods ready"] == "ok"
    assert outcomes["pods on their pools"] == "not measured"  # members may not read nodes
    assert "failed" not in outcomes.values()


def test_a_member_of_another_team_is_told_so(fleet: RunningRehearsal, tmp_path: Path) -> None:
    alice = environment_of(fleet, "alice@example.com", home=tmp_path)

    for team in ("genomics", "nobodys"):
        done = asked(alice, "connect", team)
        assert done.returncode == 1
        assert f"has no team {team}, or you are not one of its members" in done.stderr
        assert done.stdout == ""


def asked(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in an environment and no other."""
    return subprocess.run(
        (sys.executable, "-m", "daskfleet", *arguments),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def computes_at(address: str) -> bool:
    """Whether a new client gets an answer, in the time that it takes to start again."""
    with Client(address, timeout=60) as client:
        return bool(client.submit(operator.add, 40, 2, pure=False).result(timeout=60) == 42)


@pytest.mark.soak(every=3)
def test_kubecluster_from_name_uses_the_team_s_cluster_and_leaves_it_as_it_was(
    fleet: RunningRehearsal,
) -> None:
    before = fleet.dask_pods(TEAM).keys()
    done = typed(fleet, sys.executable, "-c", FROM_NAME)
    assert done.stdout == "42\n", done.stderr
    assert fleet.dask_pods(TEAM).keys() == before


@pytest.mark.soak(every=3)
def test_an_address_in_the_vpc_is_for_the_listed_sources_and_told(fleet: RunningRehearsal) -> None:
    shown = kubectl(fleet, "--namespace", TEAM, "get", "service", "dask-internal", "-o", "json")
    service = json.loads(shown)
    outputs = json.loads(typed(fleet, "pulumi", "stack", "output", "--json").stdout)
    ((given,),) = (service["status"]["loadBalancer"]["ingress"],)
    assert outputs["teams"][TEAM]["internal_address"] == f"tcp://{given['ip']}:8786"
    assert service["spec"]["loadBalancerSourceRanges"] == SOURCES


def scheduler_of(fleet: RunningRehearsal) -> str:
    """Name of the team's scheduler pod."""
    (pod,) = (pod for pod in fleet.dask_pods(TEAM).values() if pod.role == "scheduler")
    return pod.name
