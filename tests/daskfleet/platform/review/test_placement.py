"""Unit: how full the pools are."""

from daskfleet.platform.review.model import PlacementLine
from daskfleet.platform.review.placement import placement_lines
from tests.components.fleets import fleet


def test_each_gpu_pool_says_how_much_of_it_is_used() -> None:
    plan = fleet(
        worker_pools=[{"name": "a100", "node_count": 2}, {"name": "spare", "node_count": 1}],
        teams=[
            {"name": "alpha", "workers": 2, "worker_pool": "a100"},
            {"name": "beta", "workers": 1, "worker_pool": "a100"},
        ],
    )

    assert placement_lines(plan) == (
        PlacementLine(pool="scheduler-pool", used=2, room=2, unit="scheduler slots"),
        PlacementLine(pool="a100", used=3, room=4, unit="A100"),
        PlacementLine(pool="spare", used=0, room=2, unit="A100"),
    )
