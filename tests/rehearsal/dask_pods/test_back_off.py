"""Unit: how long a container waits for its next start."""

import pytest

from rehearsal.dask_pods.back_off import RestartBackOff, go_duration


def test_the_first_restart_comes_at_once_and_the_waits_double_to_five_minutes() -> None:
    back_off = RestartBackOff()
    now = 5000.0
    waits = []
    for _ in range(8):
        ended_at = now + 1
        waits.append(back_off.still_s(ended_at=ended_at, now=ended_at))
        now = ended_at + waits[-1]
        assert back_off.still_s(ended_at=ended_at, now=now) == 0
        back_off.restarted(now=now)
    assert waits == [0, 10, 20, 40, 80, 160, 300, 300]


def test_a_container_that_ran_for_long_begins_anew() -> None:
    back_off = RestartBackOff()
    for _ in range(3):
        back_off.restarted(now=1000)
    assert back_off.still_s(ended_at=1599, now=1599) == 40
    assert back_off.still_s(ended_at=1601, now=1601) == 0
    back_off.restarted(now=1601)
    assert back_off.still_s(ended_at=1602, now=1602) == 10


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0s"), (10, "10s"), (80, "1m20s"), (300, "5m0s")]
)
def test_durations_are_spelled_as_the_kubelet_does(seconds: float, words: str) -> None:
    assert go_duration(seconds) == words
