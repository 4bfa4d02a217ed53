"""Write docs/setting-changes.md anew, or its rows of settings that begin as is said.

``python -m tests.setting_classes [BEGINNING ...]`` takes two minutes for all, and less than a
second for each. A test compares the page with the program.
"""

import json
import sys

import pulumi
import pytest

from tests.recorded_program import Recording, record
from tests.setting_changes import CHANGES, changed
from tests.setting_classes.found import Found, worst_of
from tests.setting_classes.page import PAGE, page, row_of_page, rows_on_page
from tests.setting_classes.together import TOGETHER


def found_again(chosen: list[str]) -> dict[str, Found | None]:
    """Record the program before and after each change; None: it is refused."""
    found: dict[str, Found | None] = {}
    known: dict[str, Recording] = {}
    with pytest.MonkeyPatch.context() as monkeypatch:
        for path in chosen:
            before, after = TOGETHER.get(path) or changed(path)
            key = json.dumps(before)
            if key not in known:
                known[key] = record(before, monkeypatch)
            try:
                found[path] = worst_of(known[key], record(after, monkeypatch))
            except pulumi.RunError:
                found[path] = None
    return found


if __name__ == "__main__":
    beginnings = tuple(sys.argv[1:]) or ("",)
    rows = rows_on_page() if PAGE.exists() else {}
    again = found_again([path for path in CHANGES if path.startswith(beginnings)])
    rows |= {path: row_of_page(path, each) for path, each in again.items()}
    PAGE.write_text(page([rows[path] for path in CHANGES if path in rows]), "utf-8")
