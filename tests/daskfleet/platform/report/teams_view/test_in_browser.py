"""The list of teams, and one team's view at an address of its own, in a headless Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.fleet_model import report_of
from daskfleet.platform.report.page import page
from tests.chromium import Tab, open_chromium
from tests.daskfleet.platform.report.documents import broken
from tests.live_page import change_fragment

WIDE_PX = 1200
ENTER_KEY = 13

SHOWN = "[...document.querySelectorAll('{}')].filter(each => each.checkVisibility())"
TEAMS = f"{SHOWN.format('.teams tbody a')}.map(each => each.textContent)"
OWNERS = "[...new Set([...document.querySelectorAll('[data-team]')].filter(each => !each.hidden)"
OWNERS += ".map(each => each.dataset.team))]"
SAID = "document.querySelector('#view[role=status]').textContent"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with open_chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    written = tmp_path_factory.mktemp("pages") / "teams.html"
    written.write_text(page(report_of(teams=50, nodes=130)), encoding="utf-8")
    return written


@pytest.fixture
def many(tab: Tab, file: Path) -> Tab:
    """The page of 50 teams, opened anew."""
    tab.open(file, width_px=WIDE_PX)
    return tab


def go(tab: Tab, address: str) -> None:
    change_fragment(tab, f"location.hash = {address!r}")


def back(tab: Tab, steps: int) -> None:
    change_fragment(tab, f"history.go({steps})")


def test_the_list_is_searched_and_says_how_many_it_shows(many: Tab) -> None:
    assert len(many.run(TEAMS)) == 50
    many.run(
        "(box => { box.value = 'GENO'; box.dispatchEvent(new Event('input')) })"
        "(document.getElementById('team-search'))"
    )
    shown = many.run(TEAMS)
    assert len(shown) == 5
    assert all("geno" in name for name in shown)
    assert many.run("document.getElementById('teams-shown').textContent") == "5 of 50 teams"


def test_teams_with_something_the_matter_are_found(tab: Tab, tmp_path: Path) -> None:
    written = tmp_path / "broken.html"
    report = report_of(teams=20, nodes=45)
    written.write_text(
        page(report.model_copy(update={"pods": (*report.pods, *broken().pods[-1:])})), "utf-8"
    )
    tab.open(written, width_px=WIDE_PX)
    waiting = {pod.team for pod in report.pods if not pod.is_ready} | {broken().pods[-1].team}
    tab.run(
        "(box => { box.value = 'troubled'; box.dispatchEvent(new Event('change')) })"
        "(document.getElementById('team-filter'))"
    )
    assert set(tab.run(TEAMS)) == waiting


def test_each_column_sorts_and_says_so(many: Tab) -> None:
    heads = "[...document.querySelectorAll('.teams thead th')]"
    names = many.run(TEAMS)
    assert names == sorted(names)
    for column, sort in ((0, "descending"), (4, "descending"), (4, "ascending")):
        many.run(f"{heads}[{column}].firstChild.focus()")
        many.press("Enter", ENTER_KEY)
        sorts = many.run(f"{heads}.map(head => head.getAttribute('aria-sort'))")
        assert sorts == [sort if number == column else None for number in range(5)]
    dearest_last = many.run(TEAMS)
    assert dearest_last[-1] == "vision-research"
    assert dearest_last != names


def test_one_teams_view_has_an_address_that_survives_a_reload(many: Tab) -> None:
    title = many.run("document.title")
    change_fragment(many, "document.querySelector('.teams a[href=\"#team=search-us\"]').click()")
    assert many.run("location.hash") == "#team=search-us"
    many.call("Page.reload")
    many.wait_for("Page.loadEventFired")
    assert many.run(OWNERS) == ["search-us"]
    assert many.run("document.title") == f"Team search-us, {title}"
    assert many.run("document.querySelector('[aria-current]').textContent") == "search-us"
    assert len(many.run(TEAMS)) == 50, "the list leads on to others"


def test_the_view_is_announced_and_can_be_left(many: Tab) -> None:
    assert many.run(SAID) == ""
    go(many, "#team=search-us")
    assert many.run(SAID).startswith("Only team search-us is shown, and what all teams share.")
    change_fragment(many, "document.querySelector('#view a').click()")
    assert many.run("location.hash") == "#teams"
    assert many.run(SAID) == ""
    assert len(many.run(OWNERS)) == 50


def test_back_and_forward_go_from_view_to_view(many: Tab) -> None:
    go(many, "#team=fraud")
    go(many, "#team=search-us")
    back(many, -1)
    assert many.run(OWNERS) == ["fraud"]
    back(many, 1)
    assert many.run(OWNERS) == ["search-us"]
    back(many, -2)
    assert len(many.run(OWNERS)) == 50


def test_an_unknown_team_is_said_and_hides_nothing(many: Tab) -> None:
    go(many, "#team=frodo%3Cb%3E")
    assert many.run(SAID).startswith("There is no team called frodo<b> on this page")
    assert many.run("document.querySelectorAll('#view b').length") == 0
    assert len(many.run(OWNERS)) == 50


def test_only_nodes_with_the_teams_pods_stay_and_others_places_are_told(many: Tab) -> None:
    go(many, "#team=fraud")
    nodes = many.run(
        f"{SHOWN.format('.nodes > li')}.map(node => node.querySelectorAll('.chip').length)"
    )
    assert len(nodes) == 3
    other = "getComputedStyle(document.querySelector('.is-others'), '::after').content"
    assert many.run(other) == '"other"'
    names = many.run(f"[...new Set({SHOWN.format('.chip b')}.map(each => each.textContent))]")
    assert names == ["fraud"]


def test_a_link_to_a_pod_keeps_the_view(many: Tab) -> None:
    go(many, "#team=fraud")
    change_fragment(many, f"{SHOWN.format('.chip')}[0].click()")
    assert many.run("location.hash") == "#team=fraud&at=pod-1"
    assert many.run("document.activeElement.id") == "pod-1"
    assert many.run("document.querySelector('.pods').closest('details').open")
    assert many.run(OWNERS) == ["fraud"]
    back(many, -1)
    assert many.run("location.hash") == "#team=fraud"
