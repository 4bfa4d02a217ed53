"""The outcome of a complete run, for people to quote."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from daskfleet.catalog.changes import change_rows
from tests.project import PROJECT_DIR
from tests.rehearsal.end_to_end.input_changes.cases import InputChange
from tests.rehearsal.end_to_end.input_changes.reasons import NOT_HERE
from tests.rehearsal.end_to_end.input_changes.values import input_changes

REPORT = PROJECT_DIR / "bench" / "results" / "change_classes.json"


class Tally:
    """Counts changes that went as foretold; only those are handed in."""

    def __init__(self) -> None:
        self._planned: list[InputChange] = []
        self._carried_out: list[InputChange] = []

    def planned(self, changes: Sequence[InputChange]) -> None:
        """The engine's plan was the foretold one."""
        self._planned += changes

    def carried_out(self, changes: Sequence[InputChange]) -> None:
        """What happened was what was foretold."""
        self._carried_out += changes

    def write_if_complete(self, report: Path = REPORT) -> None:
        """Write the report when every change has been handed in."""
        everything = input_changes()
        carried_out = [change for change in everything if not change.only_preview]
        if len(self._planned) < len(everything) or len(self._carried_out) < len(carried_out):
            return
        inputs = [row for rows in change_rows().values() for row in rows if row.path]
        document = {
            "commit": _commit(),
            "rows": len(inputs),
            "changes_planned_as_foretold": len(self._planned),
            "changes_carried_out_as_foretold": len(self._carried_out),
            "only_planned": only_planned(everything),
            "not_changed": {
                f"{row.type} {row.path}": NOT_HERE[row.path]
                for row in inputs
                if row.path in NOT_HERE
            },
        }
        report.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
        print(  # noqa: T201 - the point of a soak
            f"{len(self._planned)} changes planned and {len(self._carried_out)} carried out as "
            f"foretold: {report}"
        )


def only_planned(changes: Sequence[InputChange]) -> list[dict[str, str]]:
    """The changes that are not carried out, each with the reason: an input may have several."""
    return [
        {
            "input": f"{change.type} {change.name} {change.path}",
            "value": str(change.value),
            "reason": change.only_preview,
        }
        for change in changes
        if change.only_preview
    ]


def _commit() -> str:
    command = ["git", "-C", str(PROJECT_DIR), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
