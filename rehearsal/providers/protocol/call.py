"""The circumstances of one engine call: who asks, how long it may take, how to wait and report."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from rehearsal.providers.protocol.errors import OperationCancelledError, OperationTimedOutError

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Call:
    """One Create, Read, Update or Delete.

    `timeout_s` is the program's custom time-out, None when the resource's default holds;
    `report` shows a progress line beside the resource while it is being worked on.
    """

    urn: str
    name: str
    type: str
    report: Callable[[str], None]
    cancelled: threading.Event
    preview: bool = False
    timeout_s: float | None = None
    started: float = field(default_factory=time.monotonic)

    def until(
        self,
        attempt: Callable[[], T | None],
        *,
        every_s: float,
        default_timeout_s: float,
        waiting_for: Callable[[], str],
    ) -> T:
        """Return the first answer of `attempt` that is not None.

        The limit counts from the start of the call, so several waits share one time-out.

        Raises:
            OperationCancelledError: the engine cancelled; noticed at once.
            OperationTimedOutError: the limit passed; says what was waited for.

        """
        limit_s = default_timeout_s if self.timeout_s is None else self.timeout_s
        while (answer := attempt()) is None:
            if time.monotonic() - self.started >= limit_s:
                raise OperationTimedOutError(
                    f"timed out after {limit_s:g} s while waiting for {waiting_for()}; "
                    "raise customTimeouts on the resource if it only needs longer"
                )
            if self.cancelled.wait(every_s):
                raise OperationCancelledError(f"cancelled while waiting for {waiting_for()}")
        return answer
