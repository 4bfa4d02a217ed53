"""The one document that ``pulumi preview --json`` prints, as the same events.

pulumi/pulumi pkg/display/json.go. It knows neither policies nor failed resources, so an event
stream is the better input.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from daskfleet.platform.review.events import Diagnostic, Event, RunSummary, counts_in
from daskfleet.platform.review.presentable import message
from daskfleet.platform.review.step_documents import step_of_digest

KEYS = frozenset({"changeSummary", "config", "diagnostics", "duration", "steps"})
"""A document with one of these is a digest."""

NANOSECONDS = 1e9


def events_of(digest: Mapping[str, Any]) -> Iterator[Event]:
    """What a digest says, in the words of the event stream."""
    for step in digest.get("steps") or ():
        yield step_of_digest(step)
    for each in digest.get("diagnostics") or ():
        severity = str(each.get("severity", ""))
        text = message(str(each.get("message", "")).removeprefix(f"{severity}: "))
        if severity in {"error", "warning", "info#err"} and text:
            yield Diagnostic(severity=severity, text=text, urn=str(each.get("urn") or ""))
    if isinstance(changes := digest.get("changeSummary"), Mapping):
        yield RunSummary(
            result=None,
            duration_s=float(digest.get("duration") or 0) / NANOSECONDS,
            changes=counts_in(changes),
            tells_unchanged=False,
        )
