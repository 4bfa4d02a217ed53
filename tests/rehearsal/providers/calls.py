"""The circumstances of one engine call, for resource types that are called without an engine."""

import threading

from rehearsal.providers.protocol import Call


def engine_call(*, preview: bool = False, timeout_s: float | None = 60) -> Call:
    """Make a call that reports to nobody and that nobody cancels."""
    return Call(
        urn="urn:pulumi:dev::p::t::n",
        name="n",
        type="t",
        report=lambda _text: None,
        cancelled=threading.Event(),
        preview=preview,
        timeout_s=timeout_s,
    )
