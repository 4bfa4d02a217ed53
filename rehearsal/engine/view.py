"""How an engine run looks while it goes on: resources in flight, counts, and every diagnostic."""

import textwrap
import time

from rehearsal.engine.events import Diagnostic, Event, ResourceEvent
from rehearsal.progress import Step

IN_FLIGHT_SHOWN = 2
ACTIVITY_WIDTH = 160
LOADING = "loading the program"
PARTICIPLES = {
    "create": "creating",
    "update": "updating",
    "delete": "deleting",
    "replace": "replacing",
    "create-replacement": "creating",
    "delete-replaced": "deleting",
    "refresh": "reading",
}
PAST = {
    "create": "created",
    "update": "updated",
    "delete": "deleted",
    "create-replacement": "created anew",
    "delete-replaced": "deleted for its replacement",
    "refresh": "read",
}
STYLES = {"error": "red", "info#err": "red", "warning": "yellow"}


class EngineView:
    """Follows one run.

    ``total`` is the number of resources that will be worked on, if known; ``is_preview`` says
    that nothing is really done; ``said`` collects what has been printed.
    """

    def __init__(self, step: Step, *, total: int | None, is_preview: bool, said: set[str]) -> None:
        self._step = step
        self._total = total
        self._is_preview = is_preview
        self._said = said
        self._began_at: dict[str, tuple[float, ResourceEvent]] = {}
        self._doing: dict[str, str] = {}
        self._done = 0

    def follow(self, event: Event) -> None:
        """Take in one event."""
        if isinstance(event, ResourceEvent):
            self._follow_resource(event)
        elif isinstance(event, Diagnostic):
            self._follow_diagnostic(event)
        self.tick()

    def tick(self) -> None:
        """Show what is in flight, the longest first."""
        if self._is_preview:
            self._step.show(f"{self._done} resources so far" if self._done else LOADING)
            return
        now = time.monotonic()
        flying = [
            f"{PARTICIPLES.get(event.operation, event.operation)} {event.name} "
            f"({now - began:.0f} s)" + (f": {self._doing[urn]}" if urn in self._doing else "")
            for urn, (began, event) in self._began_at.items()
        ]
        # What a component is doing belongs to no resource in flight: the wait for a Dask cluster.
        flying += [
            f"{_name(u)}: {text}" for u, text in self._doing.items() if u not in self._began_at
        ]
        more = len(flying) - IN_FLIGHT_SHOWN
        parts = flying[:IN_FLIGHT_SHOWN] + ([f"and {more} more"] if more > 0 else [])
        count = f"{self._done}/{self._total}  " if self._total else ""
        self._step.show(count + (", ".join(parts) if self._done or parts else LOADING))

    def _follow_resource(self, event: ResourceEvent) -> None:
        if event.moment != "began":
            self._doing.pop(event.urn, None)
        if not event.is_work:
            return
        if event.moment == "began":
            self._began_at[event.urn] = (time.monotonic(), event)
            return
        began, _ = self._began_at.pop(event.urn, (time.monotonic(), event))
        self._done += 1
        if not self._step.is_live and not self._is_preview:
            verb = "failed:" if event.moment == "failed" else PAST.get(event.operation, "done:")
            self._step.say(f"{verb} {event.name} ({time.monotonic() - began:.1f} s)")

    def _follow_diagnostic(self, diagnostic: Diagnostic) -> None:
        name = _name(diagnostic.urn)
        if diagnostic.is_ephemeral:
            self._follow_activity(diagnostic, name)
            return
        # Preview, update and second update say the same; once is enough.
        if diagnostic.message in self._said and diagnostic.severity in {"info", "warning"}:
            return
        self._said.add(diagnostic.message)
        text = f"{name}: {diagnostic.message}" if name else diagnostic.message
        self._step.say(text, style=STYLES.get(diagnostic.severity, ""))

    def _follow_activity(self, diagnostic: Diagnostic, name: str) -> None:
        activity = diagnostic.message.splitlines()[0]
        is_news = self._doing.get(diagnostic.urn) != activity
        self._doing[diagnostic.urn] = activity
        if is_news and not self._step.is_live:
            self._step.say(
                textwrap.shorten(f"{name}: {activity}", ACTIVITY_WIDTH, placeholder=" …")
            )


def _name(urn: str) -> str:
    return "::".join(urn.split("::")[3:])
