"""Unit: QoS classes."""

from typing import Any

import pytest

from rehearsal.dask_pods.quality_of_service import quality_of_service
from tests.rehearsal.dask_pods.pods import pod, team_pod

BOTH = {"cpu": "1", "memory": "1Gi"}


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({}, "BestEffort"),
        ({"limits": {"nvidia.com/gpu": "1"}}, "BestEffort"),
        ({"limits": BOTH}, "Guaranteed"),
        ({"limits": BOTH, "requests": {"cpu": "1000m", "memory": "1024Mi"}}, "Guaranteed"),
        ({"limits": BOTH, "requests": {"cpu": "500m", "memory": "1Gi"}}, "Burstable"),
        ({"requests": {"cpu": "1"}}, "Burstable"),
    ],
)
def test_the_class_follows_limits_and_requests(resources: dict[str, Any], expected: str) -> None:
    assert quality_of_service(pod({"resources": resources})) == expected


def test_the_teams_worker_is_burstable_since_its_cpu_is_not_limited() -> None:
    assert quality_of_service(team_pod("worker")) == "Burstable"
