"""Unit: values and messages as a comment shows them."""

from typing import Any

import pytest

from daskfleet.access.redaction.shapes import HIDDEN
from daskfleet.platform.review.presentable import (
    KNOWN_LATER,
    LONGEST,
    LONGEST_MESSAGE,
    UNKNOWN,
    message,
    shown,
)

SIGNATURE = "4dabf18193072939515e22adb298388d"
UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""),
        ("a2-highgpu-1g", "a2-highgpu-1g"),
        (True, "true"),
        (2, "2"),
        (2.0, "2"),
        (0.5, "0.5"),
        ([1, "ü"], '[1, "ü"]'),
        ("[secret]", "[secret]"),
        (
            {"a": {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "ciphertext": "x"}},
            '{"a": "[secret]"}',
        ),
        ({SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4", "value": [1]}, "[1]"),
        ({SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4", "value": 1, "secret": True}, "[secret]"),
        ({SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4"}, KNOWN_LATER),
        ({SIGNATURE: "c44067f5952c0a294b673a41bacd8c17", "text": "private"}, "(file)"),
        ({SIGNATURE: "0def7320c3a5731c473e5ecbe6d01bc7", "path": "x"}, "(archive)"),
        ({SIGNATURE: "5cf8f73096256a8f31e491e813e4eb8e", "urn": "urn:x", "id": "i"}, "i"),
        ({SIGNATURE: "of a later engine", "value": "private"}, "[secret]"),
    ],
)
def test_a_value_is_shown_as_people_read_it(value: Any, expected: str) -> None:
    assert shown(value) == expected


@pytest.mark.parametrize("unknown", sorted(UNKNOWN))
def test_what_is_unknown_is_said_to_be_known_later_at_any_depth(unknown: str) -> None:
    assert shown(unknown) == KNOWN_LATER
    assert shown({"a": [unknown]}) == f'{{"a": ["{KNOWN_LATER}"]}}'


def test_a_value_under_a_suspicious_key_is_hidden_and_what_is_unknown_is_no_secret_yet() -> None:
    assert shown("hunter2", ("env", "PASSWORD")) == HIDDEN
    assert shown("hunter2", ("env", "MODE")) == "hunter2"


def test_a_long_value_is_cut_and_says_how_long_it_was() -> None:
    text = shown("a" * 1000)

    assert text == f"{'a' * LONGEST}… (1000 characters)"


def test_a_secret_is_hidden_before_a_value_is_cut() -> None:
    token = "ya29." + "x" * 40

    assert "ya29" not in shown("a " * (LONGEST // 2 - 5) + token)


def test_a_message_has_neither_colours_nor_control_characters_nor_no_end() -> None:
    assert (
        message("<{%fg 1%}>error:<{%reset%}> \x1b[1mbad\x1b[0m\x07\r\n\tline\n")
        == "error: bad\n\tline"
    )
    assert len(message("a" * 10_000)) < LONGEST_MESSAGE + 50
