"""Unit: an image is called old only where its tag says so."""

import pytest

from rehearsal.dask_pods.image_age import is_known_to_have_removed_commands


@pytest.mark.parametrize(
    "image",
    [
        "ghcr.io/dask/dask:2026.5.1",
        "europe-docker.pkg.dev/p/mirror/dask-notebook:2025.12.0-py3.11",
        "dask:2024.1.0",
        "nvcr.io/nvidia/rapidsai/base:26.06-cuda12-py3.13",
        "example.com/climate:25.12-cuda12.9-py3.11",
    ],
)
def test_an_old_tag_says_so(image: str) -> None:
    assert is_known_to_have_removed_commands(image)


@pytest.mark.parametrize(
    "image",
    [
        "ghcr.io/dask/dask:2026.6.0",
        "ghcr.io/dask/dask:2027.1.0-py3.13",
        "nvcr.io/nvidia/rapidsai/notebooks:26.08-cuda13-py3.13",
        "example.com/climate:2025.12.0",
        "ghcr.io/dask/dask:latest",
        "ghcr.io/dask/dask",
        "ghcr.io/dask/dask@sha256:0",
    ],
)
def test_a_newer_one_or_one_that_says_nothing_does_not(image: str) -> None:
    assert not is_known_to_have_removed_commands(image)
