"""The site as `make docs` builds it, in a headless Chromium and from the disk: nothing is fetched.

Without a Chromium on PATH they are skipped, and in CI nothing runs (tests/tiers/browser.py).
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.site.navigation import NAVIGATION
from tests.chromium import Tab, Theme, open_chromium
from tests.project import PROJECT_DIR

PHONE_PX, DESKTOP_PX = 390, 1280
BUILD_S = 300
FOUND = """new Promise(resolve => {
  const look = () => {
    const found = [...document.querySelectorAll("ul.search li a")].map(a => a.getAttribute("href"))
    found.length ? resolve(found) : setTimeout(look, 50)
  }
  look()
})"""
FOLLOWED = "[...document.querySelectorAll('.sidebar-tree a')].map(a => a.getAttribute('href'))"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages; a link or an anchor that leads nowhere fails the build."""
    folder = tmp_path_factory.mktemp("site")
    make = shutil.which("make") or "make"
    # Not as a part of a `make` that runs these tests.
    environment = {key: text for key, text in os.environ.items() if key != "MAKEFLAGS"}
    done = subprocess.run(
        [make, "docs", f"SITE={folder}"],
        cwd=PROJECT_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with open_chromium() as opened:
        yield opened


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width_px", [PHONE_PX, DESKTOP_PX])
@pytest.mark.parametrize("page", ["index", "docs/settings", "docs/runbook"])
def test_a_page_fits_says_nothing_and_fetches_nothing(
    tab: Tab, site: Path, page: str, width_px: int, theme: Theme
) -> None:
    tab.open(site / f"{page}.html", width_px=width_px, theme=theme)
    assert tab.run("document.documentElement.scrollWidth") == width_px
    assert tab.said == []
    assert [url for url in tab.requested if not url.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("width_px", [PHONE_PX, DESKTOP_PX])
def test_a_search_finds_the_page_of_a_setting(tab: Tab, site: Path, width_px: int) -> None:
    tab.open(site / "index.html", width_px=width_px)
    tab.run(
        "document.querySelector('input[name=q]').value = 'workers_after_min';"
        "document.querySelector('form.sidebar-search-container').submit()"
    )
    tab.wait_for("Page.loadEventFired")
    assert any(found.startswith("docs/settings.html") for found in tab.run(FOUND))


def test_the_front_page_leads_to_every_page_of_the_navigation(tab: Tab, site: Path) -> None:
    tab.open(site / "index.html", width_px=DESKTOP_PX)
    named = {f"{page}.html" for pages in NAVIGATION.values() for page in pages}
    assert named <= set(tab.run(FOLLOWED))


def test_the_themes_are_light_and_dark(tab: Tab, site: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    tab.open(site / "index.html", width_px=DESKTOP_PX, theme="light")
    assert min(tab.run(ground)) > 200
    tab.open(site / "index.html", width_px=DESKTOP_PX, theme="dark")
    assert max(tab.run(ground)) < 60
