"""The live page in a headless Chromium, over a fleet that changes under it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daskfleet.platform.report.serve.server import PageServer
from tests.chromium import Tab, open_chromium
from tests.daskfleet.platform.report.running.fleets import troubled
from tests.daskfleet.platform.report.serve.served import Fake, served
from tests.live_page import until_shown, visit

PATIENCE_S = 20
TOP = "document.getElementById('upgrades').getBoundingClientRect().top"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with open_chromium() as opened:
        yield opened


@pytest.fixture
def fleet() -> Fake:
    return Fake()


@pytest.fixture
def server(fleet: Fake) -> Iterator[PageServer]:
    with served(fleet) as found:
        yield found


def until(tab: Tab, script: str) -> Any:
    return until_shown(tab, script, patience_s=PATIENCE_S)


def test_what_happens_to_the_fleet_is_seen_and_the_reader_stays_where_he_was(
    tab: Tab, server: PageServer, fleet: Fake, tmp_path: Path
) -> None:
    visit(tab, server.url, blank=tmp_path / "blank.html")
    tab.run("document.querySelector('details').open = true")
    tab.run("document.getElementById('upgrades').scrollIntoView()")
    tab.run("scrollBy(0, 40)")
    before = tab.run(TOP)
    fleet.seen = troubled
    until(tab, "document.body.innerText.includes('team fraud is not ready')")
    assert tab.run("document.querySelector('details').open") is True
    assert abs(tab.run(TOP) - before) <= 2
    assert tab.said == []
    assert {url.rpartition("/")[0] + "/" for url in tab.requested if "blank" not in url} == {
        server.url
    }


def test_a_look_that_fails_is_told_on_the_page_which_stays(
    tab: Tab, server: PageServer, fleet: Fake, tmp_path: Path
) -> None:
    visit(tab, server.url, blank=tmp_path / "blank.html")
    fleet.fails = "the login has expired"
    until(tab, "document.getElementById('live').textContent.includes('the login has expired')")
    assert "No open problem." in tab.run("document.body.innerText")
    fleet.fails = ""
    until(tab, "document.getElementById('live').textContent.includes('up to date')")


def test_a_server_that_is_gone_leaves_the_page_which_says_so(
    tab: Tab, fleet: Fake, tmp_path: Path
) -> None:
    with served(fleet) as server:
        visit(tab, server.url, blank=tmp_path / "blank.html")
    until(tab, "document.getElementById('live').textContent.includes('has not answered')")
    assert "Stack prod" in tab.run("document.body.innerText")
