"""Unit: names of a team's Dask clusters, and which of them may go."""

import re
from typing import Any

import pytest

from components.outputs.fleet import fleet_outputs
from daskfleet.settings.team import RolloutKind
from manifests.dask_generation import Present, generation, resource_name
from tests.components.fleets import fleet

OTHER_IMAGE = "nvcr.io/nvidia/rapidsai/base:26.08-cuda12-py3.13"
TEAM = {"name": "alpha", "workers": 1, "rollout": "blue-green"}
CHANGES: dict[str, dict[str, Any]] = {
    "image": {"image": OTHER_IMAGE},
    "labels": {"labels": {"cost-center": "cc-1"}},
    "memory of a worker": {"worker": {"memory_gib": 20}},
    "command of the scheduler": {"scheduler": {"command": ["dask", "scheduler", "--jupyter"]}},
}


def manifest(**changes: Any) -> dict[str, Any]:
    plan = fleet(teams=[{**TEAM, **changes}])
    return generation(plan.teams[0])


def name(**changes: Any) -> str:
    return str(manifest(**changes)["metadata"]["name"])


def test_a_recreate_team_has_one_name_for_ever() -> None:
    assert name(rollout="recreate") == name(rollout="recreate", image=OTHER_IMAGE) == "alpha"
    assert resource_name("alpha", manifest(rollout="recreate")) == "alpha-dask-cluster"


def test_a_blue_green_teams_cluster_carries_a_digest_in_both_of_its_names() -> None:
    assert re.fullmatch(r"alpha-[0-9a-f]{8}", name())
    assert resource_name("alpha", manifest()) == f"alpha-dask-cluster{name().removeprefix('alpha')}"


@pytest.mark.parametrize("kind", CHANGES)
def test_any_change_is_another_cluster(kind: str) -> None:
    assert name(**CHANGES[kind]) != name()


def test_but_for_the_number_of_workers() -> None:
    assert name(workers=2) == name()
    assert manifest(workers=2)["spec"]["worker"]["replicas"] == 2


def test_a_change_that_is_taken_back_is_the_old_cluster_again() -> None:
    assert name(image=OTHER_IMAGE) != name() == name()


def test_the_labels_and_the_selector_of_a_cluster_say_its_own_name() -> None:
    document = manifest()
    own = document["metadata"]["name"]

    assert document["metadata"]["labels"]["dask.org/cluster-name"] == own
    selector = document["spec"]["scheduler"]["service"]["selector"]
    assert selector["dask.org/cluster-name"] == own
    assert document["metadata"]["namespace"] == "alpha"


def test_the_outputs_name_the_cluster_that_serves() -> None:
    team = fleet_outputs(fleet(teams=[TEAM]))["teams"]["alpha"]

    assert team["dask_cluster"] == name()
    assert team["address"] == "tcp://dask.alpha.svc.cluster.local:8786"


def present(*names: str, selected: str | None) -> Present:
    return Present(names=frozenset(names), selected=selected)


def test_what_serves_stays_while_another_comes_up() -> None:
    there = present("old", "new", selected="old")

    assert there.serving_beside("new") == "old"
    assert there.in_the_way_of("new", kind="blue-green") == ()


def test_what_an_earlier_roll_left_behind_goes() -> None:
    there = present("old", "failed", "new", selected="old")

    assert there.in_the_way_of("new", kind="blue-green") == ("failed",)


def test_what_served_until_an_interrupted_switch_goes() -> None:
    there = present("old", "new", selected="new")

    assert there.serving_beside("new") is None
    assert there.in_the_way_of("new", kind="blue-green") == ("old",)


def test_a_change_that_is_taken_back_removes_what_failed() -> None:
    there = present("old", "failed", selected="old")

    assert there.serving_beside("old") is None
    assert there.in_the_way_of("old", kind="blue-green") == ("failed",)


def test_a_service_that_selects_what_has_gone_serves_nobody() -> None:
    assert present("new", selected="old").serving_beside("new") is None


def test_the_first_cluster_has_nothing_in_its_way() -> None:
    there = present("new", selected=None)

    assert there.serving_beside("new") is None
    assert there.in_the_way_of("new", kind="blue-green") == ()


def test_recreate_takes_the_gpus_of_a_blue_green_cluster_that_still_serves() -> None:
    there = present("alpha-0a1b2c3d", "alpha", selected="alpha-0a1b2c3d")

    assert there.in_the_way_of("alpha", kind="recreate") == ("alpha-0a1b2c3d",)


@pytest.mark.parametrize("kind", ["recreate", "blue-green"])
def test_nothing_goes_for_the_sake_of_a_cluster_that_does_not_exist(kind: RolloutKind) -> None:
    there = present("alpha-0a1b2c3d", "failed", selected="alpha-0a1b2c3d")

    assert there.in_the_way_of("alpha", kind=kind) == ()
