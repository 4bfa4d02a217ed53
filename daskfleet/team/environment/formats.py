"""Pure: an environment in the words of pip, conda or Docker."""

import shlex
from collections.abc import Mapping
from enum import StrEnum

import yaml

from daskfleet.versions import LONGEST, VERSION
from daskfleet.visible import in_short

NAMES = {
    *("python", "dask", "distributed", "cloudpickle", "msgpack", "toolz", "tornado"),
    *("numpy", "pandas", "lz4"),
}
"""The packages that a scheduler reports (distributed 2026.8.0, ``versions.py``). A name becomes a
line that pip obeys, so that another could be an option, or a package of somebody's."""

CONDA_NAMES = {"msgpack": "msgpack-python", "dask": "dask-core"}
"""Where conda-forge calls a package otherwise than PyPI."""

CONDA_CHANNEL = "conda-forge"

RUN_THE_IMAGE = "Run the team's image instead: `--format image`."


class Format(StrEnum):
    """How it is written."""

    PIP = "pip"
    CONDA = "conda"
    IMAGE = "image"


class UnusableVersionError(Exception):
    """The scheduler tells what no file can be made of; the message says which."""


def checked(packages: Mapping[str, str]) -> dict[str, str]:
    """Return what can be written into a file, and no package that Dask does not compare.

    Raises:
        UnusableVersionError: a package is none of Dask's, a version has other characters than
            versions have, or Python is missing.

    """
    for name, version in packages.items():
        if name not in NAMES:
            raise UnusableVersionError(
                f"The scheduler names '{in_short(name, LONGEST)}', which is not a package that "
                f"Dask compares. {RUN_THE_IMAGE}"
            )
        if not VERSION.fullmatch(version):
            raise UnusableVersionError(
                f"The scheduler says that its {name} is '{in_short(version, LONGEST)}', which is "
                f"no version. {RUN_THE_IMAGE}"
            )
    if "python" not in packages:
        raise UnusableVersionError(
            f"The scheduler does not tell its version of Python. {RUN_THE_IMAGE}"
        )
    return dict(packages)


def requirements(packages: Mapping[str, str], *, source: str) -> str:
    """Return a requirements file; pip cannot choose Python, so a comment does."""
    python = packages["python"]
    minor = ".".join(python.split(".")[:2])
    lines = [
        f"# {source}",
        f"# It runs Python {python}: python{minor} -m venv fits",
        "#   fits/bin/pip install --requirement requirements.txt",
        *(f"{name}=={version}" for name, version in _sorted(packages)),
    ]
    return "\n".join(lines) + "\n"


def conda_environment(packages: Mapping[str, str], *, name: str, source: str) -> str:
    """Return an ``environment.yml``."""
    document = {
        "name": name,
        "channels": [CONDA_CHANNEL],
        "dependencies": [
            f"python={packages['python']}",
            *(f"{CONDA_NAMES.get(each, each)}={version}" for each, version in _sorted(packages)),
        ],
    }
    head = f"# {source}\n# conda env create --file environment.yml\n"
    return head + yaml.safe_dump(document, sort_keys=False)


def image_commands(image: str, *, team: str) -> str:
    """Return how the image itself is the client: the tunnel outside, Python inside."""
    return (
        "# Hold the connection in this folder, from another terminal:\n"
        f"daskfleet connect {team}\n"
        "# Run the image beside it; paste the line of Python that connect has printed:\n"
        'docker run --rm --interactive --tty --network host --user "$(id -u)" '
        f'--volume "$PWD:$PWD" --workdir "$PWD" {shlex.quote(image)} python\n'
    )


def _sorted(packages: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted((name, version) for name, version in packages.items() if name != "python")
