"""Whether this virtual environment is the one that a revision pins."""

import importlib.metadata
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REQUIREMENTS = ("requirements.txt", "requirements-rehearsal.txt")
"""What the program and the rehearsal run with; linters are of no concern here."""

CONSTRAINTS = "constraints.txt"
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)\s*==\s*(?P<version>\S+)", re.MULTILINE)
NAME = re.compile(r"[A-Za-z0-9._-]+")


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
    wanted: dict[str, str] = {}
    for file in REQUIREMENTS:
        wanted |= _pins(tree / file)
    needed = _with_dependencies(wanted)
    wanted |= {name: pin for name, pin in _pins(tree / CONSTRAINTS).items() if name in needed}
    return tuple(
        OtherPin(package=name, pinned=pin, installed=installed)
        for name, pin in sorted(wanted.items())
        if (installed := _installed(name)) != pin
    )


def _pins(file: Path) -> dict[str, str]:
    text = file.read_text("utf-8") if file.exists() else ""
    return {_normal(match["name"]): match["version"] for match in PIN.finditer(text)}


def _with_dependencies(names: dict[str, str]) -> set[str]:
    """Installed packages, and the installed packages that they need."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and _installed(name):
            found.add(name)
            waiting += _needed_by(name)
    return found


def _needed_by(name: str) -> Iterator[str]:
    for requirement in importlib.metadata.requires(name) or ():
        needed = NAME.match(requirement)
        if needed and "extra ==" not in requirement:
            yield _normal(needed.group())


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _normal(name: str) -> str:
    """As the package index compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()
