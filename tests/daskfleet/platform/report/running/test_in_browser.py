"""The page of a running fleet in a headless Chromium: whether everybody can read it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from daskfleet.platform.report.running.every_stack import SeenStack
from daskfleet.platform.report.running.page import running_page
from tests.chromium import Tab, Theme, open_chromium
from tests.daskfleet.platform.report.barriers import barriers
from tests.daskfleet.platform.report.running.test_index_page import (
    HOSTILE_STACKS,
    MIXED,
    laid_out,
)
from tests.daskfleet.platform.report.running.test_page import VIEWS
from tests.live_page import change_fragment

OPEN_ALL = "document.querySelectorAll('details').forEach(fold => { fold.open = true })"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with open_chromium() as opened:
        yield opened


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", VIEWS)
def test_it_fits_loads_nothing_and_axe_finds_no_barrier(
    tab: Tab, judge: str, tmp_path: Path, name: str, theme: Theme
) -> None:
    file = tmp_path / "page.html"
    file.write_text(running_page(VIEWS[name]()), encoding="utf-8")
    for width_px in (420, 1200):
        tab.open(file, width_px=width_px, theme=theme)
        tab.run(OPEN_ALL)
        assert tab.run("document.documentElement.scrollWidth") == width_px
    assert tab.said == []
    assert tab.requested == [file.as_uri()]
    assert barriers(tab, judge) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("stacks", [MIXED, HOSTILE_STACKS], ids=["mixed", "hostile"])
def test_the_list_of_stacks_fits_loads_nothing_and_axe_finds_no_barrier(
    tab: Tab, judge: str, tmp_path: Path, stacks: tuple[SeenStack, ...], theme: Theme
) -> None:
    file = tmp_path / "page.html"
    file.write_text(laid_out(*stacks), encoding="utf-8")
    for width_px in (420, 1200):
        tab.open(file, width_px=width_px, theme=theme)
        assert tab.run("document.documentElement.scrollWidth") == width_px
    assert tab.said == []
    assert tab.requested == [file.as_uri()]
    assert barriers(tab, judge) == []


def test_one_teams_view_has_that_teams_history_alone(tab: Tab, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(running_page(VIEWS["troubled"]()), encoding="utf-8")
    tab.open(file, width_px=1200)
    change_fragment(tab, "location.hash = '#team=fraud'")
    told = tab.run("document.getElementById('history').innerText")
    assert "team fraud: image" in told
    assert "climate" not in told
    assert "pool a100: came" in told, "what all share stays"
    change_fragment(tab, "document.querySelector('.week a').click()")
    assert tab.run("location.hash") == "#team=fraud&at=update-1"
    assert tab.run("document.activeElement.id") == "update-1"
