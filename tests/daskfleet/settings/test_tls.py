"""Unit: how a team's TLS is asked for, and what is refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from daskfleet.settings.team import Team
from daskfleet.settings.tls import Tls


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (True, Tls()),
        (False, None),
        (None, None),
        ({"rotation": 3}, Tls(rotation=3)),
        ({}, Tls()),
    ],
)
def test_a_word_or_numbers(asked: Any, meant: Tls | None) -> None:
    assert Team.model_validate({"name": "alpha", "tls": asked}).tls == meant


@pytest.mark.parametrize(
    "asked", [{"validity_days": 30}, {"validity_days": 4000}, {"rotation": 0}, {"ca": "x"}, "yes"]
)
def test_what_makes_no_sense_is_refused(asked: Any) -> None:
    with pytest.raises(ValidationError):
        Team.model_validate({"name": "alpha", "tls": asked})
