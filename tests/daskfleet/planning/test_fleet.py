"""Unit tests: the plan of fleets that are in order."""

from time import process_time
from typing import Any

import pytest

from daskfleet.planning.plan import PodGroup, PodResources
from daskfleet.settings.problems import StackRefusedError
from tests.daskfleet.planning.documents import minimal, planned, pods_on, refused


def test_the_minimal_stack_is_the_reference_guide_s_cluster() -> None:
    plan = planned(minimal())
    stack = plan.stack
    assert (stack.cluster.name, stack.zone, stack.cluster.release_channel) == (
        "rapids-gpu",
        "us-central1-c",
        "STABLE",
    )
    assert [pool.machine_type for pool in stack.worker_pools] == ["a2-highgpu-2g"]
    assert plan.teams[0].team.workers == 2
    assert plan.teams[0].scheduler == PodResources(cpu=1, memory_gib=4, gpus=1)


def test_a_worker_gets_its_gpu_s_share_of_the_node_in_readable_figures() -> None:
    assert planned(minimal()).teams[0].worker == PodResources(cpu=11, memory_gib=77, gpus=1)


def test_a_worker_s_own_figures_stand() -> None:
    document = minimal(teams=[{"name": "alpha", "worker": {"cpu": 3.5, "memory_gib": 20}}])
    assert planned(document).teams[0].worker == PodResources(cpu=3.5, memory_gib=20, gpus=1)


def test_default_shares_always_fit_all_gpus_of_a_node() -> None:
    for machine_type, count in (("a2-highgpu-1g", 1), ("a2-highgpu-4g", 4), ("a2-highgpu-8g", 8)):
        plan = planned(
            minimal(
                worker_pools=[{"machine_type": machine_type, "gpus_per_node": count}],
                teams=[{"name": "alpha", "workers": count}],
            )
        )
        assert plan.placement[1].nodes == (
            (PodGroup(team="alpha", component="worker", count=count),),
        )


@pytest.mark.parametrize("images", [1, 3])
def test_what_a_worker_gets_does_not_depend_on_what_is_pulled(images: int) -> None:
    document = minimal(
        scheduler_pool={"node_count": 3},
        worker_pools=[
            {
                "machine_type": "g2-standard-16",
                "accelerator": "nvidia-l4",
                "gpus_per_node": 1,
                "node_count": 3,
            }
        ],
        teams=[
            {
                "name": f"team-{number}",
                "workers": 1,
                "image": f"registry.example/team-{number}:26.10-cuda12-py3.13",
            }
            for number in range(images)
        ],
    )
    before, after = planned(document), planned({**document, "image_prepull": True})

    assert [team.worker for team in before.teams] == [team.worker for team in after.teams]


def test_a_worker_that_leaves_no_room_for_what_pulls_images_is_refused() -> None:
    worker = {"cpu": 15.006}  # all that g2-standard-16 has
    document = minimal(
        worker_pools=[
            {"machine_type": "g2-standard-16", "accelerator": "nvidia-l4", "gpus_per_node": 1}
        ],
        teams=[{"name": "alpha", "workers": 1, "worker": worker}],
    )
    assert planned(document).teams[0].worker.cpu == worker["cpu"]
    error = refused({**document, "image_prepull": True})
    assert error.problems[0].key == "teams[0].worker"


def test_schedulers_that_share_a_gpu_stand_on_one_node() -> None:
    plan = planned(
        minimal(
            scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
            teams=[{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}],
        )
    )
    assert pods_on(plan.placement[0]) == 2
    assert len(plan.placement[0].nodes) == 1


def test_a_scheduler_that_may_fall_back_leaves_the_t4_to_one_that_may_not() -> None:
    plan = planned(
        minimal(
            teams=[
                {"name": "alpha", "workers": 1, "scheduler": {"fallback": "worker-pool"}},
                {"name": "beta", "workers": 0},
            ]
        )
    )
    schedulers, workers = plan.placement
    assert [group.team for node in schedulers.nodes for group in node] == ["beta"]
    assert PodGroup(team="alpha", component="scheduler", count=1) in workers.nodes[0]


def test_an_unknown_key_and_a_team_too_large_are_told_together() -> None:
    error = refused(minimal(teams=[{"name": "alpha", "workers": 40, "wrokers": 2}]))
    assert [problem.key for problem in error.problems] == ["teams[0].wrokers", "teams[0].workers"]


def test_a_team_too_large_for_its_pool_makes_no_problem_for_its_neighbours() -> None:
    document = minimal(
        scheduler_pool={"node_count": 2},
        teams=[{"name": "alpha", "workers": 40}, {"name": "beta", "workers": 2}],
    )
    assert [problem.key for problem in refused(document).problems] == ["teams[0].workers"]


def test_pods_need_addresses_as_well_as_gpus() -> None:
    error = refused(
        minimal(
            scheduler_pool={"machine_type": "n1-standard-16", "schedulers_per_gpu": 4},
            network={"max_pods_per_node": 13},
            teams=[{"name": f"team-{number}", "workers": 0} for number in range(3)],
        )
    )
    assert "for 2 pods of ours (network.max_pods_per_node)" in str(error)


