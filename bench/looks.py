"""How large and how fast the page of a large fleet is, and how long a look at all teams takes."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.fleet_model import names_of, report_of
from bench.fleet_objects import lists_of, served
from bench.record import Figures
from bench.status_probe import StatusRun
from daskfleet.checkout import PROJECT_DIR
from daskfleet.platform.report.page import page
from tests.chromium import Tab, open_chromium

NODES_PER_TEAM = 2.5
WIDTH_PX = 1200
KIB_PER_MIB = 1024
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class PageLoad(Figures):
    """The page opened once."""

    usable_s: float
    """Until it is drawn and its script has run."""
    heap_mib: float
    """Of its script."""


class PageRow(Figures):
    """The page of a fleet."""

    teams: int
    nodes: int
    pods: int
    made_s: float
    page_bytes: int
    elements: int
    loads: tuple[PageLoad, ...]


class StatusRow(Figures):
    """`status --stack` of a fleet."""

    teams: int
    requests: tuple[str, ...]
    """The lists that one look asks for."""
    runs: tuple[StatusRun, ...]


class LooksResult(Figures):
    """What ``python -m bench looks`` measures; fleets are made, and no real API is asked."""

    pages: tuple[PageRow, ...]
    status: tuple[StatusRow, ...]


def measure_looks(
    *, teams: Sequence[int], runs: int, progress: Callable[[str], None]
) -> LooksResult:
    """Draw, open and look, each so many times.

    Raises:
        ChromiumError: there is none on PATH, or it does not start.
        subprocess.CalledProcessError: a look failed; what it said went to standard error.

    """
    with open_chromium() as tab:
        pages = tuple(_page_row(tab, count, runs, progress) for count in teams)
    return LooksResult(
        pages=pages, status=tuple(_status_row(count, runs, progress) for count in teams)
    )


def _page_row(tab: Tab, teams: int, runs: int, progress: Callable[[str], None]) -> PageRow:
    report = report_of(teams=teams, nodes=round(teams * NODES_PER_TEAM))
    progress(f"page, {teams} teams")
    began = time.perf_counter()
    html = page(report)
    made_s = time.perf_counter() - began
    with TemporaryDirectory() as scratch:
        file = Path(scratch, "page.html")
        file.write_text(html, encoding="utf-8")
        loads = tuple(_load(tab, file) for _ in range(runs))
        elements = int(tab.run("document.querySelectorAll('*').length"))
    return PageRow(
        teams=teams,
        nodes=len(report.nodes),
        pods=len(report.pods),
        made_s=made_s,
        page_bytes=len(html.encode()),
        elements=elements,
        loads=loads,
    )


def _load(tab: Tab, file: Path) -> PageLoad:
    began = time.perf_counter()
    tab.open(file, width_px=WIDTH_PX)
    tab.run(DRAWN)
    usable_s = time.perf_counter() - began
    heap = tab.call("Runtime.getHeapUsage")["usedSize"]
    return PageLoad(usable_s=usable_s, heap_mib=heap / KIB_PER_MIB**2)


def _status_row(teams: int, runs: int, progress: Callable[[str], None]) -> StatusRow:
    progress(f"status, {teams} teams")
    names = names_of(teams)
    found: list[StatusRun] = []
    with served(lists_of(names)) as api, TemporaryDirectory() as scratch:
        kubeconfig = Path(scratch, "kubeconfig")
        kubeconfig.write_text(json.dumps(api.kubeconfig), encoding="utf-8")
        for _ in range(runs):
            api.requests.clear()
            said = subprocess.run(
                [sys.executable, "-m", "bench.status_probe", str(kubeconfig), *names],
                cwd=PROJECT_DIR,
                stdout=subprocess.PIPE,
                check=True,
            )
            found.append(StatusRun.model_validate_json(said.stdout))
        return StatusRow(teams=teams, requests=tuple(sorted(api.requests)), runs=tuple(found))
