"""Volumes that pods of a team must not mount, or not there."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from daskfleet.settings.problems import Problem
from daskfleet.settings.stack import Stack
from daskfleet.settings.team_volumes import TeamVolume

HOMES = re.compile(r"jupyter-(.+-)?home")
"""Claims that the program makes, of which one is a single person's (``manifests.jupyter_lab``)."""

TAKEN = frozenset(
    {
        *("bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "opt", "proc"),
        *("root", "run", "sbin", "scratch", "sys", "tmp", "usr", "var"),
    }
)
"""Directories in which images have programs, and the program has its own mounts. Others of the
root are free (Filesystem Hierarchy Standard 3.0, chapter 3: ``mnt``, ``srv`` and ``media`` are for
volumes)."""


def volume_problems(stack: Stack) -> Iterator[Problem]:
    """Claims that are somebody's home or are listed twice, and paths that something else has."""
    for team_index, team in enumerate(stack.teams):
        for index, volume in enumerate(team.volumes):
            key = f"teams[{team_index}].volumes[{index}]"
            earlier = team.volumes[:index]
            if reason := _why_not_claim(volume.claim, earlier):
                yield Problem(
                    key=f"{key}.claim",
                    value=volume.claim,
                    reason=reason,
                    allowed="claims that somebody makes for the whole team, each once",
                    next_step="name another claim, or remove this entry.",
                )
            if reason := _why_not_there(volume.mount_path, earlier):
                yield Problem(
                    key=f"{key}.mount_path",
                    value=volume.mount_path,
                    reason=reason,
                    allowed="a path of its own, such as /data/reference or /mnt/reference",
                    next_step="choose another path.",
                )


def _why_not_claim(claim: str, earlier: Sequence[TeamVolume]) -> str:
    if HOMES.fullmatch(claim):
        return (
            "Claims of such names are homes of JupyterLabs. Every task of the team could read it."
        )
    if claim in {each.claim for each in earlier}:
        return "The team lists it before, and pods mount it once."
    return ""


def _why_not_there(mount_path: str, earlier: Sequence[TeamVolume]) -> str:
    path = PurePosixPath(mount_path)
    top = path.parts[1]
    if top in TAKEN:
        return f"Images and this program have files of their own below /{top}; it would hide them."
    for each in earlier:
        other = PurePosixPath(each.mount_path)
        if path.is_relative_to(other) or other.is_relative_to(path):
            return f"{each.claim} is mounted at {other}, and one would hide the other."
    return ""
