"""Pure: whether an image is old enough to have commands that Dask has removed.

distributed 2026.6.0 has no ``dask-scheduler`` and no ``dask-worker``; RAPIDS has it since 26.08.
"""

import re

REMOVED = frozenset({"dask-scheduler", "dask-worker"})

_LAST_OF_DASK = (2026, 5)
_LAST_OF_RAPIDS = (26, 6)

_DASK = re.compile(r"(?:.*/)?dask(?:-notebook)?:(?P<year>20\d\d)\.(?P<month>\d{1,2})\.\d+(?:-.*)?")
"""Dask's own images, wherever they are mirrored (dask/dask-docker)."""

_RAPIDS = re.compile(r"[^@]*:(?P<year>\d\d)\.(?P<month>\d\d)a?-cuda\d.*")
"""RAPIDS' images, and a team's own that keeps their tag."""


def is_known_to_have_removed_commands(image: str) -> bool:
    """Whether the tag says so; of any other tag nobody here knows."""
    for pattern, last in ((_DASK, _LAST_OF_DASK), (_RAPIDS, _LAST_OF_RAPIDS)):
        if match := pattern.fullmatch(image):
            return (int(match["year"]), int(match["month"])) <= last
    return False
