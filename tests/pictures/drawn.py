"""The pictures that a browser takes, each with the page that it is a picture of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from daskfleet.platform.report.page import page as report_page
from daskfleet.platform.report.running.page import running_page
from daskfleet.platform.review.markdown.comment import comment
from tests.chromium import Theme
from tests.daskfleet.platform.report.documents import sample
from tests.daskfleet.platform.report.running.fleets import troubled
from tests.daskfleet.platform.review.pictures import page as comment_page
from tests.daskfleet.platform.review.sample_reviews import SAMPLES

COMMENT_PX, REPORT_PX = 900, 1080
OF_COMMENTS = Path("tests/daskfleet/platform/review/samples")
ON_PAGES = {"destroys": "docs/review-destroys.png", "rehearsed": "docs/review-rehearsed.png"}
"""Comments that pages show, too."""


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A picture of a page: how wide, in which theme, and down to which element."""

    source: Callable[[], str]
    width_px: int
    theme: Theme = "light"
    until: str = "html"
    below_px: int = 0


def _comment(name: str) -> Drawn:
    def source() -> str:
        return comment_page(comment(SAMPLES[name]()), theme="light", unfold=False)

    return Drawn(source=source, width_px=COMMENT_PX)


def _report(theme: Theme) -> Drawn:
    return Drawn(
        source=lambda: report_page(sample()),
        width_px=REPORT_PX,
        theme=theme,
        until=".timeline",
        below_px=24,
    )


DRAWN: Mapping[str, Drawn] = {
    **{str(OF_COMMENTS / f"{name}.png"): _comment(name) for name in SAMPLES},
    **{file: _comment(name) for name, file in ON_PAGES.items()},
    "docs/report-light.png": _report("light"),
    "docs/report-dark.png": _report("dark"),
    "docs/report-running.png": Drawn(
        source=lambda: running_page(troubled()),
        width_px=REPORT_PX,
        until="#fleet .pools",
        below_px=24,
    ),
}
"""By file. The running fleet is made up, with one trouble of each kind. The report is
that of ``rehearse up --latency scaled:30``, as it was recorded."""
