"""Which project this is, and in which version."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, kw_only=True)
class Project:
    """Name and version, as ``pyproject.toml`` has them."""

    name: str
    version: str


def project(root: Path = ROOT) -> Project:
    """Read ``pyproject.toml``."""
    table = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return Project(name=table["name"], version=table["version"])
