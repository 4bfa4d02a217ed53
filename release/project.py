"""Which project this is, in which version, and what its package asks for."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, kw_only=True)
class Project:
    """What ``pyproject.toml`` says."""

    name: str
    version: str
    dependencies: frozenset[str] = frozenset()
    """Names of what is installed with the package, without its extras."""


def project(root: Path = ROOT) -> Project:
    """Read ``pyproject.toml``."""
    table = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    asked = (Requirement(each).name for each in table.get("dependencies", ()))
    return Project(
        name=table["name"],
        version=table["version"],
        dependencies=frozenset(canonicalize_name(name) for name in asked),
    )
