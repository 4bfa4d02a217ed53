"""The rows of settings that change together; of others: tests/test_contracts.py; unit tier."""

import pytest

from tests.recorded_program import record
from tests.setting_changes import CHANGES
from tests.setting_classes.found import worst_of
from tests.setting_classes.page import class_named, class_on_page
from tests.setting_classes.together import TOGETHER


@pytest.mark.soak(every=5)
@pytest.mark.parametrize("path", TOGETHER)
def test_the_page_says_what_settings_do_that_change_together(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = TOGETHER[path]
    found = worst_of(record(before, monkeypatch), record(after, monkeypatch))
    assert class_on_page(path) == class_named(found), "python -m tests.setting_classes"


def test_every_setting_is_on_the_page() -> None:
    assert [path for path in CHANGES if class_on_page(path) is None] == []
    assert TOGETHER.keys() <= CHANGES.keys()
