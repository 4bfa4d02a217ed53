"""A page in a browser: opened, and waited for until it has done what it was asked to."""

import time
from pathlib import Path
from typing import Any

from tests.chromium import Tab


def visit(tab: Tab, url: str, *, blank: Path) -> None:
    """Open it at a usual size; ``blank`` is a file for the page before it."""
    blank.write_text("<!doctype html><title>blank</title>", encoding="utf-8")
    tab.open(blank, width_px=1200, height_px=700)
    tab.call("Page.navigate", url=url)
    tab.wait_for("Page.loadEventFired")


def until_shown(tab: Tab, script: str, *, patience_s: float) -> Any:
    """Evaluate until it is true; while the page comes anew there is none."""
    give_up_at = time.monotonic() + patience_s
    while not (found := tab.run(f"document.readyState === 'complete' && ({script})")):
        assert time.monotonic() < give_up_at, tab.run("document.body.innerText")
        time.sleep(0.05)
    return found


def change_fragment(tab: Tab, script: str) -> None:
    """Run what changes the fragment of the address, and wait until the page has followed it.

    Listeners are called in the order in which they came, so the page's own was called before.
    """
    heard = "addEventListener('hashchange', () => done(), { once: true })"
    tab.run(f"new Promise(done => {{ {heard}; {script} }})")
