"""Unit: nobody is surprised by the end of certificates, nor by pods that have older ones."""

from datetime import UTC, datetime, timedelta

import pulumi
import pytest

from components.gates.certificate_life import check_life, older_than_certificates
from daskfleet.settings.tls import Tls

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def checked(*, days_left: float) -> list[str]:
    """What is said so many days before the end."""
    said: list[str] = []
    until = (NOW + timedelta(days=days_left)).isoformat()
    kept = check_life(until, team="alpha", tls=Tls(rotation=4), report=said.append, now=NOW)
    assert kept == until
    return said


def test_nothing_is_said_before_the_last_month() -> None:
    assert checked(days_left=31) == []


def test_the_last_month_is_a_warning_with_the_rotation_to_set() -> None:
    (warning,) = checked(days_left=29.5)

    assert "end on 2026-12-22, in 29 days" in warning
    assert "Set teams[alpha].tls.rotation to 5 and run `pulumi up`" in warning


@pytest.mark.parametrize("days_left", [6.5, 0.1, -3])
def test_the_last_week_is_refused_and_so_is_what_has_ended(days_left: float) -> None:
    with pytest.raises(pulumi.RunError, match=r"tls\.rotation to 5"):
        checked(days_left=days_left)


def test_the_end_is_read_as_the_provider_writes_it() -> None:
    for until in ("2027-11-22T01:35:45.123456789+01:00", "2027-11-22T00:35:45Z"):
        said: list[str] = []
        assert check_life(until, team="a", tls=Tls(), report=said.append, now=NOW) == until
        assert said == []


def test_pods_that_started_before_their_certificates_were_made_are_named() -> None:
    made = "2026-11-22T12:00:00.5+00:00"
    started = {
        "worker": "2026-11-21T12:00:00Z",
        "scheduler": "2025-11-22T12:00:00Z",
        "new": "2026-11-22T12:00:20Z",
        "on a clock that is minutes late": "2026-11-22T11:55:00Z",
    }

    assert older_than_certificates(started, made=made) == ("scheduler", "worker")
