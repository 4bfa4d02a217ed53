"""What a member makes a team's scheduler answer: code, wherever somebody unpickles."""

from pathlib import Path
from typing import Any

from distributed import Scheduler
from distributed.http.scheduler import api
from distributed.protocol.serialize import ToPickle

ASKED = ("workers_to_close", "retire_workers", "check_idle", "adaptive_target", "run_function")
"""What the operator's fallback calls by RPC (dask-kubernetes 2026.3.0)."""


class Code:
    """Runs in the process that unpickles it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (self._text, {})


def lie(dask_scheduler: Scheduler, *, marker: Path, also: tuple[str, ...] = ()) -> None:
    """Let the HTTP API fail, and the RPC handlers answer with code that writes into ``marker``."""
    code = Code(f"import os; open({str(marker)!r}, 'a').write(repr(dict(os.environ)))")

    async def fail(handler: Any, *_: object, **__: object) -> None:
        handler.set_status(500)

    def answer(*_: object, **__: object) -> Any:
        return ToPickle(code)

    for handler in (api.RetireWorkersHandler, api.CheckIdleHandler, api.AdaptiveTargetHandler):
        for method in ("get", "post"):
            setattr(handler, method, fail)
    for name in (*ASKED, *also):
        dask_scheduler.handlers[name] = answer
