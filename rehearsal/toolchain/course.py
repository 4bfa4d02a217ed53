"""How far a cold toolchain is: one bar over all that has to be put in place, and the time left."""

import time
from collections.abc import Callable, Sequence

from rehearsal.toolchain.releases import Release

BAR_WIDTH = 24
ALMOST = 0.95
"""How much of a release its time alone can account for: the rest is there when the release is."""


class Course:
    """The releases that have to be put in place, one after the other.

    What can be downloaded takes seconds. Until something has to be built, the time left is what it
    would take to build everything; from then on, as fast as this machine has been so far.
    """

    def __init__(
        self,
        missing: Sequence[Release],
        *,
        progress: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Build it; ``progress`` is given each line, behind the bar."""
        self._usual_s = {each.name: usual_build_s(each) for each in missing}
        self._progress = progress
        self._clock = clock
        self._current_usual_s = 0.0
        self._began_s = clock()
        self._is_building = False
        self._done_usual_s = 0.0
        self._built_usual_s = self._built_s = 0.0

    def begin(self, release: Release) -> None:
        """Take up a release."""
        self._current_usual_s = self._usual_s[release.name]
        self._began_s = self._clock()
        self._is_building = False

    def build(self) -> None:
        """Have to build the release."""
        self._began_s = self._clock()
        self._is_building = True

    def end(self) -> None:
        """Have the release in place."""
        if self._is_building:
            self._built_usual_s += self._current_usual_s
            self._built_s += self._clock() - self._began_s
        self._done_usual_s += self._current_usual_s
        self._current_usual_s = 0.0

    def say(self, text: str) -> None:
        """Hand on a line, behind the bar."""
        share, left_s = self._standing()
        words = "about" if self._is_building or self._built_s else "at most"
        left = f", {words} {minutes(left_s)} left" if share < 1 else ""
        self._progress(f"{bar(share)} {share:4.0%}{left}: {text}")

    def _standing(self) -> tuple[float, float]:
        """The share that is done, and the seconds that are left."""
        total_s = sum(self._usual_s.values())
        pace = self._built_s / self._built_usual_s if self._built_usual_s else 1.0
        part_s = 0.0
        if self._is_building and self._current_usual_s:
            elapsed_s = self._clock() - self._began_s
            pace = max(pace, elapsed_s / self._current_usual_s)
            part_s = min(elapsed_s / pace if pace else 0.0, ALMOST * self._current_usual_s)
        done_s = self._done_usual_s + part_s
        return (done_s / total_s if total_s else 1.0), (total_s - done_s) * pace


def usual_build_s(release: Release) -> float:
    """Seconds that a first build of a release takes on two cores."""
    return sum(build.usual_minutes for build in release.builds) * 60


def bar(share: float) -> str:
    """Draw the share that is done."""
    full = round(share * BAR_WIDTH)
    return "█" * full + "░" * (BAR_WIDTH - full)


def minutes(seconds: float) -> str:
    """Round as a guess is."""
    return f"{round(seconds / 60)} min" if seconds >= 60 else "1 min"  # noqa: PLR2004 - of a minute
