"""Unit: which local port is taken."""

import pytest

from daskfleet.team.connect.errors import ConnectError
from daskfleet.team.connect.local_port import listening, port_of


def test_the_usual_port_when_it_is_free_and_any_other_when_it_is_taken() -> None:
    with listening(None, usual=0, option="--port") as first:
        usual = port_of(first)
        with listening(None, usual=usual, option="--port") as second:
            assert first.getsockname()[0] == second.getsockname()[0] == "127.0.0.1"
            assert port_of(second) not in {0, usual}
    with listening(None, usual=usual, option="--port") as again:
        assert port_of(again) == usual


def test_a_port_that_is_asked_for_and_taken_is_refused() -> None:
    with (
        listening(None, usual=0, option="--port") as taken,
        pytest.raises(ConnectError, match=f"Port {port_of(taken)} .* is taken.*`--port`"),
    ):
        listening(port_of(taken), usual=8786, option="--port")
