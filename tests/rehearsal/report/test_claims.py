"""Unit: each claim about the fleet, proved both ways on made-up fleets."""

from dataclasses import replace
from decimal import Decimal

import pytest

from rehearsal.emulator.gpu_driver import GPU_RESOURCE
from rehearsal.report import claims
from rehearsal.report.model import Claim, SecondUp
from tests.rehearsal.report.fleets import FLEET, NODES, dask_pod, fleet_pods

SILENT = SecondUp(changed_resources=0, google_writes=(), kubernetes_writes=())


def assert_fails(claim: Claim, evidence: str) -> None:
    assert not claim.holds
    assert evidence in claim.evidence


def test_a_fleet_in_order_passes_every_claim() -> None:
    pods = fleet_pods()
    found = [
        claims.every_team_is_ready(FLEET, pods),
        claims.schedulers_are_on_the_scheduler_pool(FLEET, pods, NODES),
        claims.workers_are_on_their_pool(FLEET, pods, NODES),
        claims.images_are_as_declared(FLEET, pods),
        claims.no_node_is_overcommitted(pods, NODES),
        claims.gpu_nodes_carry_gpu_work_only(pods, NODES),
        claims.second_up_is_silent(SILENT),
    ]
    assert [claim.text for claim in found if not claim.holds] == []


@pytest.mark.parametrize("change", [{"is_ready": False}, {"is_leaving": True}])
def test_a_worker_that_is_not_ready_or_leaves_does_not_count(change: dict[str, bool]) -> None:
    assert_fails(
        claims.every_team_is_ready(FLEET, fleet_pods(**change)), "climate: 1 of 2 workers ready"
    )


def test_a_worker_too_many_is_not_what_was_declared() -> None:
    pods = (*fleet_pods(), dask_pod("worker-3", "worker", "a100"))
    assert_fails(claims.every_team_is_ready(FLEET, pods), "3 of 2 workers ready")


def test_a_cluster_that_a_roll_left_behind_is_one_too_many() -> None:
    labels = {"dask.org/cluster-name": "climate-0a1b2c3d", "dask.org/component": "worker"}
    pods = (*fleet_pods(), dask_pod("left-behind", "worker", "a100", labels=labels))
    claim = claims.every_team_is_ready(FLEET, pods)
    assert_fails(claim, "climate: climate-0a1b2c3d is there beside its cluster")


def test_a_scheduler_on_an_a100_fails() -> None:
    pods = [dask_pod("scheduler", "scheduler", "a100")]
    claim = claims.schedulers_are_on_the_scheduler_pool(FLEET, pods, NODES)
    assert_fails(claim, "scheduler is on pool a100")


def test_a_fleet_without_any_scheduler_does_not_pass_for_want_of_one() -> None:
    assert_fails(
        claims.schedulers_are_on_the_scheduler_pool(FLEET, [], NODES), "there is no scheduler pod"
    )


def test_a_worker_on_the_t4_fails() -> None:
    claim = claims.workers_are_on_their_pool(FLEET, fleet_pods(node="t4"), NODES)
    assert_fails(claim, "worker-2 is on pool scheduler-pool")


def test_a_pending_worker_is_named_with_the_schedulers_reason() -> None:
    pods = fleet_pods(node="", phase="Pending", reason="0/3 nodes: Insufficient nvidia.com/gpu")
    claim = claims.workers_are_on_their_pool(FLEET, pods, NODES)
    assert_fails(claim, "worker-2 is on no node (0/3 nodes: Insufficient nvidia.com/gpu)")


def test_a_pod_with_another_image_fails_also_in_a_second_container() -> None:
    for images in (("rapids:26.08",), ("rapids:26.10", "sidecar:1")):
        claim = claims.images_are_as_declared(FLEET, fleet_pods(images=images))
        assert_fails(claim, f"worker-2 runs {', '.join(images)}")


@pytest.mark.parametrize("resource", ["cpu", "memory", GPU_RESOURCE, "pods"])
def test_every_counted_resource_can_be_overcommitted(resource: str) -> None:
    too_much = {resource: NODES["a100"].allocatable[resource] + 1}
    claim = claims.no_node_is_overcommitted(fleet_pods(requests=too_much), NODES)
    assert_fails(claim, f"a100: {resource}")


def test_a_finished_pod_takes_no_room_on_its_node() -> None:
    pods = fleet_pods(requests={"cpu": Decimal(99)}, phase="Succeeded")
    assert claims.no_node_is_overcommitted(pods, NODES).holds


def test_a_gpu_on_a_node_that_offers_none_is_overcommitment() -> None:
    nodes = {"bare": replace(NODES["system"], name="bare", allocatable={"cpu": Decimal(4)})}
    claim = claims.no_node_is_overcommitted([dask_pod("w", "worker", "bare")], nodes)
    assert_fails(claim, "bare: nvidia.com/gpu 1 of 0")


def test_a_pod_of_ours_without_a_gpu_on_a_gpu_node_fails_and_gkes_agents_do_not() -> None:
    guest = dask_pod("guest", "", "a100", requests={"cpu": Decimal(1)})
    agent = replace(guest, namespace="kube-system")
    assert claims.gpu_nodes_carry_gpu_work_only([agent], NODES).holds
    assert_fails(
        claims.gpu_nodes_carry_gpu_work_only([guest], NODES), "climate/guest is on pool a100"
    )


def test_pods_that_pull_images_are_counted_and_no_guests() -> None:
    labels = {"app.kubernetes.io/name": "image-prepull"}
    pull = dask_pod("pull", "", "a100", requests={"cpu": Decimal("0.001")}, labels=labels)
    found = claims.gpu_nodes_carry_gpu_work_only([replace(pull, namespace="image-prepull")], NODES)
    assert found.holds
    assert "1 pods that pull images aside" in found.evidence


@pytest.mark.parametrize(
    ("second", "evidence"),
    [
        (SILENT.model_copy(update={"changed_resources": 2}), "2 resources changed"),
        (SILENT.model_copy(update={"google_writes": ("PUT /x",)}), "PUT /x"),
        (SILENT.model_copy(update={"kubernetes_writes": ("patch pods/x",)}), "patch pods/x"),
    ],
)
def test_any_change_or_write_of_the_second_up_breaks_its_silence(
    second: SecondUp, evidence: str
) -> None:
    assert_fails(claims.second_up_is_silent(second), evidence)


def test_many_problems_are_counted_rather_than_listed() -> None:
    claim = claims.claim("x", problems=[f"p{n}" for n in range(5)], evidence="")
    assert claim.evidence == "p0; p1; p2; and 2 more"


def test_a_cluster_of_nobodys_team_is_neither_counted_nor_blamed() -> None:
    foreign = (
        dask_pod("other-scheduler", "scheduler", "system", namespace="default"),
        dask_pod("other-worker", "worker", "t4", namespace="default"),
    )
    with_them = (*fleet_pods(), *foreign)

    ready = claims.every_team_is_ready(FLEET, with_them)
    assert ready.evidence == claims.every_team_is_ready(FLEET, fleet_pods()).evidence
    assert claims.schedulers_are_on_the_scheduler_pool(FLEET, with_them, NODES).holds
    workers = claims.workers_are_on_their_pool(FLEET, with_them, NODES)
    assert workers.holds
    assert workers.evidence == "2 on a100"
    # They are no substitute either.
    assert_fails(
        claims.schedulers_are_on_the_scheduler_pool(FLEET, foreign, NODES),
        "there is no scheduler pod",
    )
