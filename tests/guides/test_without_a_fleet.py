"""Guides whose commands need no fleet: followed word by word, as the runbook is; unit tier."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guides.ledger import Typed, guides_typed, to_type
from tests.project import PROJECT_DIR
from tests.rehearsal.runbook.pages import Edit, steps

HERE = Typed.WITHOUT_A_FLEET
OF_THE_PAGE = {"docs/first-environment.md": "research"}
"""A guide that shows a whole stack file, and how it calls the stack."""

EDITED = {"docs/cost.md": "stacks/Pulumi.prod.yaml", "docs/fleets.md": "Pulumi.yaml"}
"""A guide that edits a file, and which."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The stack files in a project of their own, to be edited."""
    shutil.copytree(PROJECT_DIR / "stacks", tmp_path / "stacks")
    shutil.copy(PROJECT_DIR / "Pulumi.yaml", tmp_path)
    return tmp_path


@pytest.mark.parametrize("guide", guides_typed(HERE))
def test_a_guide_does_what_it_says(guide: str, project: Path) -> None:
    page = (PROJECT_DIR / guide).read_text("utf-8")
    if stack := OF_THE_PAGE.get(guide):
        (file,) = re.findall(r"```yaml\n(# yaml-language-server.*?)```", page, flags=re.DOTALL)
        (project / "stacks" / f"Pulumi.{stack}.yaml").write_text(file, "utf-8")
    here = [*to_type(guide, HERE)]
    typed = 0
    for step in steps(page):
        if isinstance(step, Edit):
            edited = project / EDITED[guide]
            edited.write_text(step.applied(edited.read_text("utf-8")), "utf-8")
        elif step in here:
            printed = _printed(step.text, project)
            assert printed.strip()
            assert step.missing_from(printed) is None, printed
            typed += 1
    assert typed == len(here) > 0


def test_a_page_that_edits_a_file_shows_what_comes_of_it() -> None:
    for guide in EDITED:
        assert all(command.shows for command in to_type(guide, HERE))


def _printed(text: str, directory: Path) -> str:
    """Type a command in a shell whose virtual environment is activated."""
    commands = Path(sys.executable).parent
    done = subprocess.run(
        ["/bin/bash", "-c", text],
        cwd=directory,
        env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, f"$ {text}\n{done.stdout}{done.stderr}"
    return done.stdout
