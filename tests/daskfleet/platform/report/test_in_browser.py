"""The page in a headless Chromium: what it looks like, whether everybody can read and use it.

Without a Chromium on PATH they are skipped, and in CI nothing runs (tests/tiers/browser.py).
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bench.fleet_model import report_of
from daskfleet.platform.report.page import page
from rehearsal.report.model import Report
from tests.chromium import Tab, Theme, open_chromium
from tests.daskfleet.platform.report.barriers import barriers
from tests.daskfleet.platform.report.documents import broken, changed, hostile, idle, pod, sample
from tests.daskfleet.platform.review.rendered import Seen
from tests.live_page import until_shown

OPEN_ALL = "document.querySelectorAll('details').forEach(fold => { fold.open = true })"
NARROW_PX, WIDE_PX = 360, 1200
TAB_KEY, ENTER_KEY = 9, 13
PATIENCE_S = 20


def crowded() -> Report:
    """Forty teams with long names, most of their pods on nodes that are not there."""
    report = sample()
    pods = tuple(
        pod(f"worker-{number}", report.nodes[0].name, team=f"a-team-with-a-long-name-{number:02}")
        for number in range(40)
    )
    return changed(report, pods=(*report.pods, *pods))


REPORTS: dict[str, Callable[[], Report]] = {
    "sample": sample,
    "broken": broken,
    "hostile": hostile,
    "crowded": crowded,
    "idle": idle,
    "2 teams": lambda: report_of(teams=2, nodes=5),
    "50 teams": lambda: report_of(teams=50, nodes=130),
    "200 teams": lambda: report_of(teams=200, nodes=500),
}
SMALL = tuple(name for name in REPORTS if not name.startswith(("50 ", "200 ")))


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with open_chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    files = {name: folder / f"{name}.html" for name in REPORTS}
    for name, file in files.items():
        file.write_text(page(REPORTS[name]()), encoding="utf-8")
    return files


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width_px", [NARROW_PX, WIDE_PX])
@pytest.mark.parametrize("name", REPORTS)
def test_it_fits_says_nothing_to_the_console_and_loads_nothing(
    tab: Tab, pages: dict[str, Path], name: str, width_px: int, theme: Theme
) -> None:
    tab.open(pages[name], width_px=width_px, theme=theme)
    assert tab.run("innerWidth") == width_px
    assert tab.run("document.documentElement.scrollWidth") == width_px
    if name in SMALL:
        tab.run(OPEN_ALL)
        assert tab.run("document.documentElement.scrollWidth") == width_px
    assert tab.said == []
    assert tab.requested == [pages[name].as_uri()]


@pytest.mark.soak(every=3)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", REPORTS)
def test_axe_finds_no_barrier(
    tab: Tab, pages: dict[str, Path], judge: str, name: str, theme: Theme
) -> None:
    tab.open(pages[name], width_px=WIDE_PX, theme=theme)
    if name in SMALL:
        tab.run(OPEN_ALL)
    assert barriers(tab, judge) == []


def test_the_two_themes_are_light_and_dark(tab: Tab, pages: dict[str, Path]) -> None:
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    tab.open(pages["sample"], width_px=WIDE_PX, theme="light")
    assert min(tab.run(ground)) > 200
    tab.open(pages["sample"], width_px=WIDE_PX, theme="dark")
    assert max(tab.run(ground)) < 50


def test_the_browser_reads_the_very_elements_that_were_written(
    tab: Tab, pages: dict[str, Path]
) -> None:
    """What a parser adds, closes or moves was not valid: a row without a table's body, say.

    The page's own script adds buttons to it later, so a parser alone reads it.
    """
    tab.open(pages["sample"], width_px=WIDE_PX)
    for file in pages.values():
        text = file.read_text(encoding="utf-8")
        written = Seen()
        written.feed(text.removeprefix("<!doctype html>"))
        parsed = f"new DOMParser().parseFromString({json.dumps(text)}, 'text/html')"
        read = tab.run(f"[...{parsed}.querySelectorAll('*')].map(each => each.localName)")
        assert read == written.elements
        assert tab.run(f"{parsed}.compatMode") == "CSS1Compat"


def test_headings_go_down_one_step_at_a_time_and_each_part_is_named(
    tab: Tab, pages: dict[str, Path]
) -> None:
    tab.open(pages["broken"], width_px=WIDE_PX)
    levels = tab.run("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.localName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    ids = tab.run("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids))
    aimed_at = tab.run("[...document.querySelectorAll('a')].map(a => a.hash.slice(1))")
    views = {f"team={team}" for team in tab.run("[...names]")}
    assert set(aimed_at) <= set(ids) | views


def test_it_works_with_the_keyboard_alone(tab: Tab, pages: dict[str, Path]) -> None:
    tab.open(pages["sample"], width_px=WIDE_PX)
    focused = "document.activeElement.className + document.activeElement.hash"
    tab.press("Tab", TAB_KEY)
    assert tab.run(focused) == "skip#fleet"
    tab.run("document.querySelector('a.chip').focus()")
    tab.press("Enter", ENTER_KEY)
    # The page follows a link once Chromium tells it of the new address, some time after the key.
    until_shown(tab, "document.activeElement.id === 'pod-1'", patience_s=PATIENCE_S)
    assert tab.run("document.querySelector('#pod-1').closest('details').open")

    tab.run("document.querySelector('.row > summary').focus()")
    tab.press("Enter", ENTER_KEY)
    until_shown(tab, "document.querySelector('.row').open", patience_s=PATIENCE_S)


def test_who_points_at_work_sees_what_it_waited_for(tab: Tab, pages: dict[str, Path]) -> None:
    tab.open(pages["sample"], width_px=WIDE_PX)
    tab.run(OPEN_ALL)
    point = (
        "(kind => { const work = document.querySelector('[data-causes*=\" \"]');"
        "work.dispatchEvent(new MouseEvent(kind, {bubbles: true}));"
        "return work.dataset.causes.split(' ').map(cause => `s${cause}`) })"
    )
    causes = tab.run(f"{point}('mouseover')")
    marked = "[...document.querySelectorAll('.opened .is-cause')].map(each => each.id)"
    assert len(causes) > 1
    assert set(tab.run(marked)) == set(causes)
    tab.run(f"{point}('mouseout')")
    assert tab.run(marked) == []


def test_what_failed_and_what_was_not_measured_look_unlike_what_holds_without_colour(
    tab: Tab, pages: dict[str, Path]
) -> None:
    tab.open(pages["broken"], width_px=NARROW_PX)
    signs = tab.run(
        "[...document.querySelectorAll('.checks b')].map(each =>"
        " getComputedStyle(each, '::before').content[1])"
    )
    assert {sign: signs.count(sign) for sign in signs} == {"✓": 11, "?": 1, "✕": 1}
    words = tab.run("[...document.querySelectorAll('.checks b')].map(each => each.textContent)")
    assert {word: words.count(word) for word in words} == {
        "holds": 11,
        "not measured": 1,
        "failed": 1,
    }


def test_paper_shows_what_is_folded_on_the_screen_in_the_light_theme(
    tab: Tab, pages: dict[str, Path]
) -> None:
    tab.open(pages["sample"], width_px=WIDE_PX, theme="dark")
    tab.emulate(theme="dark", media="print")
    ink = "getComputedStyle(document.querySelector('h1')).color.match(/\\d+/g).map(Number)"
    assert max(tab.run(ink)) < 100
    printed = b64decode(tab.call("Page.printToPDF")["data"])
    assert printed.startswith(b"%PDF")
    assert tab.run("document.querySelectorAll('details:not([open])').length") == 0


def test_without_scripts_everything_is_there(tab: Tab, pages: dict[str, Path]) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(pages["sample"], width_px=WIDE_PX)
        assert tab.run("document.querySelectorAll('.row').length") > 5
        assert tab.said == []
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)
