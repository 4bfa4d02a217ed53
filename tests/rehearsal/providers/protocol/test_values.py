"""Wire values of the provider protocol. Unit tier: no process, no network."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehearsal.providers.protocol import UNKNOWN, Secret, contains_unknown, reveal
from rehearsal.providers.protocol.values import conceal, decode, encode

_SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.just(UNKNOWN)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | inner.map(Secret),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), _VALUES))
def test_what_is_encoded_is_decoded_unchanged(properties: dict[str, object]) -> None:
    assert decode(encode(properties)) == properties


def test_whole_numbers_arrive_as_integers_and_fractions_stay() -> None:
    decoded = decode(encode({"replicas": 2.0, "ratio": 0.5}))
    assert repr(decoded) == "{'ratio': 0.5, 'replicas': 2}"


def test_properties_arrive_in_one_order_whatever_order_they_were_sent_in() -> None:
    names = [f"label-{number}" for number in range(20)]
    sent = {"labels": dict.fromkeys(reversed(names), "x")}
    assert list(decode(encode(sent))["labels"]) == sorted(names)


def test_a_secret_never_shows_in_a_representation() -> None:
    assert "hunter2" not in repr({"password": Secret("hunter2")})


def test_revealed_values_hold_no_secret() -> None:
    assert reveal({"a": [Secret({"b": Secret(1)})]}) == {"a": [{"b": 1}]}


def test_echoed_inputs_become_secret_again_where_the_inputs_were() -> None:
    outputs = {"data": {"k": "v", "new": 1}, "list": ["x", "y"]}
    like = {"data": {"k": Secret("v")}, "list": [Secret("x")]}
    assert conceal(outputs, like=like) == {
        "data": {"k": Secret("v"), "new": 1},
        "list": [Secret("x"), "y"],
    }


@pytest.mark.parametrize("value", [UNKNOWN, {"a": [UNKNOWN]}, Secret(UNKNOWN)])
def test_an_unknown_is_found_however_deep(value: object) -> None:
    assert contains_unknown(value)


def test_a_value_without_wire_form_is_refused_by_type_name() -> None:
    with pytest.raises(TypeError, match="bytes has no wire form"):
        encode({"blob": b"x"})
