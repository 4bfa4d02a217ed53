"""A copy of the project that a test may change."""

import shutil
from pathlib import Path
from typing import Any

import yaml

from tests.project import PROJECT_DIR

NOT_THE_PROGRAM = shutil.ignore_patterns(".*", "__pycache__", "tests", "bench", "docs", "reference")


def copy_project(directory: Path) -> Path:
    """Copy what runs into a new directory and return it."""
    return Path(shutil.copytree(PROJECT_DIR, directory / "copy", ignore=NOT_THE_PROGRAM))


def edit_yaml(file: Path, *path: str | int, value: Any) -> None:
    """Set one value of a YAML document."""
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    *parents, last = path
    node = document
    for part in parents:
        node = node[part]
    node[last] = value
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
