"""Unit: affinities and tolerations, judged as kube-scheduler judges them."""

from typing import Any

import pytest

from daskfleet.planning.node_pool_spec import pool_specs
from daskfleet.planning.plan import TeamPlan
from manifests.one_zone import drawn_together
from manifests.placement import required_pools, scheduler_placement, worker_placement
from tests.components.fleets import alpha, fleet

Node = dict[str, Any]
CPU = {"name": "cpu", "accelerator": "none", "machine_type": "e2-standard-8"}


def nodes() -> dict[str, Node]:
    """Labels and taints of one node of each pool, one of them another team's worker pool."""
    stack = fleet(
        worker_pools=[{"name": "a100", "node_count": 2}, {"name": "other", "node_count": 1}, CPU],
        teams=[{"name": "alpha", "worker_pool": "a100"}],
    ).stack
    return {
        spec.name: {
            "labels": {**spec.labels, "cloud.google.com/gke-nodepool": spec.name},
            "taints": spec.taints,
        }
        for spec in pool_specs(stack)
    }


def admitted(placement: dict[str, Any]) -> set[str]:
    """Pools whose nodes the pod may run on."""
    terms = placement["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    tolerated = {
        (toleration["key"], toleration.get("value"))
        for toleration in placement["tolerations"]
        if toleration["effect"] == "NoSchedule"
    }
    return {
        name
        for name, node in nodes().items()
        if any(
            all(
                node["labels"].get(expression["key"]) in expression["values"]
                for expression in term["matchExpressions"]
            )
            for term in terms
        )
        and all((taint.key, taint.value) in tolerated for taint in node["taints"])
    }


def test_a_scheduler_pod_never_lands_on_an_a100_node() -> None:
    assert admitted(scheduler_placement(alpha())) == {"scheduler-pool"}


def test_a_scheduler_with_fallback_may_take_a_gpu_of_its_own_teams_pool_and_of_no_other() -> None:
    placement = scheduler_placement(alpha(scheduler={"fallback": "worker-pool"}))

    assert admitted(placement) == {"scheduler-pool", "a100"}


def test_a_scheduler_with_fallback_prefers_the_scheduler_pool() -> None:
    placement = scheduler_placement(alpha(scheduler={"fallback": "worker-pool"}))

    (preference,) = placement["affinity"]["nodeAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]

    assert preference["preference"]["matchExpressions"] == [
        {"key": "dedicated", "operator": "In", "values": ["scheduler"]}
    ]


SURGING = {"replacement": "surge"}


def surging(**team: Any) -> TeamPlan:
    """Team alpha on pools that are replaced by surge."""
    return fleet(
        scheduler_pool=SURGING, worker_pools=[SURGING], teams=[{"name": "alpha", **team}]
    ).teams[0]


def pools_named(placement: dict[str, Any]) -> set[str]:
    """Pools that the required affinity names."""
    ((expression,),) = (
        term["matchExpressions"]
        for term in placement["affinity"]["nodeAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"
        ]["nodeSelectorTerms"]
    )
    assert expression["key"] == "cloud.google.com/gke-nodepool"
    return set(expression["values"])


def test_pods_run_on_the_generation_of_a_surge_pool_and_not_on_its_predecessor() -> None:
    plan = surging()
    scheduler, worker = plan.scheduler_generation.name, plan.worker_generation.name

    assert scheduler.startswith("scheduler-pool-")
    assert worker.startswith("a100-")
    assert pools_named(scheduler_placement(plan)) == {scheduler}
    assert pools_named(worker_placement(plan.first_group)) == {worker}


def test_a_scheduler_with_fallback_waits_for_the_next_generation_of_a_surge_pool() -> None:
    plan = surging(scheduler={"fallback": "worker-pool"})
    placement = scheduler_placement(plan)
    (preference,) = placement["affinity"]["nodeAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]

    assert required_pools(plan) == ("scheduler-pool", "a100")
    assert preference["preference"]["matchExpressions"][0]["values"] == [
        plan.scheduler_generation.name
    ]


def test_a_worker_pod_runs_on_its_teams_pool_and_nowhere_else() -> None:
    assert admitted(worker_placement(alpha().first_group)) == {"a100"}


@pytest.mark.parametrize("condition", ["unreachable", "not-ready"])
def test_a_scheduler_leaves_a_lost_node_after_a_minute(condition: str) -> None:
    placement = scheduler_placement(alpha())

    (toleration,) = (
        toleration
        for toleration in placement["tolerations"]
        if toleration["key"] == f"node.kubernetes.io/{condition}"
    )

    assert toleration["tolerationSeconds"] == 60


def test_a_team_waits_for_its_own_pools_only() -> None:
    assert required_pools(alpha()) == ("scheduler-pool", "a100")


def test_a_team_with_fallback_does_not_wait_for_the_scheduler_pool() -> None:
    plan = alpha(scheduler={"fallback": "worker-pool"})
    assert required_pools(plan) == ("a100",)


def test_a_worker_is_drawn_to_its_teams_zone_where_the_team_asks_and_bound_to_its_pool_still() -> (
    None
):
    plan = alpha(prefer_one_zone=True)
    placement = drawn_together(worker_placement(plan.first_group), plan.team)
    (term,) = placement["affinity"]["podAffinity"][
        "preferredDuringSchedulingIgnoredDuringExecution"
    ]

    assert term["podAffinityTerm"]["topologyKey"] == "topology.kubernetes.io/zone"
    assert admitted(placement) == {"a100"}


def test_a_worker_is_drawn_to_no_zone_where_nobody_asks() -> None:
    plan = alpha()

    assert drawn_together(worker_placement(plan.first_group), plan.team) == worker_placement(
        plan.first_group
    )


def test_a_worker_without_a_gpu_is_on_its_pool_alone() -> None:
    team = {"name": "alpha", "worker_pool": "cpu", "workers": 1}
    plan = fleet(worker_pools=[{"name": "a100"}, CPU], teams=[team]).teams[0]

    assert admitted(worker_placement(plan.first_group)) == {"cpu"}


def test_what_names_no_pool_is_kept_off_a_pool_without_gpus() -> None:
    anywhere = {"key": "cloud.google.com/gke-nodepool", "values": [*nodes()]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [anywhere]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": terms}

    assert admitted({"affinity": {"nodeAffinity": required}, "tolerations": []}) == {"system"}
