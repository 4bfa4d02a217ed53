"""Write docs/setting-changes.md anew: two minutes. A test compares each of its rows."""

import json

import pulumi
import pytest

from tests.recorded_program import Recording, record
from tests.setting_changes import CHANGES, changed
from tests.setting_classes.found import Found, worst_of
from tests.setting_classes.page import PAGE, page
from tests.setting_classes.together import TOGETHER

found: dict[str, Found | None] = {}
known: dict[str, Recording] = {}
with pytest.MonkeyPatch.context() as monkeypatch:
    for path in CHANGES:
        before, after = TOGETHER.get(path) or changed(path)
        key = json.dumps(before)
        if key not in known:
            known[key] = record(before, monkeypatch)
        try:
            found[path] = worst_of(known[key], record(after, monkeypatch))
        except pulumi.RunError:
            found[path] = None
PAGE.write_text(page(found), "utf-8")
