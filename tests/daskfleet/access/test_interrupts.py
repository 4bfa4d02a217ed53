"""Unit: nothing is left behind because somebody was impatient."""

import signal

import pytest

from daskfleet.access.interrupts import ended_like_ctrl_c, uninterrupted


def test_a_cancelled_workflow_ends_it_like_ctrl_c() -> None:
    handler = signal.getsignal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt), ended_like_ctrl_c():
        signal.raise_signal(signal.SIGTERM)

    assert signal.getsignal(signal.SIGTERM) is handler


def test_one_within_another_leaves_the_outer_one_as_it_is() -> None:
    with ended_like_ctrl_c():
        outer = signal.getsignal(signal.SIGTERM)
        with ended_like_ctrl_c():
            pass
        assert signal.getsignal(signal.SIGTERM) is outer


@pytest.mark.parametrize("impatience", [signal.SIGINT, signal.SIGTERM])
def test_what_must_be_done_is_done_and_it_is_said_that_it_takes_a_moment(
    impatience: signal.Signals,
) -> None:
    handler, said = signal.getsignal(impatience), []

    with uninterrupted(lambda: said.append("a moment")):
        signal.raise_signal(impatience)
        said.append("done")

    assert said == ["a moment", "done"]
    assert signal.getsignal(impatience) is handler
