"""End to end: a member makes a Dask cluster of their own, and cannot reach the fixed one."""

import json
import subprocess
import sys
from pathlib import Path

import yaml

from tests.rehearsal.end_to_end.kubectl import kubectl
from tests.rehearsal.end_to_end.member_login import environment_of, kubeconfig_of
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import Done, typed
from tests.rehearsal.showcase.cluster_quota import until_counted
from tests.tiers.long_files import LONG

pytestmark = LONG

TEAM = "biology"
GRACE = "grace@example.com"
PROGRAM = Path(__file__).with_name("own_cluster.py")


def as_grace(fleet: RunningRehearsal, *arguments: str) -> Done:
    return typed(fleet, "kubectl", "--as", GRACE, "--namespace", TEAM, *arguments)


def test_a_member_makes_uses_and_deletes_a_cluster_on_the_teams_pools(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text(kubeconfig_of(showcase, GRACE, directory=tmp_path), "utf-8")
    published = as_grace(showcase, "get", "configmap", "dask-cluster-spec", "--output", "json")
    spec = tmp_path / "cluster.yaml"
    text = json.loads(published.stdout)["data"]["cluster.yaml"]
    spec.write_text(text.replace(f"{TEAM}-own", f"{TEAM}-grace"), "utf-8")

    until_counted(showcase, TEAM)
    done = typed(
        showcase,
        *(sys.executable, str(PROGRAM), str(spec), TEAM),
        environment={"KUBECONFIG": str(kubeconfig)},
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["total"] == 45
    assert "-scheduler-pool-" in found["nodes"]["scheduler"]
    assert "-a100-" in found["nodes"]["worker"]
    left = kubectl(showcase, "-n", TEAM, "get", "daskclusters", "--output", "name")
    assert left.split() == [f"daskcluster.kubernetes.dask.org/{TEAM}"]


def test_the_spec_of_the_command_is_made_by_a_member_with_a_kubeconfig_alone(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    done = subprocess.run(
        (sys.executable, "-m", "daskfleet", "cluster-spec", TEAM, "--name", f"{TEAM}-grace"),
        cwd=tmp_path,
        env=environment_of(showcase, GRACE, home=tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    spec = tmp_path / "cluster.yaml"
    spec.write_text(done.stdout, "utf-8")

    made = as_grace(showcase, "create", "--dry-run=server", "--filename", str(spec))
    assert made.returncode == 0, made.stderr


def test_a_member_cannot_reach_the_fixed_cluster_nor_secrets(
    showcase: RunningRehearsal, tmp_path: Path
) -> None:
    published = as_grace(showcase, "get", "configmap", "dask-cluster-spec", "--output", "json")
    own = yaml.safe_load(json.loads(published.stdout)["data"]["cluster.yaml"])
    group = ("daskworkergroup", f"{TEAM}-default", "--type=merge")
    bounds = ("daskautoscaler", TEAM, "--type=merge")
    refused = {
        "delete the cluster": ("delete", "daskcluster", TEAM),
        "write its pods": ("patch", *group, '--patch={"spec":{"worker":{"replicas":0}}}'),
        "move its bounds": ("patch", *bounds, '--patch={"spec":{"maximum":9}}'),
        "delete its bounds": ("delete", "daskautoscaler", TEAM),
    }
    secret = {"name": "x", "secret": {"secretName": "somebody-elses"}}
    pod = own["spec"]["worker"]["spec"]
    changes = {
        "serviceAccountName": "default",
        "volumes": [*pod["volumes"], secret],
        "priorityClassName": "system-node-critical",
    }
    for key, value in changes.items():
        changed = {**own["spec"]["worker"], "spec": {**pod, key: value}}
        file = tmp_path / f"{key}.yaml"
        file.write_text(
            yaml.safe_dump({**own, "spec": {**own["spec"], "worker": changed}}), "utf-8"
        )
        refused[f"spec.worker.spec.{key}"] = ("create", "--filename", str(file))

    for what, arguments in refused.items():
        done = as_grace(showcase, *arguments)
        assert done.returncode != 0, what
        assert "ValidatingAdmissionPolicy" in done.stderr, (what, done.stderr)
        assert not what.startswith("spec.") or f"template: {what}." in done.stderr, done.stderr
