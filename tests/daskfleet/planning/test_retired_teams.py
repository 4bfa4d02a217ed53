"""Unit tests: a retired team asks for nothing, and is refused for nothing that it no longer has."""

from typing import Any

import pytest

from daskfleet.planning.teams import retired_teams, teams_with_cluster
from tests.daskfleet.planning.documents import minimal, planned, pods_on, refused

TWO = {
    "scheduler_pool": {"machine_type": "n1-standard-4", "schedulers_per_gpu": 2},
    "worker_pools": [{"name": "a100", "node_count": 2}],
}


def teams(**of_beta: Any) -> list[dict[str, Any]]:
    return [{"name": "alpha", "workers": 1}, {"name": "beta", "workers": 1, **of_beta}]


def test_it_frees_the_gpus_that_it_had() -> None:
    before = planned(minimal(**TWO, teams=teams()))
    after = planned(minimal(**TWO, teams=teams(retire=True)))

    assert [pods_on(pool) for pool in before.placement] == [2, 2]
    assert [pods_on(pool) for pool in after.placement] == [1, 1]


def test_another_team_may_have_them_in_the_same_change() -> None:
    taken = [{"name": "alpha", "workers": 4}, {"name": "beta", "workers": 1}]
    refused(minimal(**TWO, teams=taken))
    taken[1]["retire"] = True

    assert [team.team.name for team in planned(minimal(**TWO, teams=taken)).teams] == ["alpha"]


@pytest.mark.parametrize(
    "setting",
    [
        {"image": "registry.example/rapids:latest"},
        {"worker_pool": "gone"},
        {"workers": 100},
        {"scheduler": {"memory_gib": 1000}},
    ],
)
def test_what_would_be_refused_of_its_cluster_is_no_problem_any_more(
    setting: dict[str, Any],
) -> None:
    refused(minimal(**TWO, teams=teams(**setting)))

    assert planned(minimal(**TWO, teams=teams(**setting, retire=True))).teams


def test_its_name_stays_taken() -> None:
    both = [{"name": "alpha"}, {"name": "alpha", "retire": True}]
    (problem,) = refused(minimal(teams=both)).problems

    assert problem.key == "teams[1].name"


def test_the_preview_says_that_its_namespace_is_next() -> None:
    plan = planned(minimal(teams=[{"name": "alpha", "retire": True}]))

    assert [team.name for team in plan.retired] == ["alpha"]
    assert plan.teams == ()
    assert any("Team alpha is retired" in warning for warning in plan.warnings)


def test_the_place_in_the_stack_file_is_that_of_the_whole_list() -> None:
    stack = planned(
        minimal(
            teams=[{"name": "alpha", "retire": True}, {"name": "beta"}],
            worker_pools=[{"name": "a100", "node_count": 2}],
        )
    ).stack

    assert [(index, team.name) for index, team in teams_with_cluster(stack)] == [(1, "beta")]
    assert [team.name for team in retired_teams(stack)] == ["alpha"]
