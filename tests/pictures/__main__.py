"""Make pictures anew: ``make samples`` those of a browser, ``make pictures`` all of them.

The first needs Chromium on PATH (Debian: ``apt-get install chromium fonts-liberation
fonts-noto-color-emoji``), and draws only what is no picture of its page any more.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.chromium import ChromiumError, open_chromium
from tests.pictures.drawn import DRAWN
from tests.pictures.rehearsed import rehearse
from tests.pictures.seal import mark_in, sealed, source_mark
from tests.project import PROJECT_DIR

FC_LIST = shutil.which("fc-list") or "fc-list"
WORST = "\N{LARGE RED CIRCLE}"


def draw() -> None:
    """Draw what has changed."""
    sources = {file: drawn.source() for file, drawn in DRAWN.items()}
    stale = [file for file, source in sources.items() if _mark(file) != source_mark(source)]
    if not stale:
        return
    if not _has_font_of(WORST):
        sys.exit(f"No font has {WORST}, with which comments begin: install fonts-noto-color-emoji.")
    with TemporaryDirectory() as scratch, open_chromium() as tab:
        for name in stale:
            drawn, shown, taken = (
                DRAWN[name],
                Path(scratch, "page.html"),
                Path(scratch, "taken.png"),
            )
            shown.write_text(sources[name], "utf-8")
            tab.open(shown, width_px=drawn.width_px, theme=drawn.theme)
            tab.screenshot(taken, until=drawn.until, below_px=drawn.below_px)
            (PROJECT_DIR / name).write_bytes(sealed(taken.read_bytes(), sources[name]))
            print(name)  # noqa: T201 - this is a command


def _has_font_of(letter: str) -> bool:
    asked = [FC_LIST, f":charset={ord(letter):x}", "family"]
    return bool(subprocess.run(asked, capture_output=True, check=True).stdout)


def _mark(name: str) -> str | None:
    file = PROJECT_DIR / name
    return mark_in(file.read_bytes()) if file.exists() else None


if __name__ == "__main__":
    try:
        draw()
    except ChromiumError as error:
        sys.exit(str(error))
    if "--rehearsal" in sys.argv:
        rehearse()
