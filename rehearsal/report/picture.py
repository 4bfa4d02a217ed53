"""The report as a picture, for documents and pull requests."""

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from daskfleet.files import write_file
from rehearsal.report.model import Report
from rehearsal.report.render import render_report

COLUMNS = 112
WEB_FONT = re.compile(r"@font-face \{.*?\}\s*", flags=re.DOTALL)


def save_picture(report: Report, file: Path) -> None:
    """Write the report as SVG, as a terminal shows it; it loads nothing when it is opened."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    render_report(report, console)
    svg = console.export_svg(title="daskfleet rehearse up", theme=MONOKAI, unique_id="rehearsal")
    write_file(file, WEB_FONT.sub("", svg))
