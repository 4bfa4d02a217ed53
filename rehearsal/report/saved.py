"""The last whole report as a file, for those who look at it later."""

from pathlib import Path

from rehearsal.report.model import Report


def save_report(report: Report, file: Path) -> None:
    """Write what ``--json`` prints; a reader sees the old file or the new one, whole."""
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.write_text(report.model_dump_json(indent=2), encoding="utf-8")
    unfinished.replace(file)
