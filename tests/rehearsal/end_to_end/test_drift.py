"""End to end: each kind of difference is made, attributed, and taken back as the report says."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rehearsal.report.requests import Mark, google_writes, kubernetes_writes, lines_since
from rehearsal.up import PROGRAM_USER
from tests.rehearsal.end_to_end.drift_command import Rows, as_told, forced_up, kubectl, looked_at
from tests.rehearsal.end_to_end.hand_edits import (
    at_gke,
    extra_dask_cluster,
    scale_with_dask_kubernetes,
)
from tests.rehearsal.end_to_end.objects import gpus_taken
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.waiting import until

pytestmark = pytest.mark.rehearsal

NEWER = "1.36.4-gke.1000000"
"""A node version that the release channel might bring."""

CLIMATE = "DaskCluster climate/climate"
EGRESS = ("NetworkPolicy climate/egress", "spec.egress[0].ports[0].protocol")


@pytest.fixture
def edited(fleet: RunningRehearsal) -> Iterator[RunningRehearsal]:
    """The fleet, for a test that edits it by hand and in the end sees that nothing differs."""
    fleet.touched()
    yield fleet
    if not fleet.is_at():
        forced_up(fleet)


def test_right_after_up_there_is_no_drift_and_looking_writes_nothing(
    fleet: RunningRehearsal,
) -> None:
    google, cluster = Mark.now(fleet.workspace.request_log), Mark.now(fleet.cluster.audit_log)
    state = contents(fleet.workspace.state_dir)
    assert looked_at(fleet) == (0, {})
    assert google_writes(lines_since(google)) == ()
    assert kubernetes_writes(lines_since(cluster), user=PROGRAM_USER) == ()
    assert contents(fleet.workspace.state_dir) == state


def test_the_autoscalers_work_is_its_own_and_up_leaves_it_alone(fleet: RunningRehearsal) -> None:
    before = pool_size(fleet, "a100-auto")
    with gpus_taken(fleet, "a100-auto", count=1):
        until(lambda: pool_size(fleet, "a100-auto") == before + 1)
        assert looked_at(fleet) == (0, {})
        assert fleet.up().changed == 0
        assert pool_size(fleet, "a100-auto") == before + 1
        assert looked_at(fleet) == (0, {})


def test_edits_by_hand_are_attributed_and_one_up_puts_them_back(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    pods = fleet.dask_pods("genomics").keys()
    edit = {"KUBE_EDITOR": "sed -i s/UDP/TCP/"}
    kubectl(fleet, "edit", "networkpolicy", "egress", "-n", "climate", **edit)
    kubectl(fleet, "delete", "networkpolicy", "client-egress", "-n", "climate")
    kubectl(fleet, "label", "namespace", "climate", "cost-center=mine", "--overwrite")
    kubectl(fleet, "scale", "daskcluster", "climate", "-n", "climate", "--replicas=1")
    until(lambda: len(fleet.dask_pods("climate")) == 2)

    status, rows = looked_at(fleet)
    assert status == 3
    assert owners(rows) == {
        ("NetworkPolicy climate/client-egress", ""): "somebody who deleted it",
        ("Namespace climate", "metadata.labels.cost-center"): "a hand edit",
        (CLIMATE, "spec.worker.replicas"): "a user's scaling",
        EGRESS: "a hand edit",
    }
    assert (rows[EGRESS]["declared"], rows[EGRESS]["found"]) == ("UDP", "TCP")
    assert "field manager kubectl-edit at 20" in rows[EGRESS]["evidence"]
    scaled = rows[CLIMATE, "spec.worker.replicas"]
    assert (scaled["declared"], scaled["found"]) == (2, 1)
    assert "kubectl through /scale; the operator followed at 20" in scaled["evidence"]

    done = forced_up(fleet)
    assert done.returncode == 0, done.stdout
    assert_in_order(fleet)
    assert fleet.dask_pods("genomics").keys() == pods


def test_scale_of_dask_kubernetes_is_attributed_and_taken_back(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    asyncio.run(scale_with_dask_kubernetes(fleet, "climate", 1))
    until(lambda: len(worker_deployments(fleet, "climate")) == 1)
    _, rows = looked_at(fleet)
    ((where, scaled),) = rows.items()
    assert where == ("DaskWorkerGroup climate/climate-default", "spec.worker.replicas")
    assert scaled["owner"] == "a user's scaling"
    assert (scaled["declared"], scaled["found"]) == (2, 1)
    assert "field manager kr8s at 20" in scaled["evidence"]
    as_told(fleet, scaled)
    until(lambda: len(worker_deployments(fleet, "climate")) == 2)
    assert_in_order(fleet)


def test_what_the_operator_does_not_restore_is_gone_until_it_is_asked(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    kubectl(fleet, "delete", "service", "genomics-scheduler", "-n", "genomics")
    (worker, _) = worker_deployments(fleet, "climate")
    kubectl(fleet, "delete", worker, "-n", "climate")
    _, rows = looked_at(fleet)
    lost = ("Deployments of DaskWorkerGroup climate/climate-default", "number")
    assert owners(rows) == {
        ("Service genomics/genomics-scheduler", ""): "somebody who deleted it",
        lost: "somebody who deleted it",
    }
    as_told(fleet, rows[lost])
    until(lambda: len(worker_deployments(fleet, "climate")) == 2)
    fleet.up()  # the gate has the operator make the Service
    assert_in_order(fleet)


def test_a_dask_cluster_that_is_gone_and_one_too_many_are_reported(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    kubectl(fleet, "delete", "daskcluster", "genomics", "-n", "genomics")
    with extra_dask_cluster(fleet) as extra:
        _, rows = looked_at(fleet)
        assert owners(rows) == {
            ("DaskCluster genomics/genomics", ""): "somebody who deleted it, or an idle timeout",
            (extra, ""): "a hand edit",
        }
        assert "field manager kubectl-create" in rows[extra, ""]["evidence"]
        as_told(fleet, rows[extra, ""])
    fleet.run("up", "--refresh", "--yes", "--skip-preview")
    assert_in_order(fleet)
    assert len(fleet.dask_pods("genomics")) == 2


def test_an_operator_that_somebody_changed_is_put_back_by_helm(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    deployment, operator = "deployment/dask-kubernetes-operator", ("-n", "dask-operator")
    kubectl(fleet, "set", "env", deployment, *operator, "X=y")
    _, rows = looked_at(fleet)
    assert {resource for resource, _ in rows} == {
        "Deployment dask-kubernetes-operator (Helm release dask-kubernetes-operator)"
    }
    assert "y" not in {row["found"] for row in rows.values()}  # an environment may hold secrets
    as_told(fleet, next(iter(rows.values())))
    assert_in_order(fleet)
    assert fleet.up().changed == 0


def test_pools_that_the_console_changed_or_added_are_reported(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    bounds = {"enabled": True, "minNodeCount": 0, "maxNodeCount": 3}
    update = {"desiredNodePoolId": "a100-auto", "desiredNodePoolAutoscaling": bounds}
    at_gke(fleet, "PUT", "", {"update": update})
    by_hand = {"name": "by-hand", "initialNodeCount": 1, "config": {"machineType": "e2-standard-2"}}
    at_gke(fleet, "POST", "/nodePools", {"nodePool": by_hand})
    _, rows = looked_at(fleet)
    assert owners(rows) == {
        ("NodePool by-hand", ""): "somebody with access to Google Cloud",
        ("NodePool a100-auto", "autoscaling.maxNodeCount"): "somebody with access to Google Cloud",
    }
    moved = rows["NodePool a100-auto", "autoscaling.maxNodeCount"]
    assert (moved["declared"], moved["found"]) == (2, 3)

    at_gke(fleet, "DELETE", "/nodePools/by-hand")
    fleet.run("up", "--refresh", "--yes", "--skip-preview")
    assert_in_order(fleet)


def test_a_pool_that_gke_upgraded_first_is_information_and_up_leaves_it_alone(
    edited: RunningRehearsal,
) -> None:
    fleet = edited
    (old,) = node_versions(fleet, "scheduler-pool")
    at_gke(fleet, "PUT", "/nodePools/scheduler-pool", {"nodeVersion": NEWER})
    try:
        until(lambda: node_versions(fleet, "scheduler-pool") == {NEWER})
        until(lambda: all(pod.is_ready for pod in fleet.dask_pods("climate").values()))
        status, rows = looked_at(fleet)
        assert status == 0
        ((where, skew),) = rows.items()
        assert where == ("GPU pools a100-auto, a100-fixed, scheduler-pool", "node version")
        assert skew["owner"] == "GKE"
        assert skew["found"]["scheduler-pool"] == [f"v{NEWER}"]
        assert skew["found"]["a100-fixed"] == [f"v{old}"]
        assert fleet.up().changed == 0
        assert node_versions(fleet, "scheduler-pool") == {NEWER}
    finally:
        at_gke(fleet, "PUT", "/nodePools/scheduler-pool", {"nodeVersion": old})
    until(lambda: node_versions(fleet, "scheduler-pool") == {old})
    assert_in_order(fleet)


def assert_in_order(fleet: RunningRehearsal) -> None:
    """Nothing differs from what is declared: the next test needs no `up`."""
    assert looked_at(fleet) == (0, {})
    fleet.seen_as_declared()


def contents(directory: Path) -> dict[str, str]:
    """Every file below a directory, by digest."""
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in directory.rglob("*")
        if file.is_file()
    }


def owners(rows: Rows) -> dict[tuple[str, str], str]:
    return {where: row["owner"] for where, row in rows.items()}


def pool_size(fleet: RunningRehearsal, pool: str) -> int:
    """Number of nodes that a pool has in the cluster."""
    return sum(node.pool == pool for node in fleet.see().nodes.values())


def node_versions(fleet: RunningRehearsal, pool: str) -> set[str]:
    """Return the versions of a pool's nodes, as GKE spells them."""
    label = f"cloud.google.com/gke-nodepool={pool}"
    path = "--output=jsonpath={.items[*].status.nodeInfo.kubeletVersion}"
    versions = kubectl(fleet, "get", "nodes", "-l", label, path)
    return {version.removeprefix("v") for version in versions.split()}


def worker_deployments(fleet: RunningRehearsal, team: str) -> list[str]:
    """Return the Deployments of a team's workers as kubectl names them."""
    label = f"dask.org/workergroup-name={team}-default"
    return kubectl(
        fleet, "get", "deployments", "-n", team, "-l", label, "--output=name"
    ).splitlines()
