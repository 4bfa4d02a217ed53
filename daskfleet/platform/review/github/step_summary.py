"""The summary that a run shows on its own page."""

import os
from collections.abc import Mapping
from pathlib import Path

PATH = "GITHUB_STEP_SUMMARY"
LARGEST_BYTES = 1024 * 1024
"""Of one step; GitHub shows nothing of a larger one."""

CUT = "\n\n(cut here: a summary may have 1 MiB; the artifact has all of it)\n"


def write_summary(text: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Append to the summary of this step; False where there is none."""
    if not (path := environment.get(PATH)):
        return False
    file = Path(path)
    room = LARGEST_BYTES - (file.stat().st_size if file.exists() else 0)
    with file.open("a", encoding="utf-8") as summary:
        summary.write(fitting(text, room))
    return True


def fitting(text: str, room: int) -> str:
    """Return what fits, cut at the end of a line."""
    encoded = f"{text}\n".encode()
    if len(encoded) <= room:
        return encoded.decode()
    kept = encoded[: max(room - len(CUT.encode()), 0)].rpartition(b"\n")[0]
    return kept.decode() + CUT if kept else ""
