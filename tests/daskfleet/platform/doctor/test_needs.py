"""Unit: what a stack needs by metric."""

from daskfleet.planning.fleet import plan_draft
from daskfleet.planning.plan import FleetPlan
from daskfleet.planning.quota import shape_of
from daskfleet.platform.doctor.needs import Need, Nodes, needs_of, used_by
from daskfleet.settings.stack_file import read_stack_file
from tests.daskfleet.planning.documents import minimal, planned
from tests.project import PROJECT_DIR

STACKS = PROJECT_DIR / "stacks"


def of_file(stack: str) -> FleetPlan:
    return plan_draft(read_stack_file(STACKS / f"Pulumi.{stack}.yaml"))


def by_metric(plan: FleetPlan) -> dict[str, Need]:
    return {need.metric: need for need in needs_of(plan).needs}


def test_prod_needs_its_gpus_where_each_kind_is_counted() -> None:
    needs = by_metric(of_file("prod"))
    up = {metric: need.up for metric, need in needs.items()}
    assert up["NVIDIA_A100_GPUS"] == 3 * 4
    assert up["NVIDIA_T4_GPUS"] == 2
    assert up["NVIDIA_A100_80GB_GPUS"] == up["NVIDIA_L4_GPUS"] == 4
    assert up["GPUS_ALL_REGIONS"] == 12 + 2 + 4 + 4
    assert up["A2_CPUS"] == 3 * 48 + 4 * 12
    # System pool: two e2-standard-4 at first. Schedulers: two n1-standard-8.
    assert up["CPUS"] == 2 * 4 + 2 * 8


def test_prod_needs_more_once_its_pools_are_at_their_largest() -> None:
    needs = by_metric(of_file("prod"))
    assert (needs["NVIDIA_L4_GPUS"].up, needs["NVIDIA_L4_GPUS"].most) == (4, 6)
    assert (needs["CPUS"].up, needs["CPUS"].most) == (24, 28)
    assert needs["NVIDIA_A100_GPUS"].most == 12


def test_prod_needs_no_more_than_it_says_by_pool() -> None:
    assert by_metric(of_file("prod"))["SSD_TOTAL_GB"].reasons == (
        "pool system: 200",
        "pool scheduler-pool: 400",
        "pool a100: 900",
        "pool a100-80gb: 800",
        "pool l4: 800",
    )


def test_what_no_metric_counts_is_said_in_words() -> None:
    assert needs_of(of_file("prod")).uncounted == ("pool l4: 48 vCPUs of g2 machines",)


def test_the_network_needs_one_of_each_and_an_address_for_nat() -> None:
    needs = by_metric(planned(minimal()))
    for metric in ("NETWORKS", "SUBNETWORKS", "ROUTERS", "IN_USE_ADDRESSES", "STATIC_ADDRESSES"):
        assert needs[metric].up == 1
    assert {needs[m].scope for m in ("NETWORKS", "GPUS_ALL_REGIONS")} == {"project"}
    assert needs["IN_USE_ADDRESSES"].scope == "region"


def test_the_default_pool_counts_only_where_it_alone_is_more_than_the_fleet() -> None:
    """Its node is gone before GKE makes another."""
    small = {"machine_type": "e2-standard-2", "disk_size_gb": 50}
    assert by_metric(planned(minimal(system_pool=small)))["CPUS"].reasons == (
        "pool system: 2",
        "pool scheduler-pool: 2",
    )
    l4 = {"machine_type": "g2-standard-4", "accelerator": "nvidia-l4"}
    need = by_metric(
        planned(minimal(system_pool={"machine_type": "n2-standard-2"}, scheduler_pool=l4))
    )["CPUS"]
    assert need.up == 2
    assert need.reasons == ("GKE's default pool, for a few minutes: 2",)


def test_a_surge_pool_is_there_twice_while_it_is_replaced() -> None:
    pool = {"replacement": "surge", "node_count": 1}
    need = by_metric(planned(minimal(worker_pools=[pool])))["NVIDIA_A100_GPUS"]
    assert (need.up, need.most) == (2, 4)


def test_spot_capacity_has_metrics_of_its_own_where_the_project_has_a_quota() -> None:
    plan = of_file("dev")
    metrics = {need.metric for need in needs_of(plan).needs}
    assert "PREEMPTIBLE_NVIDIA_L4_GPUS" in metrics
    without = needs_of(plan, without_spot_quota=["PREEMPTIBLE_NVIDIA_L4_GPUS"])
    assert "NVIDIA_L4_GPUS" in {need.metric for need in without.needs}


def test_what_runs_already_takes_the_same_metrics() -> None:
    plan = planned(minimal())
    pools = (plan.stack.system_pool, plan.stack.scheduler_pool, *plan.stack.worker_pools)
    nodes = [Nodes(shape=shape_of(pool), count=pool.min_nodes) for pool in pools]
    used = used_by(nodes, network=plan.stack.network)
    assert used == {need.metric: need.up for need in needs_of(plan).needs}
    assert used_by([], network=None) == {}


def test_a_network_that_exists_takes_none_of_the_project_s_quota_for_networks() -> None:
    network = {"nodes_cidr": "10.0.0.0/20", "pods_cidr": "10.4.0.0/14"}
    network |= {"services_cidr": "10.8.0.0/20"}
    names = dict.fromkeys(("network", "subnetwork", "pods_range"), "shared")
    existing = {"existing": {**names, "services_range": "services"}}
    own, without_nat, others = (
        by_metric(planned(minimal(network=each))).keys()
        for each in (network, network | {"nat": "none"}, network | existing)
    )
    addresses = {"IN_USE_ADDRESSES", "STATIC_ADDRESSES"}
    assert own - without_nat == {"ROUTERS"} | addresses
    assert own - others == {"NETWORKS", "SUBNETWORKS", "ROUTERS"} | addresses
