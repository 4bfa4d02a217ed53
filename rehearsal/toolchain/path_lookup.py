"""Binaries that the user already has on PATH, taken only in exactly the pinned version."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from rehearsal.toolchain.releases import Release

ANSWER_TIMEOUT_S = 10

# Build metadata and pre-release parts count: v1.36.3-gke.100 and v1.36.3+k3s1 are other programs.
_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)")


def parse_version(output: str) -> str | None:
    """Find the first version in what a program says of itself, written "v1.2.3"."""
    found = _VERSION.search(output)
    return f"v{found[1]}" if found else None


def find_on_path(release: Release, *, path: str | None = None) -> Mapping[str, Path] | None:
    """Give the release's executables by name, or None unless all are there and pinned.

    Args:
        release: what is looked for.
        path: a search path in the form of $PATH, which is the default.

    """
    found = {name: shutil.which(name, path=path) for name in release.executables}
    located = {name: Path(place) for name, place in found.items() if place}
    if len(located) < len(found):
        return None
    if release.asked:
        # The others do not say their version; being installed beside the one that does must do.
        home = located[release.asked].resolve().parent
        if any(place.resolve().parent != home for place in located.values()):
            return None
    asked = (release.asked,) if release.asked else release.executables
    if any(_reported(located[name], release=release) != release.version for name in asked):
        return None
    return located


def _reported(executable: Path, *, release: Release) -> str | None:
    try:
        answer = subprocess.run(
            [executable, *release.version_command],
            capture_output=True,
            text=True,
            timeout=ANSWER_TIMEOUT_S,
            check=False,
            env={**os.environ, "PULUMI_SKIP_UPDATE_CHECK": "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        # Not a program for this machine, or one that hangs: not the pinned one in any case.
        return None
    return parse_version(answer.stdout) if answer.returncode == 0 else None
