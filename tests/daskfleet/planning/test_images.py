"""Unit tests: what an image's tag says."""

import pytest

from daskfleet.planning.images import is_pinned, read_image
from daskfleet.settings.software import Image

READABLE = {
    "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13": ("26.10", 12, "3.13"),
    "rapidsai/notebooks:25.10-cuda13.0-py3.11": ("25.10", 13, "3.11"),
    "rapidsai/base:25.06-cuda12.8-py3.12": ("25.06", 12, "3.12"),
    "rapidsai/base:26.12a-cuda13-py3.14": ("26.12", 13, "3.14"),
    "rapidsai/rapidsai:23.04-cuda11.8-runtime-ubuntu22.04-py3.10": ("23.04", 11, "3.10"),
    "rapidsai/base:26.06-cuda12-py3.12-amd64": ("26.06", 12, "3.12"),
    "my.registry:5000/mirror/base:26.08-cuda12-py3.13": ("26.08", 12, "3.13"),
    "rapidsai/base:26.08-cuda12-py3.13@sha256:" + "0" * 64: ("26.08", 12, "3.13"),
}

UNREADABLE = [
    "rapidsai/base",
    "rapidsai/base:latest",
    "rapidsai/base@sha256:" + "0" * 64,
    "my.registry:5000/team",
    "rapidsai/base:26.10-py3.13",
    "rapidsai/base:26.10-cuda12-py3.13-and-more",
    "",
]


@pytest.mark.parametrize("reference", READABLE)
def test_a_tag_of_rapids_says_release_cuda_and_python(reference: str) -> None:
    rapids, cuda, python = READABLE[reference]
    contents = read_image(reference)
    assert contents is not None
    assert contents.image == Image(ref=reference, rapids=rapids, cuda=cuda)
    assert contents.python == python


@pytest.mark.parametrize("reference", UNREADABLE)
def test_any_other_tag_is_not_guessed_at(reference: str) -> None:
    assert read_image(reference) is None


def test_a_mapping_needs_no_tag() -> None:
    image = Image(ref="my.registry/team@sha256:" + "0" * 64, rapids="26.10", cuda=13)
    contents = read_image(image)
    assert contents is not None
    assert contents.image is image


@pytest.mark.parametrize(
    "reference",
    [
        "rapidsai/base:26.10-cuda12-py3.13",
        "my.registry:5000/team@sha256:" + "0" * 64,
        "my.registry:5000/team:latest@sha256:" + "0" * 64,
    ],
)
def test_a_digest_or_a_tag_that_does_not_move_pins_an_image(reference: str) -> None:
    assert is_pinned(reference)


@pytest.mark.parametrize("reference", ["rapidsai/base", "team:latest", "my.registry:5000/team"])
def test_latest_and_no_tag_pin_nothing(reference: str) -> None:
    assert not is_pinned(reference)
