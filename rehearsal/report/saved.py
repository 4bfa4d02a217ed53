"""The last whole report as a file, for those who look at it later."""

from pathlib import Path

from daskfleet.files import write_private_file
from rehearsal.report.model import Report


def save_report(report: Report, file: Path) -> None:
    """Write what ``--json`` prints; a reader sees the old file or the new one, whole."""
    write_private_file(file, report.model_dump_json(indent=2))
