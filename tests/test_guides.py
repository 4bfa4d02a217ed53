"""Guides whose commands need no fleet: followed word by word, as the runbook is; unit tier."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import PROJECT_DIR
from tests.rehearsal.runbook.pages import Edit, steps

STACKS = {"cost.md": "prod"}
"""The guides, and the stack whose file their edits are of."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The stack files in a project of their own, to be edited."""
    shutil.copytree(PROJECT_DIR / "stacks", tmp_path / "stacks")
    shutil.copy(PROJECT_DIR / "Pulumi.yaml", tmp_path)
    return tmp_path


@pytest.mark.parametrize("guide", STACKS)
def test_a_guide_does_what_it_says(guide: str, project: Path) -> None:
    stack_file = project / "stacks" / f"Pulumi.{STACKS[guide]}.yaml"
    to_do = steps((PROJECT_DIR / "docs" / guide).read_text("utf-8"))
    assert len(to_do) > 1
    for step in to_do:
        if isinstance(step, Edit):
            stack_file.write_text(step.applied(stack_file.read_text("utf-8")), "utf-8")
            continue
        printed = typed(step.text, project)
        assert step.shows
        assert step.missing_from(printed) is None, printed


def typed(text: str, directory: Path) -> str:
    """Type a command in a shell whose virtual environment is activated."""
    commands = Path(sys.executable).parent
    done = subprocess.run(
        ["/bin/bash", "-c", text],
        cwd=directory,
        env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"},
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout
