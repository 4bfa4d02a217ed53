"""Latency profiles. Unit tier."""

from __future__ import annotations

import pytest

from rehearsal.emulator import Latency


def test_a_scaled_profile_keeps_the_proportions_of_the_documented_durations() -> None:
    slow, quick = Latency.scaled(1), Latency.scaled(60)
    assert slow.cluster_create_s == 300
    assert quick.cluster_create_s == 5
    assert slow.scale_down_after_s / quick.scale_down_after_s == 60


def test_a_scaled_profile_answers_at_once_as_google_does_and_a_fast_one_waits() -> None:
    assert Latency.scaled(60).hold_answer_s == 0
    assert Latency.fast().hold_answer_s > 0
    assert Latency.fast().cluster_create_s == 0


@pytest.mark.parametrize("divisor", [0, -1])
def test_a_divisor_that_is_not_positive_is_refused(divisor: float) -> None:
    with pytest.raises(ValueError, match="greater than 0"):
        Latency.scaled(divisor)
