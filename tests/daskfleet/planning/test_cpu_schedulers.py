"""Unit tests: schedulers on a pool without GPUs."""

from fractions import Fraction
from typing import Any

import pytest

from daskfleet.contract.dask import NO_SCHEDULER_GPU
from daskfleet.contract.nodes import GPU_RESOURCE, GPU_TAINT, SCHEDULER_TAINT
from daskfleet.planning.cheap_schedulers import scheduler_saving
from daskfleet.planning.node_pool_spec import gpu_pool_specs
from daskfleet.planning.pools import gpu_pools
from daskfleet.planning.prepull import pulls_of
from daskfleet.planning.quota import shape_of
from daskfleet.planning.tariff import Tariff
from daskfleet.settings.pools import SchedulerPool
from manifests.dask_manifest import dask_cluster_manifest
from manifests.ephemeral_spec import make_cluster_spec
from manifests.team_quotas import gpu_quota
from tests.daskfleet.planning.documents import Document, minimal, planned, pods_on, refused

ON_CPUS: dict[str, Any] = {"accelerator": "none", "machine_type": "e2-standard-4"}
CPU_WORKERS = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}


def on_cpus(**changes: Any) -> Document:
    return minimal(**{"scheduler_pool": ON_CPUS, **changes})


def of_team(**changes: Any) -> Document:
    return on_cpus(teams=[{"name": "alpha", **changes}])


def test_its_nodes_have_no_gpus_and_are_still_the_schedulers_alone() -> None:
    stack = planned(on_cpus(image_prepull=True)).stack
    spec = gpu_pool_specs(stack)[0]

    assert spec.gpus is None
    assert spec.taints == (SCHEDULER_TAINT,)
    assert spec.labels == {"dedicated": "scheduler"}
    assert spec.sysctls == {}  # names a driver, and there is none
    assert shape_of(stack.scheduler_pool).gpus == 0  # what the doctor asks quotas for
    assert [key for key, _ in gpu_pools(stack)] == ["worker_pools[0]"]
    assert pulls_of(stack)[0].taints == (SCHEDULER_TAINT,)


def test_gke_knows_it_by_another_name_than_one_with_gpus() -> None:
    without, with_gpus = (gpu_pool_specs(planned(each).stack)[0] for each in (on_cpus(), minimal()))

    assert with_gpus.generation.name == "scheduler-pool"
    assert without.generation.name.startswith("scheduler-pool-")
    assert without.generation.is_numbered


def test_the_scheduler_asks_for_no_gpu_and_the_workers_for_theirs() -> None:
    (plan,) = planned(on_cpus()).teams
    spec = dask_cluster_manifest(plan, name="alpha")["spec"]
    (scheduler,) = spec["scheduler"]["spec"]["containers"]
    (worker,) = spec["worker"]["spec"]["containers"]

    assert GPU_RESOURCE not in scheduler["resources"]["limits"]
    assert "LD_LIBRARY_PATH" not in {each["name"] for each in scheduler["env"]}
    assert GPU_TAINT.key not in {each["key"] for each in spec["scheduler"]["spec"]["tolerations"]}
    assert worker["resources"]["limits"][GPU_RESOURCE] == "1"
    assert gpu_quota(plan) == {f"requests.{GPU_RESOURCE}": "2"}  # of two workers


def test_the_policies_are_told_why_and_own_clusters_carry_no_note() -> None:
    (plan,) = planned(on_cpus()).teams
    (with_gpu,) = planned(minimal()).teams

    assert dask_cluster_manifest(plan, name="alpha")["metadata"]["annotations"] == {
        NO_SCHEDULER_GPU: "scheduler_pool.accelerator: none"
    }
    # Members may write no annotations, and a GPU needs no excuse.
    assert "annotations" not in make_cluster_spec(plan, name="own")["metadata"]
    assert "annotations" not in dask_cluster_manifest(with_gpu, name="alpha")["metadata"]


