"""Pure: an environment in the words of pip, conda or Docker."""

import re
from collections.abc import Mapping
from enum import StrEnum

import yaml

CONDA_NAMES = {"msgpack": "msgpack-python", "dask": "dask-core"}
"""Where conda-forge calls a package otherwise than PyPI."""

CONDA_CHANNEL = "conda-forge"

COMPARED = frozenset(
    {
        *("python", "dask", "distributed", "msgpack", "cloudpickle", "toolz", "tornado"),
        *("numpy", "pandas", "lz4"),
    }
)
"""What ``distributed.versions`` compares, and all that is written: a test holds the names."""

VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!_-]{0,63}")
"""What a version may look like: a scheduler's answer becomes a file that somebody installs."""


class Format(StrEnum):
    """How it is written."""

    PIP = "pip"
    CONDA = "conda"
    IMAGE = "image"


class UnusableVersionError(Exception):
    """The scheduler tells a version that is none; the message says which."""


def checked(packages: Mapping[str, str]) -> dict[str, str]:
    """Return what can be written into a file, and no package that Dask does not compare.

    Raises:
        UnusableVersionError: a version has other characters than versions have, or Python has none.

    """
    known = {"python": "", **{name: each for name, each in packages.items() if name in COMPARED}}
    for name, version in known.items():
        if not VERSION.fullmatch(version):
            raise UnusableVersionError(
                f"The scheduler says that its {name} is {version[:80]!r}, which is no version. Run "
                "the team's image instead: `--format image`."
            )
    return known


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
        f'--volume "$PWD:$PWD" --workdir "$PWD" {image} python\n'
    )


def _sorted(packages: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted((name, version) for name, version in packages.items() if name != "python")
