"""Take rehearsal/README.md's pictures of the page anew: ``make samples``. Needs Chromium on PATH.

The report is that of ``rehearse up --latency scaled:30``, copied from ``.rehearsal/``; a change of
the document's form needs another.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from daskfleet.platform.report.page import page
from tests.chromium import ChromiumError, Theme, open_chromium
from tests.daskfleet.platform.report.documents import sample
from tests.project import PROJECT_DIR

DOCS = PROJECT_DIR / "docs"
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDTH_PX, MARGIN_PX = 1080, 24

with TemporaryDirectory() as scratch:
    file = Path(scratch, "report.html")
    file.write_text(page(sample()), encoding="utf-8")
    try:
        with open_chromium() as tab:
            for theme in THEMES:
                tab.open(file, width_px=WIDTH_PX, theme=theme)
                picture = DOCS / f"report-{theme}.png"
                tab.screenshot(picture, until=".timeline", below_px=MARGIN_PX)
    except ChromiumError as error:
        sys.exit(str(error))
