"""Pure: what this Python has against what the scheduler has."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from daskfleet.visible import in_short

Packages = Mapping[str, str | None]
"""Version by package, ``python`` among them, as ``distributed.versions`` gives them."""

SAME_PARTS = {
    "python": 2,
    "dask": 3,
    "distributed": 3,
    "cloudpickle": 1,
    "msgpack": 1,
    "numpy": 1,
    "pandas": 1,
}
"""How many parts of a version must agree, because the scheduler unpacks graphs since dask 2023.4.0.
Byte code is of one minor release of Python, classes of a graph are of one release of Dask. The
others change what they pickle with their major releases."""

PYTHON_PARTS = 3
"""Distributed adds a release level and a serial number."""

VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!_-]{0,63}")
"""What a version may look like: a scheduler's answer becomes commands and files that people use."""

LONGEST = 80
"""Characters that are shown of what a scheduler calls a version."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A package that is not the same on both sides."""

    package: str
    here: str
    there: str | None
    """None: the scheduler has none."""
    breaks: bool
    """Whether graphs of this side are not to be unpacked there."""

    def __str__(self) -> str:
        there = f"{in_short(self.there, LONGEST)} there" if self.there else "none there"
        return f"{self.package} {self.here} here, {there}"


def told_packages(answer: object) -> Packages:
    """Return what a scheduler says of its packages; nothing where it says something else."""
    packages = answer.get("packages") if isinstance(answer, Mapping) else None
    return packages if isinstance(packages, Mapping) else {}


def comparable(packages: Packages) -> dict[str, str]:
    """Return what is installed, and Python's version as people write it."""
    installed = {str(name): str(version) for name, version in packages.items() if version}
    if "python" in installed:
        installed["python"] = _first_parts(installed["python"], PYTHON_PARTS)
    return installed


def differences(here: Packages, there: Packages) -> tuple[Difference, ...]:
    """Return what differs, what breaks first. What is not here is not sent, so it is left out."""
    theirs = comparable(there)
    found = [
        Difference(
            package=name,
            here=version,
            there=theirs.get(name),
            breaks=_breaks(name, version, theirs.get(name)),
        )
        for name, version in sorted(comparable(here).items())
        if version != theirs.get(name)
    ]
    return tuple(sorted(found, key=lambda each: not each.breaks))


def _breaks(name: str, here: str, there: str | None) -> bool:
    if name not in SAME_PARTS or there is None:
        return False
    parts = SAME_PARTS[name]
    return _first_parts(here, parts) != _first_parts(there, parts)


def _first_parts(version: str, count: int) -> str:
    return ".".join(version.split(".")[:count])
