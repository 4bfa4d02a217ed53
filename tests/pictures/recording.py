"""A terminal's session as a picture that plays: each line comes when it came, once, and stays."""

import io
import re
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COLUMNS = 104
PROMPT = "$ "
READING_S = 1.5
"""Until somebody who has read an answer types the next command."""

WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", flags=re.DOTALL)
ROW = re.compile(r'(<text )(?=[^>]*clip-path="url\(#recording-line-(\d+)\)")')
PLAYED = """
    .recording-matrix text { animation: come 1ms both }
    @keyframes come { from { opacity: 0 } }
    @media (prefers-reduced-motion: reduce) { .recording-matrix text { animation: none } }
"""


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of a terminal, and when it came."""

    at_s: float
    text: str

    @property
    def is_typed(self) -> bool:
        """Whether somebody typed it."""
        return self.text.startswith(PROMPT)


def recorded(
    commands: Sequence[str], *, directory: Path, environment: Mapping[str, str]
) -> Iterator[Line]:
    """Type commands, and give their lines with the seconds that they took.

    Raises:
        CalledProcessError: one of them fails.
    """
    passed_s = 0.0
    for command in commands:
        yield Line(at_s=passed_s, text=f"{PROMPT}{command}")
        began_s = time.monotonic()
        with subprocess.Popen(
            ["/bin/bash", "-c", command],
            cwd=directory,
            env={**environment, "PYTHONUNBUFFERED": "1", "COLUMNS": str(COLUMNS)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            for line in process.stdout or ():
                yield Line(at_s=passed_s + time.monotonic() - began_s, text=line.rstrip("\n"))
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        passed_s += time.monotonic() - began_s + READING_S


def as_svg(lines: Sequence[Line], *, title: str) -> str:
    """Draw a session. It loads nothing, and stands still for readers who want no motion."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    for line in lines:
        style = "bold green" if line.is_typed else ""
        console.print(Text(line.text, style=style), no_wrap=True, overflow="ellipsis")
    svg = console.export_svg(title=title, theme=MONOKAI, unique_id="recording")

    def delayed(text: re.Match[str]) -> str:
        return f'{text[1]}style="animation-delay: {lines[int(text[2])].at_s:.2f}s" '

    return ROW.sub(delayed, WEB_FONT.sub("", svg)).replace("</style>", f"{PLAYED}    </style>", 1)
