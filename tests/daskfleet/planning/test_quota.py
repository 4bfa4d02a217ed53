"""Unit tests: what a new generation beside the old one asks of the quota."""

from daskfleet.planning.quota import SurgeQuota
from tests.daskfleet.planning.documents import minimal, planned


def quota(**pool: object) -> SurgeQuota:
    """The quota of the only worker pool, replaced by surge."""
    plan = planned(minimal(worker_pools=[{"replacement": "surge", **pool}]))
    (only,) = plan.surge_quotas
    return only


def test_a_pool_in_place_needs_nothing_more() -> None:
    assert planned(minimal()).surge_quotas == ()


def test_a_surge_needs_the_pool_at_its_largest_once_more() -> None:
    needed = quota(autoscaling={"min_nodes": 0, "max_nodes": 2})

    assert needed.pool == "a100"
    assert needed.metrics == {
        "NVIDIA_A100_GPUS": 4,
        "GPUS_ALL_REGIONS": 4,
        "A2_CPUS": 48,
        "SSD_TOTAL_GB": 400,
    }
    assert needed.uncounted == {}


def test_spot_gpus_are_another_quota() -> None:
    assert "PREEMPTIBLE_NVIDIA_A100_GPUS" in quota(spot=True).metrics
    assert "GPUS_ALL_REGIONS" not in quota(spot=True).metrics


def test_what_no_source_names_is_said_in_words() -> None:
    needed = quota(
        machine_type="g2-standard-8", accelerator="nvidia-l4", gpus_per_node=1, node_count=2
    )

    assert needed.metrics["NVIDIA_L4_GPUS"] == 2
    assert needed.uncounted == {"vCPUs of g2 machines": 16}
    assert "16 vCPUs of g2 machines (look up the name of its quota)" in needed.notice


def test_the_notice_names_the_pool_and_every_quota() -> None:
    notice = quota(node_count=2).notice

    assert notice.startswith("Pool a100 (replacement: surge): ")
    assert "4 NVIDIA_A100_GPUS, 4 GPUS_ALL_REGIONS, 48 A2_CPUS, 400 SSD_TOTAL_GB more" in notice
