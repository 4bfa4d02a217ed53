"""What is inside a RAPIDS image, read from its tag."""

import re
from dataclasses import dataclass

from daskfleet.settings.software import Image

# github.com/rapidsai/docker, dockerhub-readme.md: <release>-cuda<major>-py<python> since 25.12,
# cuda<major>.<minor> until 25.08, both in 25.10, and -runtime-<distribution> or -base- before
# 23.08; nightly builds append "a" to the release.
TAG = re.compile(
    r"(?P<rapids>\d{2}\.\d{2})a?"
    r"-cuda(?P<cuda>\d{2})(\.\d+)?"
    r"(-(base|runtime|devel)(-[a-z0-9.]+)?)?"
    r"-py(?P<python>3\.\d+)"
    r"(-(amd64|arm64))?"
)

ALLOWED = (
    "a reference whose tag follows RAPIDS' scheme, such as "
    "nvcr.io/nvidia/rapidsai/base:26.10-cuda12-py3.13 (with or without a digest), or a mapping "
    'such as {ref: my.registry/team@sha256:..., rapids: "26.10", cuda: 12}'
)


MOVING_TAGS = frozenset({"", "latest"})
"""No tag means ``latest``, which is another image tomorrow."""


@dataclass(frozen=True, kw_only=True)
class ImageContents:
    """An image, and what is known of its inside."""

    image: Image
    python: str | None
    """Python version, where the tag says it."""


def read_image(setting: str | Image) -> ImageContents | None:
    """What is inside an image; ``None`` when its tag does not say."""
    if isinstance(setting, Image):
        return ImageContents(image=setting, python=None)
    name = setting.partition("@")[0].rpartition("/")[2]
    match = TAG.fullmatch(name.partition(":")[2])
    if match is None:
        return None
    image = Image(ref=setting, rapids=match["rapids"], cuda=int(match["cuda"]))
    return ImageContents(image=image, python=match["python"])


def is_pinned(reference: str) -> bool:
    """Whether a reference has a digest, or a tag that is not meant to move."""
    name, _, digest = reference.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2]
    return bool(digest) or tag not in MOVING_TAGS
