"""End to end: what a rehearsal leaves on disk is for its user alone: keys, tokens, state, logs."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal

pytestmark = pytest.mark.rehearsal

FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
OF_OTHERS = {"kubectl-cache", "pulumi-home/logs"}
"""Folders of programs that whoever uses a rehearsal types, in folders that are closed: kubectl sets
modes of its own for what an API server serves (client-go, discovery/cached/disk: 0750 and 0660),
and what their pulumi logs has the umask of their shell."""


def open_to_others(directory: Path) -> Iterator[str]:
    """Name what group or others may do anything with; where a link leads to is not the run's."""
    for folder, folders, files in os.walk(directory):
        here = Path(folder).relative_to(directory)
        folders[:] = [each for each in folders if str(here / each) not in OF_OTHERS]
        for path in (Path(folder), *(Path(folder, name) for name in (*folders, *files))):
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:
                continue  # the fleet lives
            if not stat.S_ISLNK(mode) and mode & FOR_OTHERS:
                yield f"{stat.filemode(mode)} {path.relative_to(directory)}"


def test_nothing_of_a_run_is_for_others(fleet: RunningRehearsal) -> None:
    directory = fleet.workspace.directory
    assert (directory / "state" / ".pulumi").is_dir()
    assert sorted(set(open_to_others(directory))) == []
