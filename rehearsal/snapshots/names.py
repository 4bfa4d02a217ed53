"""What snapshots are called, and which there are."""

import re
import shutil
from pathlib import Path

from rehearsal.errors import RehearsalError
from rehearsal.workspace import Workspace

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
"""No name leads out of the directory."""

DRAFT = ".new"
"""The copy that is being made, or was when its maker was killed; the next one takes its place."""


def saved_names(workspace: Workspace) -> tuple[str, ...]:
    """Return the names of the stack's snapshots."""
    if not workspace.saved_dir.exists():
        return ()
    names = (directory.name for directory in workspace.saved_dir.iterdir())
    return tuple(sorted(filter(NAME.fullmatch, names)))


def new_snapshot(workspace: Workspace, name: str) -> Path:
    """Return where a snapshot of that name would be.

    Raises:
        RehearsalError: the name cannot be used, or is taken.

    """
    if NAME.fullmatch(name) is None:
        raise RehearsalError(
            f"{name!r} is no name for what is saved: letters, digits, hyphens, underscores and "
            "dots, beginning with a letter or digit, for example before-upgrade."
        )
    if name in saved_names(workspace):
        raise RehearsalError(
            f"{name} has been saved already, in {workspace.saved_dir / name}. Choose another name, "
            f"or delete it: `{workspace.command(f'forget {name}')}`."
        )
    return workspace.saved_dir / name


def existing_snapshot(workspace: Workspace, name: str) -> Path:
    """Return where the snapshot of that name is.

    Raises:
        RehearsalError: there is none.

    """
    names = saved_names(workspace)
    if name not in names:
        raise RehearsalError(
            f"Nothing of stack {workspace.stack} is saved as {name!r}. Saved: "
            f"{', '.join(names) or 'nothing'}. A rehearsal that is up is saved with "
            f"`{workspace.command('save NAME')}`."
        )
    return workspace.saved_dir / name


def forget(workspace: Workspace, name: str) -> None:
    """Delete a snapshot.

    Raises:
        RehearsalError: there is none of that name.

    """
    shutil.rmtree(existing_snapshot(workspace, name))
