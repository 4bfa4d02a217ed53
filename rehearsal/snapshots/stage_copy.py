"""Copies of a stage's directory."""

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

NOT_COPIED = ("supervisor.lock", "kubectl-cache")
"""Of those who run, or used, the stage; made anew."""


def copy_stage(source: Path, draft: Path) -> None:
    """Copy a stage that is at rest, for the caller to rename: what has that name is complete.

    It is for its owner alone: keys, tokens and the database of a cluster lie in it. What a killed
    copy has left as ``draft`` goes first.
    """
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    try:
        shutil.copytree(
            source, draft, symlinks=True, dirs_exist_ok=True, ignore=_less_at_top(source)
        )
        draft.chmod(0o700)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _less_at_top(source: Path) -> Callable[[str, list[str]], Iterable[str]]:
    def ignored(directory: str, _names: list[str]) -> Iterable[str]:
        return NOT_COPIED if Path(directory) == source else ()

    return ignored
