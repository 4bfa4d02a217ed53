"""Unit: boot disks that hold the images of their teams, and those that do not."""

import pytest

from daskfleet.planning.disk_room import image_gb, least_disk_gib, room_gb
from tests.daskfleet.planning.documents import minimal, planned


def told(**changes: object) -> list[str]:
    return [each for each in planned(minimal(**changes)).warnings if "boot disk" in each]


def images(count: int) -> list[dict[str, object]]:
    """Teams with an image each."""
    return [
        {
            "name": f"team-{number}",
            "workers": 0,
            "image": f"registry.example/team-{number}:26.10-cuda12-py3.13",
        }
        for number in range(count)
    ]


SHARED = {"machine_type": "n1-standard-16", "schedulers_per_gpu": 8}


def test_an_image_takes_what_came_and_what_was_unpacked_from_it() -> None:
    assert image_gb() == pytest.approx(13.9 + 6.4)


def test_the_default_disk_holds_the_image_of_the_stack_twice() -> None:
    assert told() == []
    assert told(image_prepull=True) == []


def test_a_disk_that_is_too_small_is_told_with_the_figures_and_the_least_that_fits() -> None:
    (warning,) = told(worker_pools=[{"disk_size_gb": 50}])

    assert "Pool a100: a boot disk of 50 GB has about 35 GB for images" in warning
    assert "1 image on a node, old and new during a rollout, take 41 GB" in warning
    assert f"set disk_size_gb to {least_disk_gib(2 * image_gb())} or more" in warning


@pytest.mark.parametrize("count", [1, 3, 7])
def test_the_least_disk_has_the_room_and_a_smaller_one_has_not(count: int) -> None:
    needed = count * image_gb()
    least = least_disk_gib(needed)

    assert room_gb(least) >= needed > room_gb(least - 1)


def test_a_node_has_no_more_images_than_pods_unless_it_pulls_them_all() -> None:
    four, one = {**SHARED, "schedulers_per_gpu": 4}, {"node_count": 8}

    assert told(scheduler_pool=one, teams=images(8)) == []
    assert told(scheduler_pool={**four, "node_count": 2}, teams=images(8)) == []
    (warning,) = (
        each
        for each in told(scheduler_pool=one, teams=images(8), image_prepull=True)
        if each.startswith("Pool scheduler-pool")
    )
    assert "8 images on a node" in warning


def test_teams_with_the_same_image_share_it() -> None:
    teams = [{"name": f"team-{number}", "workers": 0} for number in range(8)]

    assert told(scheduler_pool=SHARED, teams=teams, image_prepull=True) == []
