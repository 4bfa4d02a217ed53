"""Looks at the fleet again and again, one look at a time, and keeps the last page."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from daskfleet.access.redaction.redact import redacted_text
from daskfleet.platform.report.running.gather import GatherError
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.running.page import Live, running_page
from daskfleet.platform.report.running.told import LONGEST_TOLD
from daskfleet.visible import in_short

SECONDS_PER_MINUTE = 60

Look = Callable[[], FleetView]


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What everybody sees now."""

    made: str
    """Names this page; another one has another name."""
    html: str
    stale: str
    """Why it is older than it should be; empty when it is not."""


class Keeper:
    """Everybody gets the page of the last look; nobody who asks starts one."""

    def __init__(self, look: Look, *, every_s: float) -> None:
        """Keep the pages of ``look``, which raises GatherError where it fails."""
        self._look = look
        self._every_s = every_s
        self._looks = 0
        self._seen: FleetView | None = None
        self._shown: Shown | None = None

    @property
    def shown(self) -> Shown:
        """The last page."""
        if self._shown is None:
            raise RuntimeError("nobody has looked yet")
        return self._shown

    def look_first(self) -> None:
        """Look for the first time.

        Raises:
            GatherError: nothing can be said, so there is nothing to show.

        """
        self._seen = self._look()
        self._show(stale="")

    def keep_looking(self, *, until: threading.Event) -> None:
        """Look again and again; one look that fails leaves the page, which then says so."""
        while not until.wait(self._every_s):
            try:
                seen = self._look()
            except GatherError as error:
                self._show(stale=self._why_stale(str(error)))
            except Exception as error:  # noqa: BLE001 - the page outlives whatever it is
                self._show(stale=self._why_stale(f"{type(error).__name__}: {error}"))
            else:
                self._seen = seen
                self._show(stale="")

    def _why_stale(self, why: str) -> str:
        assert self._seen is not None  # noqa: S101 - the first look is behind us
        age_s = (datetime.now(tz=UTC) - self._seen.looked_at).total_seconds()
        minutes = int(age_s // SECONDS_PER_MINUTE)
        age = f"{minutes} min old" if minutes else "less than a minute old"
        return (
            f"The last look failed, so this is {age}: {in_short(redacted_text(why), LONGEST_TOLD)}"
        )

    def _show(self, *, stale: str) -> None:
        assert self._seen is not None  # noqa: S101 - what is shown was seen
        self._looks += 1
        made = f"{self._seen.looked_at:%Y%m%dT%H%M%S}-{self._looks}"
        live = Live(made=made, every_s=self._every_s, stale=stale)
        self._shown = Shown(made=made, html=running_page(self._seen, live=live), stale=stale)
