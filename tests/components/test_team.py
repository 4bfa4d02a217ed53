"""Unit: the rules of a team's namespace."""

from components.team import gpu_quota, namespace_labels
from tests.components.fleets import alpha, fleet


def test_the_gpu_quota_is_what_the_cluster_needs_and_no_more() -> None:
    assert gpu_quota(alpha(workers=3)) == 4


def test_the_quota_holds_both_clusters_of_a_blue_green_roll() -> None:
    rolling = fleet(
        scheduler_pool={"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
        worker_pools=[{"name": "a100", "node_count": 3}],
        teams=[{"name": "alpha", "workers": 3, "rollout": "blue-green"}],
    )

    assert gpu_quota(rolling.teams[0]) == 8


def test_pods_that_run_as_root_are_refused_whatever_the_billing_labels_say() -> None:
    labels = namespace_labels({"cost-center": "cc-1"})

    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    assert labels["cost-center"] == "cc-1"
