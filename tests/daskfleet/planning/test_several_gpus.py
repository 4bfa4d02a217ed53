"""Unit tests: workers with several GPUs each."""

from fractions import Fraction
from typing import Any

import pytest

from daskfleet.contract.nodes import GPU_RESOURCE
from daskfleet.platform.review.placement import placement_lines
from manifests.dask_manifest import dask_cluster_manifest
from manifests.team_quotas import gpu_quota
from tests.daskfleet.planning.documents import Document, minimal, planned, pods_on, refused

PAIRS = {"name": "a100", "machine_type": "a2-highgpu-2g", "node_count": 2}
FOURS = {"name": "a100", "machine_type": "a2-highgpu-4g", "gpus_per_node": 4, "node_count": 1}
BY_GKE = {"install": "gke", "channel": "DEFAULT"}


def fleet(*teams: dict[str, Any], pool: dict[str, Any] = PAIRS, **changes: Any) -> Document:
    return minimal(
        worker_pools=[pool],
        scheduler_pool={"machine_type": "n1-standard-8", "schedulers_per_gpu": 4},
        teams=list(teams),
        **changes,
    )


def team(name: str = "alpha", *, workers: int = 1, gpus: int = 2, **worker: Any) -> dict[str, Any]:
    return {"name": name, "workers": workers, "worker": {"gpus": gpus, **worker}}


def test_it_is_one_plain_worker_that_promises_them_all() -> None:
    (plan,) = planned(fleet(team())).teams
    spec = dask_cluster_manifest(plan, name="alpha")["spec"]["worker"]["spec"]
    (container,) = spec["containers"]

    assert container["args"][:4] == ["dask", "worker", "--name", "$(DASK_WORKER_NAME)"]
    assert container["resources"]["limits"][GPU_RESOURCE] == "2"
    assert plan.first_group.resources == {"GPU": 2}
    assert plan.first_group.threads == 1
    assert "GPU=2" in container["args"]
    assert "LD_LIBRARY_PATH" in {each["name"] for each in container["env"]}
    assert gpu_quota(plan) == {f"requests.{GPU_RESOURCE}": "3"}  # the scheduler's among them


def test_it_gets_the_share_of_all_its_gpus() -> None:
    (one,) = planned(fleet(team(gpus=1), pool=FOURS)).teams
    (two,) = planned(fleet(team(gpus=2), pool=FOURS)).teams

    assert two.worker.cpu >= 2 * one.worker.cpu
    assert two.worker.memory_gib >= 2 * one.worker.memory_gib


def test_they_are_packed_and_counted_by_their_gpus() -> None:
    plan = planned(fleet(team(workers=2)))
    schedulers, workers = plan.placement
    lines = {line.pool: line for line in placement_lines(plan)}

    assert (pods_on(schedulers), pods_on(workers)) == (1, 2)
    assert len(workers.nodes) == 2
    assert (lines["a100"].used, lines["a100"].room) == (4, 4)
    problem = str(refused(fleet(team(workers=3))))
    assert "2 GPUs" in problem
    assert "room for 2" in problem


def test_a_team_pays_for_all_the_gpus_that_it_takes() -> None:
    plan = planned(fleet(team(workers=1), team("beta", gpus=1, workers=2)))
    shares = {share.team: share.full for share in plan.cost.shares if share.kind == "team"}

    assert shares["alpha"] == shares["beta"] > Fraction(0)


def test_those_with_most_gpus_are_placed_first() -> None:
    small = {"cpu": 1, "memory_gib": 2, "shm_gib": 1}
    # First come, first placed: a single GPU on each of two nodes would leave no pair.
    teams = team("alpha", gpus=1, workers=1, cpu=8), team("beta", gpus=2, workers=1, **small)

    assert pods_on(planned(fleet(*teams, pool={**PAIRS, "node_count": 2})).placement[1]) == 2


def test_a_mix_is_warned_of_because_kubernetes_may_place_it_otherwise() -> None:
    mixed = planned(fleet(team(), team("beta", gpus=1, workers=2))).warnings
    alike = planned(fleet(team(), team("beta"))).warnings

    assert any("workers of alpha take more than one GPU's share" in each for each in mixed)
    assert not any("share of a node" in each for each in alike)


def test_a_roll_counts_gpus_where_pods_have_several() -> None:
    refusal = str(refused(fleet({**team(workers=2), "rollout": "blue-green"})))

    assert "4 are needed now, 8 during such a roll: short by 4" in refusal
    assert "raise node_count of the pool to 4" in refusal


@pytest.mark.parametrize(
    ("document", "key", "said"),
    [
        (fleet(team(gpus=4)), "teams[0].worker.gpus", "Each node of pool a100 has 2."),
        (
            fleet(team(), pool={**PAIRS, "workers_per_gpu": 2}),
            "teams[0].worker.gpus",
            "time-sharing",
        ),
        (
            fleet(team(), pool={**PAIRS, "gpu_partition_size": "3g.20gb"}, driver=BY_GKE),
            "teams[0].worker.gpus",
            "one partition",
        ),
        (
            fleet(
                team(), pool={"name": "c", "machine_type": "e2-standard-8", "accelerator": "none"}
            ),
            "teams[0].worker.gpus",
            "has no GPUs",
        ),
        (
            fleet(team(command=["dask", "cuda", "worker"])),
            "teams[0].worker.command",
            "numbers their names",
        ),
        (fleet(team(rmm_pool_size=0.8)), "teams[0].worker.rmm_pool_size", "dask-cuda sets this up"),
        (fleet(team(protocol="ucx")), "teams[0].worker.protocol", "dask-cuda sets this up"),
        (fleet(team(resources={"GPU": 3})), "teams[0].worker.resources", "has 2 GPUs"),
        (fleet(team(gpus=1, resources={"GPU": 2})), "teams[0].worker.resources", "has 1 GPU."),
    ],
)
def test_what_a_worker_would_not_get_is_refused(document: Document, key: str, said: str) -> None:
    (problem,) = refused(document).problems

    assert problem.key == key
    assert said in problem.reason
