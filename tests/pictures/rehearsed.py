"""The pictures that a real rehearsal makes: its report, and the first result of a team's member."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pictures.recording import as_svg, recorded
from tests.project import PROJECT_DIR

REPORT = "docs/rehearsal.svg"
FIRST_RESULT = "docs/first-result.svg"
TEAM = "climate"
PROGRAM = f"""import daskfleet

client = daskfleet.connect("{TEAM}")
print(client.submit(sum, [40, 2]).result())
"""
SESSION = (f"daskfleet status {TEAM}", "cat first.py", "python first.py")
BEFORE = ("daskfleet rehearse up", f"daskfleet rehearse status --svg {REPORT}")
SHELL = 'eval "$(daskfleet rehearse shell)"; env --null'
AFTER = "daskfleet rehearse down"


def rehearse() -> None:
    """Bring a fleet up, take its pictures, and end it; one that is up already is left alone."""
    if (PROJECT_DIR / ".rehearsal" / "rehearsal").exists():
        sys.exit("A rehearsal is up. End it with `daskfleet rehearse down`, then make pictures.")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    typing = {**os.environ, "PATH": path, "PYTHONPATH": str(PROJECT_DIR)}
    try:
        for command in BEFORE:
            _run(command, typing)
        with TemporaryDirectory() as home:
            Path(home, "first.py").write_text(PROGRAM, "utf-8")
            variables = _run(SHELL, typing)
            shell = dict(each.split("=", 1) for each in variables.rstrip("\0").split("\0"))
            lines = [*recorded(SESSION, directory=Path(home), environment=shell)]
        for line in lines:
            _say(line.at_s, line.text)
        svg = as_svg(lines, title="A member of team climate, in a rehearsal")
        (PROJECT_DIR / FIRST_RESULT).write_text(svg, "utf-8")
    finally:
        _run(AFTER, typing)


def _run(command: str, environment: Mapping[str, str]) -> str:
    began_s = time.monotonic()
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -e; {command}"],
        cwd=PROJECT_DIR,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    _say(time.monotonic() - began_s, command)
    return done.stdout


def _say(took_s: float, what: str) -> None:
    print(f"{took_s:6.1f} s  {what}")  # noqa: T201 - this is a command's progress
