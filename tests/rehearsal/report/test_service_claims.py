"""Unit: the claims about driver, operator and control plane, proved both ways."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from daskfleet.contract.outputs import DriverOutput
from rehearsal.process import ProcessRecord
from rehearsal.report import service_claims
from rehearsal.supervisor.record import DeadProcessRecord
from tests.rehearsal.report.fleets import FLEET, NODES, cluster_record

HERE = ProcessRecord.of(os.getpid())
GONE = ProcessRecord(pid=os.getpid(), started_at_s=1.0)


def installer(ready: int, updated: int) -> dict[str, dict[str, int]]:
    return {"status": {"numberReady": ready, "updatedNumberScheduled": updated}}


def test_installers_must_be_ready_and_current_on_both_gpu_nodes() -> None:
    check = service_claims.driver_is_ready_on_every_gpu_node
    assert check(FLEET, [installer(2, 2)], NODES).holds
    assert check(FLEET, [installer(1, 1), installer(1, 1)], NODES).holds
    assert not check(FLEET, [installer(1, 2)], NODES).holds
    assert not check(FLEET, [installer(2, 1)], NODES).holds
    assert not check(FLEET, [installer(2, 2), installer(1, 1)], NODES).holds
    assert not check(FLEET, [], NODES).holds


def test_a_node_with_another_driver_than_the_declared_one_is_named() -> None:
    (name, node), *_ = ((name, node) for name, node in NODES.items() if node.has_gpu)
    nodes = {**NODES, name: replace(node, driver="535.274.02")}
    claim = service_claims.driver_is_ready_on_every_gpu_node(FLEET, [installer(2, 2)], nodes)
    assert not claim.holds
    assert f"{name} has driver 535.274.02" in claim.evidence


def test_no_daemon_set_is_needed_where_gke_installs_the_driver() -> None:
    fleet = FLEET.model_copy(update={"driver": DriverOutput(install="gke")})
    assert service_claims.driver_is_ready_on_every_gpu_node(fleet, [], NODES).holds


@pytest.mark.parametrize(
    ("operator", "restarts", "is_deployed", "forbidden", "evidence"),
    [
        (None, 0, True, (), "its process does not run"),
        (GONE, 0, True, (), "its process does not run"),
        (HERE, 2, True, (), "ended 2 times; see operator.log"),
        (HERE, 0, False, (), "no ready pod"),
        (HERE, 0, True, ("list nodes",), "forbidden: list nodes"),
    ],
)
def test_whatever_keeps_the_operator_from_its_work_is_told(
    operator: ProcessRecord | None,
    restarts: int,
    is_deployed: bool,  # noqa: FBT001
    forbidden: tuple[str, ...],
    evidence: str,
) -> None:
    claim = service_claims.operator_works_as_its_service_account(
        cluster_record(operator=operator, restarts=restarts),
        is_deployed=is_deployed,
        forbidden=forbidden,
    )
    assert not claim.holds
    assert evidence in claim.evidence


def test_an_operator_at_work_is_named_by_its_account() -> None:
    claim = service_claims.operator_works_as_its_service_account(
        cluster_record(operator=HERE), is_deployed=True, forbidden=()
    )
    assert claim.holds
    assert "dask-operator/operator" in claim.evidence


def test_a_dead_process_of_the_control_plane_breaks_its_claim() -> None:
    cluster = cluster_record(operator=HERE)
    assert service_claims.control_plane_runs(cluster).holds
    dead = DeadProcessRecord(name="kube-scheduler", exit_code=-9, log_file=Path("s.log"))
    broken = cluster.model_copy(update={"dead_processes": (dead,)})
    claim = service_claims.control_plane_runs(broken)
    assert not claim.holds
    assert "kube-scheduler" in claim.evidence
