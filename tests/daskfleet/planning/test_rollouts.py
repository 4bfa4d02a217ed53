"""Unit tests: what blue-green teams need of the pools, and what they do not."""

from daskfleet.planning.rollouts import clusters_at_once
from tests.daskfleet.planning.documents import minimal, planned, refused, teams

ROOM_FOR_TWO = {"node_count": 2}


def test_the_refusal_of_a_roll_shows_its_arithmetic() -> None:
    error = refused(
        minimal(
            teams=teams({"workers": 1, "rollout": "blue-green"}, {"workers": 2}),
            scheduler_pool={"node_count": 3},
            worker_pools=[{"machine_type": "a2-highgpu-1g", "gpus_per_node": 1, "node_count": 3}],
        )
    )

    assert "a second cluster of team-0 beside the first" in str(error)
    assert "GPUs for 3 pods" in str(error)
    assert "3 are needed now, 4 during such a roll: short by 1." in str(error)


def test_a_pool_that_is_too_small_without_a_roll_is_told_only_that() -> None:
    error = refused(
        minimal(
            teams=[{"name": "alpha", "workers": 3, "rollout": "blue-green"}],
            scheduler_pool=ROOM_FOR_TWO,
        )
    )

    assert [problem.key for problem in error.problems] == ["teams[0].workers"]


def test_a_pool_that_holds_both_clusters_is_enough() -> None:
    plan = planned(
        minimal(
            teams=[{"name": "alpha", "workers": 1, "rollout": "blue-green"}],
            scheduler_pool=ROOM_FOR_TWO,
        )
    )

    assert clusters_at_once(plan.teams[0].team) == 2


def test_a_recreate_team_beside_a_blue_green_one_counts_once() -> None:
    planned(
        minimal(
            teams=teams({"workers": 1, "rollout": "blue-green"}, {"workers": 2}),
            scheduler_pool={"node_count": 3},
            worker_pools=[{"node_count": 2}],
        )
    )


def test_the_estimate_is_that_of_the_pools_however_teams_are_rolled() -> None:
    def cost(rollout: str) -> object:
        return planned(
            minimal(
                teams=[{"name": "alpha", "workers": 1, "rollout": rollout}],
                scheduler_pool=ROOM_FOR_TWO,
            )
        ).cost

    assert cost("blue-green") == cost("recreate")


def test_a_second_scheduler_service_needs_an_address_of_its_own() -> None:
    def needed(rollout: str) -> str:
        many = [{"name": f"t{n}", "workers": 0, "rollout": rollout} for n in range(64)]
        return str(
            refused(
                minimal(
                    teams=many,
                    scheduler_pool={"node_count": 128},
                    network={"services_cidr": "10.24.0.0/28"},
                )
            )
        )

    assert "but 144 are needed" in needed("recreate")
    assert "but 208 are needed" in needed("blue-green")
