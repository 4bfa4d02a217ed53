"""Files that a module of this project writes: written anew, or only compared."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from daskfleet.files import write_file


def write_or_check(texts: Mapping[Path, str], arguments: Sequence[str], *, module: str) -> int:
    """Write the files, or with ``--check`` say which are stale; return the exit status."""
    if arguments == ["--check"]:
        stale = [file for file, text in texts.items() if not _is(file, text)]
        for file in stale:
            sys.stderr.write(f"{file} is stale: run python -m {module} and commit it.\n")
        return 1 if stale else 0
    if arguments:
        sys.stderr.write(f"usage: python -m {module} [--check]\n")
        return 2
    for file, text in texts.items():
        write_file(file, text)
    return 0


def _is(file: Path, text: str) -> bool:
    return file.exists() and file.read_text("utf-8") == text