def test_a_team_that_cannot_be_read_does_not_hide_its_neighbour_s_problem() -> None:
    error = refused(minimal(teams=[{"name": "Alpha", "workers": 99}, {"name": "b", "workers": 40}]))
    keys = {problem.key for problem in error.problems}
    assert {"teams[0].name", "teams[1].workers"} <= keys
    assert "teams[0].workers" not in keys


def test_a_pool_that_cannot_be_read_invents_no_problem() -> None:
    error = refused(
        minimal(worker_pools=[{"node_count": "many"}], teams=[{"name": "alpha", "workers": 40}])
    )
    assert [problem.key for problem in error.problems] == ["worker_pools[0].node_count"]
    assert "Once these are corrected, further checks run." in str(error)


def warning_of(**changes: object) -> str:
    return "\n".join(planned(minimal(**changes)).warnings)


def test_a_comfortable_fleet_has_no_warning() -> None:
    assert planned(minimal(scheduler_pool={"machine_type": "n1-standard-4"})).warnings == ()


def test_tight_memory_for_schedulers_is_said() -> None:
    assert "n1-standard-2 leaves 1 cores and 4.4 GiB" in warning_of()


@pytest.mark.parametrize(
    ("pool", "memory_gib", "told"),
    [
        ({}, 4, "; n1-standard-4 instead of n1-standard-2 costs 0.09 USD more per hour and node."),
        (
            {"machine_type": "n1-standard-4"},
            10.5,
            "; n1-standard-8 instead of n1-standard-4 costs 0.19 USD more per hour and node.",
        ),
        ({"spot": True}, 4, "n1-standard-4 instead of n1-standard-2 costs 0.03 USD more"),
    ],
)
def test_what_more_memory_costs_is_said_of_the_pools_own_machine(
    pool: dict[str, Any], memory_gib: float, told: str
) -> None:
    team = {"name": "alpha", "scheduler": {"memory_gib": memory_gib}}

    assert told in warning_of(scheduler_pool=pool, teams=[team])


def test_of_the_largest_machine_of_a_series_no_larger_one_is_told() -> None:
    team = {"name": "alpha", "scheduler": {"memory_gib": 52}}
    largest = warning_of(scheduler_pool={"machine_type": "n1-standard-16"}, teams=[team])

    assert largest.splitlines()[0].endswith("There is no room for a scheduler that grows.")


def test_a_spot_scheduler_pool_is_said() -> None:
    assert "scheduler-pool is spot capacity" in warning_of(scheduler_pool={"spot": True})


def test_a_pool_that_nobody_uses_is_said() -> None:
    text = warning_of(
        worker_pools=[{"name": "a100"}, {"name": "idle"}],
        teams=[{"name": "alpha", "worker_pool": "a100"}],
    )
    assert "Worker pool idle is used by no team." in text


def test_a_driver_that_gke_picks_is_said() -> None:
    text = warning_of(driver={"install": "gke", "channel": "LATEST"})
    assert "GKE's table of drivers ends at 1.33, where this is branch 580" in text


def test_a_release_newer_than_the_catalog_is_checked_like_the_newest_known() -> None:
    text = warning_of(image="rapidsai/base:27.02-cuda12-py3.13")
    assert "RAPIDS 27.02 is not in the catalog; it was checked as if it were 26.10" in text


def test_a_release_older_than_the_catalog_is_checked_for_cuda_only() -> None:
    text = warning_of(image="rapidsai/base:25.06-cuda12.8-py3.12")
    assert "RAPIDS 25.06 is not in the catalog; it was checked for CUDA only" in text


def test_a_fallback_without_a_gpu_to_spare_is_said() -> None:
    text = warning_of(teams=[{"name": "alpha", "scheduler": {"fallback": "worker-pool"}}])
    assert "Pool a100 has no GPU to spare" in text


def test_workers_of_more_than_a_share_are_said() -> None:
    text = warning_of(
        scheduler_pool={"node_count": 2},
        worker_pools=[{"node_count": 2}],
        teams=[
            {"name": "alpha", "workers": 1, "worker": {"memory_gib": 100}},
            {"name": "beta", "workers": 1},
        ],
    )
    assert "workers of alpha take more than one GPU's share" in text


def test_more_schedulers_than_the_gpu_has_memory_for_are_said() -> None:
    text = warning_of(scheduler_pool={"schedulers_per_gpu": 12})
    assert "12 schedulers share a GPU of 16 GiB" in text


def test_a_hundred_teams_are_planned_in_a_tenth_of_a_second() -> None:
    document = minimal(
        scheduler_pool={"node_count": 100},
        worker_pools=[{"node_count": 100}],
        teams=[{"name": f"team-{number}"} for number in range(100)],
    )
    # The processor's time, not the clock's: other processes of a busy machine plan nothing.
    durations_s = []
    for _ in range(5):
        start = process_time()
        planned(document)
        durations_s.append(process_time() - start)
    assert min(durations_s) < 0.1


def test_a_refusal_says_that_nothing_was_created() -> None:
    with pytest.raises(StackRefusedError, match=r"1 problem\. Nothing was created or changed\."):
        planned({"teams": [{"name": "alpha"}]})


def test_an_image_that_moves_is_a_warning() -> None:
    image = {"ref": "my.registry/team:latest", "rapids": "26.10", "cuda": 12}
    assert "my.registry/team:latest names no version" in warning_of(image=image)
    assert "names no version" not in warning_of()
