"""Tells pods what the autoscaler says of them, and does not say the same again at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rehearsal.emulator.scale_up_events import event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rehearsal.emulator.backend import ClusterBackend, ClusterRef
    from rehearsal.emulator.scale_up_events import Remark

SAID_AGAIN_AFTER_S = 1800.0
"""An API server keeps an Event for an hour."""


class EventRecorder:
    """Writes Events; client-go's counts repetitions, this one leaves them out."""

    def __init__(self, backend: ClusterBackend) -> None:
        self._backend = backend
        self._said: dict[str, tuple[str, float]] = {}
        """What each pod was told last and when (monotonic seconds), by its UID."""

    async def tell(self, cluster: ClusterRef, remarks: Iterable[Remark]) -> None:
        """Write what is new."""
        now_s = time.monotonic()
        self._forget(now_s)
        for remark in remarks:
            if self._said.get(remark.uid, ("", 0))[0] != remark.message:
                self._said[remark.uid] = (remark.message, now_s)
                await self._backend.record(cluster, event(remark))

    def _forget(self, now_s: float) -> None:
        self._said = {
            uid: (message, at_s)
            for uid, (message, at_s) in self._said.items()
            if now_s - at_s < SAID_AGAIN_AFTER_S
        }
