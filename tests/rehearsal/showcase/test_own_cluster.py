"""End to end: `daskfleet.Cluster` as a member runs it, with TLS and without, and how it goes."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.showcase.cluster_quota import until_counted
from tests.tiers.long_files import LONG

pytestmark = LONG

MEMBERS = {"biology": "grace@example.com", "atmosphere": "alice@example.com"}
"""The second team has TLS."""

PROGRAM = """
import json, sys
from daskfleet.client.own_cluster import Cluster
with Cluster(sys.argv[1], workers=0, timeout_s=180) as cluster:
    cluster.scale(1)
    client = cluster.get_client()
    client.wait_for_workers(1, timeout=120)
    total = client.submit(sum, range(10)).result(timeout=60)
    print(json.dumps({"total": total, "name": cluster.name, "at": cluster.scheduler_address}))
"""


@pytest.mark.parametrize(("team", "scheme"), [("biology", "tcp"), ("atmosphere", "tls")])
def test_a_member_has_a_cluster_for_as_long_as_a_block_of_python(
    showcase: RunningRehearsal, tmp_path: Path, team: str, scheme: str
) -> None:
    member = environment_of(showcase, MEMBERS[team], home=tmp_path)
    until_counted(showcase, team)

    done = run(member, team)

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["total"] == 45
    assert found["at"].startswith(f"{scheme}://127.0.0.1:")
    until(lambda: clusters(showcase, team) == [f"daskcluster.kubernetes.dask.org/{team}"])


def run(environment: Mapping[str, str], team: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, with a kubeconfig and nothing of Pulumi."""
    return subprocess.run(
        (sys.executable, "-c", PROGRAM, team),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )


def clusters(fleet: RunningRehearsal, team: str) -> list[str]:
    """Return the team's DaskClusters."""
    return kubectl(fleet, "-n", team, "get", "daskclusters", "--output", "name").split()
