"""What is installed, listed once: the language host asks ``pip list`` in every engine run."""

import contextlib
import hashlib
import io
import json
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

PIP_LIST = ("pip", "list")


def list_installed(arguments: Sequence[str], *, kept: Path) -> None:
    """Print what ``python -m pip list`` prints, from a file where it was asked the same before.

    No test installs anything into the environment that it runs in.
    """
    asked = json.dumps([sys.executable, sys.path, *arguments]).encode()
    file = kept / f"pip-list-{hashlib.sha256(asked).hexdigest()[:16]}"
    if not file.exists():
        _write(file, _printed(arguments))
    sys.stdout.write(file.read_text("utf-8"))


def _printed(arguments: Sequence[str]) -> str:
    sys.argv[:] = arguments
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            if ended.code:
                raise
    return printed.getvalue()


def _write(file: Path, text: str) -> None:
    draft = file.with_name(f"{file.name}-{os.getpid()}")
    draft.write_text(text, "utf-8")
    draft.rename(file)
