"""Reports of a long wait, seldom enough to be read."""

from collections.abc import Callable

REPORT_INTERVAL_S = 60


class PacedReport:
    """Reports what is waited for when that changes, and every minute."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._due_s = 0.0
        self.last_subject: object = None
        """What the last line was about."""

    def tell(self, line: str, *, subject: object, elapsed_s: float) -> None:
        """Report a line if it is about something else than the last one, or due."""
        if subject != self.last_subject or elapsed_s >= self._due_s:
            self._report(line)
            self.last_subject, self._due_s = subject, elapsed_s + REPORT_INTERVAL_S
