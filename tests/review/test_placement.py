"""Unit: how full the pools are."""

import pytest

from review.model import PlacementLine
from review.placement import gpu_name, placement_lines
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


@pytest.mark.parametrize(
    ("accelerator", "name"),
    [
        ("nvidia-tesla-a100", "A100"),
        ("nvidia-a100-80gb", "A100 80GB"),
        ("nvidia-l4", "L4"),
        ("nvidia-tesla-t4", "T4"),
    ],
)
def test_a_gpu_is_called_as_people_call_it(accelerator: str, name: str) -> None:
    assert gpu_name(accelerator) == name
