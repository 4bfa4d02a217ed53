"""`daskfleet connect`, held while a test works."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.running_rehearsal import RunningRehearsal
from tests.rehearsal.end_to_end.shell import shell_of


@dataclass(frozen=True)
class Connected:
    """A held connection."""

    file: Path
    line: str
    """The Python that was printed."""

    news: Path
    """What the command has said since."""

    @property
    def address(self) -> str:
        """The scheduler's address on this machine."""
        address: str = json.loads(self.file.read_text(encoding="utf-8"))["address"]
        return address


@contextmanager
def connected(
    fleet: RunningRehearsal,
    team: str,
    directory: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Connected]:
    """Run the command; afterwards it has ended well, and its file is gone.

    With another ``environment`` it is somebody else's, and not the rehearsal's shell.
    """
    file, news = directory / "connection.json", directory / "news"
    command = (sys.executable, "-m", "daskfleet", "connect", team, "--file", str(file), *options)
    with (
        news.open("w", encoding="utf-8") as said,
        subprocess.Popen(
            command,
            cwd=PROJECT_DIR,
            env={**(environment or shell_of(fleet)), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, news.read_text(encoding="utf-8")
            yield Connected(file, line, news)
        finally:
            process.terminate()
    assert process.returncode == 0
    assert not file.exists()
