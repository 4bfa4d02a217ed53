"""Unit tests: what fits on pools without GPUs, and on GPUs that are divided or shared."""

from fractions import Fraction
from typing import Any

import pytest

from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.compatibility import compatibility_problems
from daskfleet.planning.generations import generation_of
from daskfleet.planning.plan import FleetPlan, WorkerGroup
from daskfleet.planning.pools import gpu_pools, gpu_slots, room_on
from daskfleet.planning.prepull import pulls_of
from daskfleet.planning.quota import amounts, shape_of
from daskfleet.planning.tariff import Tariff
from daskfleet.planning.team_images import team_images
from daskfleet.settings.pools import Pool
from tests.daskfleet.planning.documents import Document, minimal, planned, pods_on, refused

CPU = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}
BY_GKE = {"install": "gke", "channel": "DEFAULT"}
SMALL = {"cpu": 1, "memory_gib": 3, "shm_gib": 1}


def on_cpus(**changes: Any) -> Document:
    """A team on a pool without GPUs, beside nobody."""
    teams = [{"name": "alpha", "workers": 1}]
    return minimal(**{"worker_pools": [CPU], "teams": teams, **changes})


def group_of(plan: FleetPlan) -> WorkerGroup:
    return plan.teams[0].first_group


def test_a_worker_on_cpus_asks_for_no_gpu_and_computes_with_all_its_cores() -> None:
    group = group_of(planned(on_cpus()))

    assert group.pod.gpus == 0
    assert group.command == ("dask", "worker")
    assert group.pod.cpu == 7  # of 8, after what GKE and its agents take
    assert group.threads == 7


def test_a_worker_on_a_gpu_is_what_it_was() -> None:
    group = group_of(planned(minimal()))

    assert group.pod.gpus == 1
    assert group.command == ("dask", "cuda", "worker")
    assert group.threads == 1


def test_workers_on_cpus_are_packed_by_cores_and_memory() -> None:
    document = on_cpus(teams=[{"name": "alpha", "workers": 7, "worker": SMALL}])
    plan = planned(document)

    assert [pods_on(placed) for placed in plan.placement] == [1, 7]
    assert len(plan.placement[1].nodes) == 1
    assert (
        "room for 7"
        in refused(on_cpus(teams=[{"name": "alpha", "workers": 8, "worker": SMALL}]))
        .problems[0]
        .reason
    )


def test_a_node_without_gpus_has_no_gpu_agents_and_more_room() -> None:
    stack = planned(on_cpus()).stack
    pool = stack.worker_pools[0]
    with_gpu_agents = 150 + 100 + 150
    room = room_on(pool, stack=stack)

    assert room is not None
    assert room.cpu_m == 7910 - (205 + 105 + 100 + 21 + 8 + 30 + 10 + 5)
    assert room.cpu_m + sum((205, 105, 100, 21, 8, 30, 10, 5)) > 7910 - with_gpu_agents
    assert room.slots == room.pods == 32 - 8


def node_cost(plan: FleetPlan, pool: Pool) -> Fraction:
    """A node for an hour, in US dollars."""
    usd = Tariff(plan.stack).node(pool)
    assert usd is not None
    return Fraction(usd)


def scheduler_cost(plan: FleetPlan) -> Fraction:
    return node_cost(plan, plan.stack.scheduler_pool)


def test_a_worker_of_a_pool_without_gpus_pays_its_part_of_the_node() -> None:
    teams = [
        {"name": "large", "worker_pool": "cpu", "workers": 1, "worker": {**SMALL, "cpu": 3}},
        {"name": "small", "worker_pool": "cpu", "workers": 2, "worker": SMALL},
    ]
    plan = planned(
        minimal(
            worker_pools=[{**CPU, "node_count": 2}],
            scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
            teams=teams,
        )
    )
    node, scheduler = node_cost(plan, plan.stack.worker_pools[0]), scheduler_cost(plan) / 2
    shares = {share.team or share.kind: share.full for share in plan.cost.shares}

    assert shares["large"] - scheduler == node / 2  # two fit on a node
    assert shares["small"] - scheduler == node * 2 / 7
    assert sum(shares.values()) == sum(line.usd_per_hour_full for line in plan.cost.lines)


