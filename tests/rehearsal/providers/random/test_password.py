"""Unit: a password is made once, is secret, and another one comes with any other input."""

from typing import Any

import pytest

from rehearsal.providers.protocol import UNKNOWN, Naming, Properties, Secret, State
from rehearsal.providers.random.password import PASSWORD_TYPE, RandomPassword
from rehearsal.providers.random.provider import RandomProvider
from tests.rehearsal.providers.calls import engine_call

INPUTS: Properties = {"length": 48, "special": False}
PASSWORD = RandomPassword()


def failures(**inputs: Any) -> list[str]:
    naming = Naming(logical_name="n", seed=b"")
    checked = PASSWORD.check(inputs={**INPUTS, **inputs}, old_inputs={}, naming=naming)
    return [failure.path for failure in checked.failures]


def made() -> State:
    return PASSWORD.create(inputs=INPUTS, call=engine_call())


def test_it_is_served_by_its_token_and_nothing_else_is() -> None:
    provider = RandomProvider()
    assert isinstance(provider.resource_type(PASSWORD_TYPE), RandomPassword)
    assert provider.resource_type("random:index/randomId:RandomId") is None


def test_a_password_is_as_long_as_asked_secret_and_another_each_time() -> None:
    first, second = made().outputs["result"], made().outputs["result"]
    assert isinstance(first, Secret)
    assert first.value.isalnum()
    assert len(first.value) == 48
    assert first != second


def test_a_preview_makes_none() -> None:
    previewed = PASSWORD.create(inputs=INPUTS, call=engine_call(preview=True))
    assert (previewed.id, previewed.outputs["result"]) == ("", Secret(UNKNOWN))


def test_it_stays_while_its_inputs_do_and_is_replaced_for_any_other() -> None:
    state = made()
    assert PASSWORD.read(stored=state, call=engine_call()) == state
    assert not PASSWORD.diff(old=state, inputs=INPUTS).changes
    assert PASSWORD.diff(old=state, inputs={**INPUTS, "length": 50}).replaces
    assert PASSWORD.diff(old=state, inputs={**INPUTS, "keepers": {"now": "2"}}).replaces


@pytest.mark.parametrize(
    ("inputs", "refused"),
    [
        ({}, []),
        ({"keepers": {"a": "b"}}, []),
        ({"length": UNKNOWN}, []),
        ({"length": 0}, ["length"]),
        ({"special": True}, ["special"]),
        ({"overrideSpecial": "!"}, ["overrideSpecial"]),
        ({"minUpper": 3}, ["minUpper"]),
    ],
)
def test_what_is_not_served_is_refused_by_name(inputs: dict[str, Any], refused: list[str]) -> None:
    assert failures(**inputs) == refused
