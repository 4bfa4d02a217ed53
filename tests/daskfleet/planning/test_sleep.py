"""Unit: whose workers sleep, what that costs, and what it does not save."""

from typing import Any

import pytest

from daskfleet.planning.cost_lines import HOURS_PER_MONTH
from daskfleet.planning.recycle import controller_rules
from daskfleet.planning.sleep_cost import floor_of
from in_cluster.idle_controller.opening_hours import OpeningHours, Window
from in_cluster.idle_controller.rules import Rule
from tests.daskfleet.planning.documents import Document, minimal, planned

NODE = 7.34677 + 200 * 0.1 / 730
"""An a2-highgpu-2g with its disk, per hour."""

FROM_NINE_TO_NINE = "Mon-Sun 09:00-21:00 UTC"


def fleet(*teams: Document, **pool: Any) -> Document:
    return minimal(
        teams=list(teams),
        scheduler_pool={"machine_type": "n1-standard-8", "schedulers_per_gpu": 4},
        worker_pools=[pool or {"autoscaling": {"min_nodes": 0, "max_nodes": 4}}],
    )


def sleeper(name: str, **settings: Any) -> Document:
    return {"name": name, "workers": 2, **settings}


def saved_nodes(document: Document) -> float:
    floor = floor_of(planned(document))
    assert floor is not None
    assert floor.without_sleep is not None
    assert floor.with_sleep is not None
    return (floor.without_sleep - floor.with_sleep) / HOURS_PER_MONTH / NODE


def test_the_controller_is_told_of_the_teams_that_sleep_and_of_no_other() -> None:
    document = fleet(
        sleeper("alpha"),
        sleeper("beta", idle={"workers_after_min": 1.5}),
        sleeper("gamma", hours="Mon 07:00-20:00 UTC"),
        sleeper("delta", idle={"workers_after_min": 1}, retire=True),
    )

    assert controller_rules(planned(document).stack) == (
        Rule(namespace="beta", sleep_after_s=90, hours=None),
        Rule(
            namespace="gamma",
            sleep_after_s=None,
            hours=OpeningHours(windows=(Window(0, 420, 1200),), zone="UTC"),
        ),
    )


def test_a_fleet_in_which_nobody_sleeps_has_one_cost() -> None:
    assert floor_of(planned(fleet(sleeper("alpha")))) is None


@pytest.mark.parametrize(
    ("teams", "nodes"),
    [
        ([sleeper("alpha", idle={"workers_after_min": 30})], 1),
        ([sleeper("alpha", hours=FROM_NINE_TO_NINE)], 0.5),
        ([sleeper("alpha", hours=FROM_NINE_TO_NINE, idle={"workers_after_min": 30})], 0.5),
        ([sleeper("alpha", hours=FROM_NINE_TO_NINE), sleeper("beta")], 0.5),
        ([{**sleeper("alpha", idle={"workers_after_min": 5}), "workers": 1},
          {"name": "beta", "workers": 1}], 0),
    ],
    ids=["idle", "half of each day", "both", "beside one that stays", "on one node with it"],
)  # fmt: skip
def test_nodes_go_for_as_long_as_nobody_on_them_is_there(
    teams: list[Document], nodes: float
) -> None:
    assert saved_nodes(fleet(*teams)) == pytest.approx(nodes)


def test_nodes_that_always_stay_cost_the_same_and_a_warning_says_so() -> None:
    asleep = sleeper("alpha", idle={"workers_after_min": 30})

    assert saved_nodes(fleet(asleep, node_count=1)) == 0
    (warning,) = (w for w in planned(fleet(asleep, node_count=1)).warnings if "node_count" in w)
    assert warning == (
        "Team alpha lets its workers go, and pool a100 keeps its nodes: it has a fixed "
        "node_count, and costs the same. With autoscaling: {min_nodes: 0, max_nodes: 1} the nodes "
        "go with the workers."
    )
    assert not [w for w in planned(fleet(asleep)).warnings if "node_count" in w]


def test_a_pool_without_gpus_is_counted_too() -> None:
    pool = {
        "name": "cpu",
        "accelerator": "none",
        "machine_type": "e2-standard-8",
        "autoscaling": {"min_nodes": 0, "max_nodes": 2},
    }
    asleep = sleeper("alpha", idle={"workers_after_min": 5})

    floor = floor_of(planned(fleet(asleep, **pool)))

    assert floor is not None
    assert floor.with_sleep is not None
    assert floor.without_sleep is not None
    assert floor.with_sleep < floor.without_sleep
