"""Unit: what a team's pods may ask for, all together."""

from daskfleet.planning.plan import PodResources, TeamPlan
from daskfleet.settings.team import Quota
from manifests.team_quotas import gpu_quota, team_quota
from tests.components.fleets import alpha, fleet


def test_the_gpu_quota_is_what_the_cluster_needs_and_no_more() -> None:
    assert gpu_quota(alpha(workers=3)) == {"requests.nvidia.com/gpu": "4"}


def test_the_gpu_of_its_jupyterlab_is_in_the_quota() -> None:
    jupyter = {"worker_pool": "a100"}

    assert gpu_quota(alpha(workers=2, jupyter=jupyter)) == {"requests.nvidia.com/gpu": "4"}


def test_the_gpu_quota_of_an_adaptive_team_is_for_its_maximum() -> None:
    plan = alpha(adaptive={"minimum": 0, "maximum": 3})

    assert gpu_quota(plan) == {"requests.nvidia.com/gpu": "4"}


def test_workers_without_gpus_take_none_of_the_quota() -> None:
    cpu = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8", "node_count": 3}
    plan = fleet(worker_pools=[cpu], teams=[{"name": "alpha", "workers": 3}]).teams[0]

    assert gpu_quota(plan) == {"requests.nvidia.com/gpu": "1"}


def test_the_quota_holds_both_clusters_of_a_blue_green_roll() -> None:
    rolling = fleet(
        scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
        worker_pools=[{"name": "a100", "node_count": 3}],
        teams=[{"name": "alpha", "workers": 3, "rollout": "blue-green"}],
    )

    assert gpu_quota(rolling.teams[0]) == {"requests.nvidia.com/gpu": "8"}


def rolling(workers: int) -> TeamPlan:
    """A team that rolls blue-green, with a quota for what it does besides."""
    (plan,) = fleet(
        scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
        worker_pools=[{"name": "a100", "node_count": 3}],
        teams=[
            {
                "name": "alpha",
                "workers": workers,
                "worker": {"cpu": 5, "memory_gib": 40},
                "rollout": "blue-green",
                "quota": {"cpu": 2, "memory_gib": 8, "pods": 10},
            }
        ],
    ).teams
    return plan


def test_a_small_cluster_comes_up_beside_the_large_one_that_serves() -> None:
    plan = rolling(1)
    quota = plan.team.quota
    assert quota is not None
    large = [PodResources(cpu=5, memory_gib=40, gpus=1)] * 3 + [plan.scheduler]

    assert gpu_quota(plan) == {"requests.nvidia.com/gpu": "4"}
    assert gpu_quota(plan, serving=large) == {"requests.nvidia.com/gpu": "6"}
    room = team_quota(quota, plan=plan, serving=large)
    assert room["requests.cpu"] == f"{2 + 4 * 5 + 2 * plan.scheduler.cpu:g}"
    assert room["pods"] == "16"


def test_what_serves_never_makes_a_quota_smaller_than_declared() -> None:
    plan = rolling(3)
    assert gpu_quota(plan, serving=[plan.scheduler]) == gpu_quota(plan)
    assert gpu_quota(None, serving=[plan.scheduler]) == {"requests.nvidia.com/gpu": "0"}


def test_a_retired_team_has_no_gpus_and_keeps_what_it_has_besides() -> None:
    assert gpu_quota(None) == {"requests.nvidia.com/gpu": "0"}
    assert team_quota(Quota(cpu=2, memory_gib=8, pods=10, storage_gib=100), plan=None) == {
        "requests.cpu": "2",
        "requests.memory": "8Gi",
        "pods": "10",
        "requests.storage": "100Gi",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
    }


def test_a_team_has_its_dask_cluster_and_its_quota_besides() -> None:
    plan = alpha(
        workers=3,
        worker={"cpu": 5.5, "memory_gib": 40},
        scheduler={"cpu": 1, "memory_gib": 4.5},
        quota={"cpu": 2, "memory_gib": 8, "pods": 10},
    )
    assert plan.team.quota is not None
    quota = team_quota(plan.team.quota, plan=plan)

    assert quota["requests.cpu"] == "19500m"
    assert quota["requests.memory"] == f"{(3 * 40 + 8) * 1024 + 4608}Mi"
    assert quota["pods"] == "14"


def test_the_only_open_service_is_the_load_balancer_that_the_stack_file_declares() -> None:
    access = {"internal_load_balancer": {"source_ranges": ["10.128.0.0/20"]}}
    plan = alpha(access=access, quota={})
    assert plan.team.quota is not None
    quota = team_quota(plan.team.quota, plan=plan)

    assert (quota["services.loadbalancers"], quota["services.nodeports"]) == ("1", "2")


def test_a_jupyterlab_comes_on_top_of_what_the_team_may_bring() -> None:
    image = "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13"
    quota = {"cpu": 2, "memory_gib": 8, "pods": 10, "storage_gib": 100}
    without, with_it = (
        alpha(image=image, quota=quota, jupyter=jupyter)
        for jupyter in (None, {"cpu": 1, "memory_gib": 4, "storage_gib": 50})
    )
    assert without.team.quota is not None
    assert with_it.team.quota is not None
    before = team_quota(without.team.quota, plan=without)
    after = team_quota(with_it.team.quota, plan=with_it)
    assert int(after["pods"]) == int(before["pods"]) + 1
    assert after["requests.storage"] == "150Gi"
    assert gpu_quota(with_it) == gpu_quota(without)


def test_each_persons_jupyterlab_counts() -> None:
    people = [{"name": name, "member": f"user:{name}@example.com"} for name in ("ann", "bob")]
    members = [each["member"] for each in people]
    lab = {"cpu": 0.1, "memory_gib": 1, "storage_gib": 50}
    one, three = (
        team_quota(Quota(), plan=alpha(members=members, jupyter={**lab, "people": people}))
        for people in ([], people)
    )

    assert int(three["pods"]) - int(one["pods"]) == len(people)
    assert three["requests.storage"] == f"{int(one['requests.storage'].removesuffix('Gi')) + 100}Gi"
