"""End to end: a cluster of a member's own in a team with TLS, as docs/ephemeral.md makes it."""

import json
from pathlib import Path

from distributed import Client, Security

from tests.rehearsal.end_to_end.connect_command import connected
from tests.rehearsal.end_to_end.kubectl import forwarded, kubectl
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import Done, typed
from tests.rehearsal.end_to_end.waiting import until
from tests.rehearsal.showcase.cluster_quota import until_counted
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "atmosphere"
ALICE = "alice@example.com"
OWN = f"{TEAM}-alice"
SCHEDULER = ("--selector", f"dask.org/cluster-name={OWN},dask.org/component=scheduler")
PODS = ("--selector", f"dask.org/cluster-name={OWN}")


def as_alice(fleet: RunningRehearsal, *arguments: str) -> Done:
    done = typed(fleet, "kubectl", "--as", ALICE, "--namespace", TEAM, *arguments)
    assert done.returncode == 0, done.stderr
    return done


def test_a_member_makes_it_with_kubectl_and_connects_with_the_teams_certificate(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    spec = tmp_path / "cluster.yaml"
    written = ("daskfleet", "cluster-spec", TEAM, "--stack", "showcase", "--name", OWN)
    spec.write_text(typed(showcase, *written).stdout, "utf-8")
    until_counted(showcase, TEAM)

    as_alice(showcase, "create", "--filename", str(spec))
    as_alice(showcase, "wait", "pod", *SCHEDULER, "--for=create")
    as_alice(showcase, "wait", "pod", *SCHEDULER, "--for=condition=Ready", "--timeout=120s")

    with (
        connected(showcase, TEAM, tmp_path) as connection,
        forwarded(showcase, f"service/{OWN}-scheduler", 8786, namespace=TEAM) as address,
    ):
        files = json.loads(connection.file.read_text("utf-8"))["tls"]
        security = Security(**files, require_encryption=True)
        with Client(f"tls://{address}", security=security, timeout=60) as client:
            client.wait_for_workers(1, timeout=60)
            assert client.submit(sum, range(10)).result(timeout=60) == 45
    as_alice(showcase, "delete", "daskcluster", OWN)
    until(lambda: not pods(showcase))


def pods(fleet: RunningRehearsal) -> list[str]:
    return kubectl(fleet, "--namespace", TEAM, "get", "pods", *PODS, "--output=name").split()
