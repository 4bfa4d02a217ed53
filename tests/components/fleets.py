"""Fleets that tests of components begin with."""

from typing import Any

from daskfleet.planning.plan import FleetPlan, TeamPlan
from tests.daskfleet.planning.documents import planned


def fleet(**changes: Any) -> FleetPlan:
    """Two teams that share a T4, on the default pools, with some settings changed."""
    return planned(
        {
            "project": "example-project",
            "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
            "worker_pools": [{"name": "a100", "node_count": 2}],
            "teams": [
                {"name": "alpha", "workers": 2, "labels": {"cost-center": "cc-1"}},
                {"name": "beta", "workers": 1},
            ],
            **changes,
        }
    )


def alpha(**changes: Any) -> TeamPlan:
    """Team alpha alone, with some of its settings changed."""
    return fleet(teams=[{"name": "alpha", **changes}]).teams[0]
