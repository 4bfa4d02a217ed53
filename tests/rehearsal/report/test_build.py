"""Unit: what is declared and observed becomes rows that a reader of the document can draw."""

from dataclasses import replace
from decimal import Decimal

from daskfleet.contract.outputs import FleetOutputs, PoolOutput
from daskfleet.contract.seen import NodeRow, PoolRow
from rehearsal.report.build import build_report
from rehearsal.report.fleet_state import Pod
from rehearsal.report.model import Report
from rehearsal.report.observe import Observation
from tests.rehearsal.report.fleets import FLEET, NODES, cluster_record, fleet_pods

EMPTY_POOL = PoolOutput(
    name="l4",
    pool="l4",
    surge_quota={},
    role="worker",
    machine_type="g2-standard-12",
    accelerator="nvidia-l4",
    gpus_per_node=1,
    min_nodes=0,
    max_nodes=6,
)


def built(fleet: FleetOutputs = FLEET, *, besides: tuple[Pod, ...] = ()) -> Report:
    shared = replace(
        NODES["t4"],
        labels={**NODES["t4"].labels, "cloud.google.com/gke-accelerator-count": "1"},
        allocatable={"nvidia.com/gpu": Decimal(2)},
    )
    return build_report(
        stack="rehearsal",
        fleet=fleet,
        observation=Observation(
            nodes={**NODES, "t4": shared},
            pods=(*fleet_pods(), *besides),
            drivers=(),
            operator_is_deployed=False,
        ),
        cluster=cluster_record(operator=None),
        last_up=None,
        stage=(),
    )


def test_a_shared_gpu_is_one_piece_and_several_shares() -> None:
    (t4,) = (node for node in built().nodes if node.name == "t4")
    assert (t4.gpus, t4.gpu_shares) == (1, 2)


def test_every_node_is_told_by_pool() -> None:
    nodes: tuple[NodeRow, ...] = built().nodes
    assert [node.pool for node in nodes] == ["a100", "scheduler-pool", "system"]


def test_a_pool_is_told_also_while_it_has_no_node() -> None:
    report = built(FLEET.model_copy(update={"pools": (EMPTY_POOL,)}))
    assert report.pools == (
        PoolRow(
            name="l4",
            role="worker",
            machine_type="g2-standard-12",
            accelerator="nvidia-l4",
            gpus_per_node=1,
            min_nodes=0,
            max_nodes=6,
        ),
    )
    assert not any(node.pool == "l4" for node in report.nodes)


def test_a_pod_tells_how_many_gpu_shares_it_takes() -> None:
    assert {pod.gpu_shares for pod in built().pods} == {1}


def test_a_jupyterlab_is_among_its_teams_pods_and_nothing_else_that_is_not_dask() -> None:
    worker = next(pod for pod in fleet_pods() if pod.role == "worker")
    lab = replace(worker, name="lab", labels={"app.kubernetes.io/component": "jupyter"})
    other = replace(worker, name="other", labels={"app.kubernetes.io/component": "web"})
    rows = built(besides=(lab, other)).pods

    (row,) = (row for row in rows if row.role not in {"scheduler", "worker"})
    assert (row.team, row.role, row.name) == (worker.team, "jupyter", "lab")
    assert row.gpu_shares == 1