def test_schedulers_are_packed_by_cores_and_memory() -> None:
    teams = [{"name": name, "workers": 0} for name in ("alpha", "beta", "gamma")]
    plan = planned(on_cpus(teams=teams))

    assert pods_on(plan.placement[0]) == len(teams)
    assert len(plan.placement[0].nodes) == 1
    refusal = str(refused(on_cpus(teams=[*teams, {"name": "delta", "workers": 0}])))
    assert "4 schedulers are needed, one per team, but 3 fit: each node has" in refusal
    assert "GPU" not in refusal


def test_a_team_pays_the_part_of_a_node_that_its_scheduler_takes() -> None:
    teams = [{"name": name, "workers": 0} for name in ("alpha", "beta", "gamma")]
    plan = planned(on_cpus(teams=teams))
    node = Tariff(plan.stack).node(plan.stack.scheduler_pool)
    shares = [share.full for share in plan.cost.shares if share.kind == "team"]

    assert node is not None
    assert len(set(shares)) == 1
    assert float(sum(shares, Fraction(0))) == pytest.approx(node)


def test_the_saving_is_that_of_a_t4_for_each_scheduler() -> None:
    teams = [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1}]
    saving = scheduler_saving(planned(on_cpus(teams=teams)).stack)
    tariff = Tariff(planned(minimal()).stack)
    own, t4 = tariff.node(SchedulerPool(**ON_CPUS)), tariff.node(SchedulerPool())

    assert own is not None
    assert t4 is not None
    assert saving.schedulers == 2
    assert saving.saved == pytest.approx((2 * t4 - own) * 730)
    assert "one nvidia-tesla-t4" in saving.text


def test_only_teams_whose_workers_have_gpus_are_warned_of() -> None:
    mixed = on_cpus(
        worker_pools=[{"name": "a100"}, CPU_WORKERS],
        teams=[
            {"name": "alpha", "worker_pool": "a100", "workers": 1},
            {"name": "beta", "worker_pool": "cpu", "workers": 1},
        ],
    )
    (warning,) = (each for each in planned(mixed).warnings if "unpacks the graphs" in each)

    assert "workers of alpha have" in warning
    assert not any("unpacks the graphs" in each for each in planned(minimal()).warnings)


def test_a_scheduler_that_outgrows_its_node_is_shown_the_next_larger_type() -> None:
    teams = [{"name": "alpha", "workers": 1, "scheduler": {"memory_gib": 12}}]
    warnings = planned(on_cpus(teams=teams)).warnings

    assert any("e2-standard-8 instead of e2-standard-4 costs" in each for each in warnings)


@pytest.mark.parametrize(
    ("document", "key", "said"),
    [
        (of_team(worker={"protocol": "ucx"}), "teams[0].worker.protocol", "GPU on both ends"),
        (
            of_team(scheduler={"fallback": "worker-pool"}),
            "teams[0].scheduler.fallback",
            "ask for none",
        ),
        (
            on_cpus(scheduler_pool={**ON_CPUS, "schedulers_per_gpu": 2}),
            "scheduler_pool.schedulers_per_gpu",
            "a pool without GPUs",
        ),
        (
            on_cpus(scheduler_pool={**ON_CPUS, "gpus_per_node": 1}),
            "scheduler_pool.gpus_per_node",
            "a pool without GPUs",
        ),
        (
            on_cpus(scheduler_pool={"accelerator": "none", "machine_type": "g2-standard-4"}),
            "scheduler_pool.machine_type",
            "always carries 1 x nvidia-l4",
        ),
        (
            on_cpus(scheduler_pool={**ON_CPUS, "replacement": "in-place"}),
            "scheduler_pool.replacement",
            "takes none away",
        ),
        (minimal(scheduler_pool={"gpus_per_node": 0}), "scheduler_pool.gpus_per_node", "at least"),
    ],
)
def test_what_needs_a_gpu_is_refused(document: Document, key: str, said: str) -> None:
    (problem,) = refused(document).problems

    assert problem.key == key
    assert said in problem.reason


def test_ucx_is_refused_once_where_nobody_has_a_gpu() -> None:
    document = on_cpus(
        worker_pools=[CPU_WORKERS],
        teams=[{"name": "alpha", "workers": 1, "worker": {"protocol": "ucx"}}],
    )

    assert len(refused(document).problems) == 1
