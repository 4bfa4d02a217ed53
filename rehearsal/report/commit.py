"""Which commit of the project is rehearsed."""

import shutil
import subprocess
from pathlib import Path

ANSWER_S = 10


def described_commit(project_dir: Path) -> str:
    """Return what ``git describe`` says; empty without git, or outside of a checkout."""
    git = shutil.which("git")
    if git is None:
        return ""
    asked = [git, "-C", str(project_dir), "describe", "--tags", "--always", "--dirty"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=ANSWER_S)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
