"""Whether this virtual environment is the one that a revision pins."""

import importlib.metadata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REQUIREMENTS = ("requirements.txt", "requirements-rehearsal.txt")
"""What the program and the rehearsal run with; linters are of no concern here."""


@dataclass(frozen=True, kw_only=True)
class OtherPin:
    """A package of which a revision pins another version than the one that is installed."""

    package: str
    pinned: str
    installed: str
    """Empty when it is not installed at all."""

    def __str__(self) -> str:
        """As people read it."""
        return f"{self.package} {self.installed or 'missing'} instead of {self.pinned}"


def other_pins(tree: Path) -> tuple[OtherPin, ...]:
    """What would run here in another version than a revision asks for."""
    wanted = {name: pin for file in REQUIREMENTS for name, pin in _pins(tree / file)}
    return tuple(
        OtherPin(package=name, pinned=pin, installed=installed)
        for name, pin in sorted(wanted.items())
        if (installed := _installed(name)) != pin
    )


def _pins(file: Path) -> Iterator[tuple[str, str]]:
    """Give the pins of a file that hold on this machine, as the package index compares names."""
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        text = line.partition("#")[0].strip(" \\")
        if text and not text.startswith("-"):
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate():
                for pin in wanted.specifier:
                    yield canonicalize_name(wanted.name), pin.version


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
