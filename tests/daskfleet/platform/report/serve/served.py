"""A live page over a fleet that a test changes."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from daskfleet.platform.report.running.gather import GatherError
from daskfleet.platform.report.running.model import FleetView
from daskfleet.platform.report.serve.keeper import Keeper
from daskfleet.platform.report.serve.server import PageServer
from tests.daskfleet.platform.report.running.fleets import view

EVERY_S = 1.0


@dataclass
class Fake:
    """A fleet; ``at_once`` is how many looked at it at the same moment, at most."""

    seen: Callable[[], FleetView] = view
    fails: str = ""
    looks: int = 0
    at_once: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> FleetView:
        """Return what is there, or fail."""
        with self._lock:
            self._now += 1
            self.looks += 1
            self.at_once = max(self.at_once, self._now)
        try:
            if self.fails:
                raise GatherError(self.fails)
            return self.seen().model_copy(update={"looked_at": datetime.now(tz=UTC)})
        finally:
            with self._lock:
                self._now -= 1


@contextmanager
def served(fleet: Fake) -> Iterator[PageServer]:
    """Serve it at a free port."""
    keeper = Keeper(fleet.look, every_s=EVERY_S)
    keeper.look_first()
    ended = threading.Event()
    with PageServer(keeper, port=0) as server:
        threads = [
            threading.Thread(target=server.serve_forever),
            threading.Thread(target=keeper.keep_looking, kwargs={"until": ended}),
        ]
        for thread in threads:
            thread.start()
        try:
            yield server
        finally:
            ended.set()
            server.shutdown()
            for thread in threads:
                thread.join()
