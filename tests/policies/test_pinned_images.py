"""Unit: images that do not change under their name."""

import pytest

from policies.pinned_images import RULE
from tests.policies.fleets import DASK, INSTALLER, OPERATOR, Fleet

WORKER_IMAGE = ("spec", "worker", "spec", "containers", 0, "image")


@pytest.mark.parametrize("image", ["team", "team:latest", "my.registry:5000/team", None])
def test_an_image_that_moves_is_named(fleet: Fleet, image: str | None) -> None:
    ((name, message),) = fleet.with_value(DASK, *WORKER_IMAGE, value=image).violations(RULE)

    assert name == DASK
    assert f"The worker has the image {image or '(none)'}" in message


def test_a_digest_is_enough(fleet: Fleet) -> None:
    digest = f"my.registry:5000/team@sha256:{'0' * 64}"

    assert fleet.with_value(DASK, *WORKER_IMAGE, value=digest).names(RULE) == []


def test_workloads_and_charts_count_too(fleet: Fleet) -> None:
    pause = ("spec", "template", "spec", "containers", 0, "image")

    assert fleet.with_value(INSTALLER, *pause, value="pause").names(RULE) == [INSTALLER]
    assert fleet.with_value(OPERATOR, "values", "image", "tag", value="latest").names(RULE) == [
        OPERATOR
    ]
