"""Unit: the rules of a team's namespace."""

from components.team import gpu_quota, namespace_labels
from tests.components.fleets import alpha


def test_the_gpu_quota_is_what_the_cluster_needs_and_no_more() -> None:
    assert gpu_quota(alpha(workers=3)) == 4


def test_pods_that_run_as_root_are_refused_whatever_the_billing_labels_say() -> None:
    labels = namespace_labels({"cost-center": "cc-1"})

    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    assert labels["cost-center"] == "cc-1"
