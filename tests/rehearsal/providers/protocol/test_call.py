"""Waiting inside an engine call. Unit tier: no process, no network."""

import threading
import time

import pytest

from rehearsal.providers.protocol import OperationCancelledError, OperationTimedOutError
from tests.rehearsal.providers.calls import engine_call

_LONG_S = 60.0


def test_a_wait_returns_the_first_answer() -> None:
    answers = iter([None, None, "done"])
    got = engine_call(timeout_s=None).until(
        lambda: next(answers), every_s=0, default_timeout_s=_LONG_S, waiting_for=lambda: "it"
    )
    assert got == "done"


def test_a_custom_timeout_beats_the_default_and_names_what_was_waited_for() -> None:
    with pytest.raises(OperationTimedOutError, match=r"after 0\.05 s while waiting for the pool"):
        engine_call(timeout_s=0.05).until(
            lambda: None, every_s=0.01, default_timeout_s=_LONG_S, waiting_for=lambda: "the pool"
        )


def test_cancel_ends_a_long_wait_at_once() -> None:
    call = engine_call(timeout_s=None)
    threading.Timer(0.05, call.cancelled.set).start()
    started = time.monotonic()
    with pytest.raises(OperationCancelledError, match="while waiting for the pool"):
        call.until(
            lambda: None,
            every_s=_LONG_S,
            default_timeout_s=_LONG_S,
            waiting_for=lambda: "the pool",
        )
    assert time.monotonic() - started < 5


def test_something_that_is_there_already_is_found_even_after_cancel() -> None:
    call = engine_call(timeout_s=None)
    call.cancelled.set()
    assert (
        call.until(lambda: 1, every_s=0, default_timeout_s=_LONG_S, waiting_for=lambda: "it") == 1
    )