def test_groups_of_a_team_on_cpus_pay_for_what_each_of_them_takes() -> None:
    groups = [
        {"name": "wide", "pool": "cpu", "workers": 1, "worker": {**SMALL, "cpu": 3}},
        {"name": "narrow", "pool": "cpu", "workers": 2, "worker": SMALL},
    ]
    plan = planned(
        minimal(
            worker_pools=[{"name": "a100"}, {**CPU, "node_count": 2}],
            teams=[{"name": "alpha", "worker_pool": "a100", "workers": 1, "groups": groups}],
        )
    )
    gpu, cpu = (node_cost(plan, pool) for pool in plan.stack.worker_pools)
    scheduler = scheduler_cost(plan)
    share = next(share.full for share in plan.cost.shares if share.team == "alpha")

    assert share == scheduler + gpu / 2 + cpu / 2 + cpu * 2 / 7


def test_a_pool_without_gpus_takes_no_gpu_quota() -> None:
    pool = planned(on_cpus()).stack.worker_pools[0]

    metrics = {each.metric: each.amount for each in amounts(shape_of(pool), nodes=2)}
    assert metrics == {"CPUS": 16, "SSD_TOTAL_GB": 400}


def test_no_driver_and_no_card_is_asked_of_a_pool_without_gpus() -> None:
    stack = planned(on_cpus()).stack

    assert [key for key, _ in gpu_pools(stack)] == ["scheduler_pool"]
    assert compatibility_problems(stack, team_images(stack)) == []


def test_another_driver_is_no_new_generation_of_a_pool_without_gpus() -> None:
    surge = {**CPU, "replacement": "surge"}
    stacks = [
        planned(on_cpus(worker_pools=[surge], driver=driver)).stack
        for driver in ({"install": "daemonset", "version": "580.126.20"}, BY_GKE)
    ]

    names = {generation_of(stack.worker_pools[0], stack).name for stack in stacks}
    assert len(names) == 1


def test_divided_and_shared_gpus_are_new_generations() -> None:
    names = {
        generation_of(stack.worker_pools[0], stack).name
        for stack in (
            planned(
                minimal(worker_pools=[{"replacement": "surge", **changes}], driver=BY_GKE)
            ).stack
            for changes in (
                {},
                {"gpu_partition_size": "3g.20gb"},
                {"gpu_partition_size": "2g.10gb"},
                {"workers_per_gpu": 2},
            )
        )
    }

    assert len(names) == 4


def test_images_are_pulled_onto_cpu_nodes_past_their_taint() -> None:
    (_, on_workers) = pulls_of(planned(on_cpus(image_prepull=True)).stack)

    assert on_workers.generation.name == "cpu"
    assert [(taint.key, taint.value) for taint in on_workers.taints] == [("dedicated", "worker")]


@pytest.mark.parametrize(
    ("changes", "slots"),
    [
        ({}, 2),
        ({"workers_per_gpu": 3}, 6),
        ({"gpu_partition_size": "1g.5gb"}, 14),
        ({"gpu_partition_size": "3g.20gb", "workers_per_gpu": 2}, 8),
    ],
)
def test_a_node_takes_a_worker_for_each_client_of_each_partition(
    changes: Document, slots: int
) -> None:
    document = minimal(
        worker_pools=[changes],
        driver=BY_GKE,
        teams=[{"name": "alpha", "workers": slots, "worker": {"shm_gib": 1}}],
    )
    plan = planned(document)
    group = group_of(plan)

    assert gpu_slots(plan.stack.worker_pools[0]) == slots
    assert len(plan.placement[1].nodes) == 1
    assert group.pod.gpus == 1
    assert slots * group.pod.memory_gib <= 170


def test_who_shares_a_gpu_is_told_what_nothing_divides() -> None:
    document = minimal(worker_pools=[{"workers_per_gpu": 3}])
    (warning,) = [each for each in planned(document).warnings if "take turns" in each]

    assert "A100" in warning
    assert "memory of 40 GiB" in warning
    assert 'alpha worker.command [dask, cuda, worker, --device-memory-limit, "0.26"]' in warning


def test_who_limits_its_workers_memory_is_told_nothing() -> None:
    command = ["dask", "cuda", "worker", "--device-memory-limit", "0.26"]
    document = minimal(
        worker_pools=[{"workers_per_gpu": 3}],
        teams=[{"name": "alpha", "worker": {"command": command}}],
    )

    assert not [each for each in planned(document).warnings if "take turns" in each]


def test_what_the_scheduler_pool_saves_counts_teams_with_gpus() -> None:
    plan = planned(
        minimal(
            worker_pools=[CPU, {"name": "a100"}],
            scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
            teams=[
                {"name": "alpha", "worker_pool": "cpu", "workers": 1},
                {"name": "beta", "worker_pool": "a100"},
            ],
        )
    )

    assert scheduler_saving(plan.stack).schedulers == 1
