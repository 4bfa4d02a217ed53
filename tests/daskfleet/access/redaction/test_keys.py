"""Unit: which values look random, and which keys keep secrets."""

import pytest

from daskfleet.access.redaction.keys import keeps_secrets, looks_random, may_keep_secrets


@pytest.mark.parametrize(
    "text",
    [
        "0123456789abcdef",
        "aaaabbbbccddeeff",  # 2.5 bits per character, the least that counts of hexadecimals
        "kJ8s-_dQ2z.Lp0Xw",
        "c2VjcmV0IHNlY3JldA==",
    ],
)
def test_long_encoded_and_without_pattern_is_random(text: str) -> None:
    assert looks_random(text)


@pytest.mark.parametrize(
    "text",
    [
        "0123456789abcde",  # short by one
        "aaaabbbbccccddee",  # of hexadecimals too few different ones
        "kJ8s dQ2z Lp0Xw!",  # not encoded
        "kJs-_dQz.LpXwTru",  # a name: no digit in it
        "worker-worker-00",  # repeats itself
    ],
)
def test_what_is_short_or_has_a_pattern_is_not(text: str) -> None:
    assert not looks_random(text)


@pytest.mark.parametrize("key", ["client-key-data", "clientKeyData", "CLIENT_KEY_DATA"])
def test_spellings_of_a_key_are_one(key: str) -> None:
    assert keeps_secrets(key)


@pytest.mark.parametrize("key", ["secretName", "automountServiceAccountToken", "replicas"])
def test_a_key_that_only_sounds_like_it_keeps_none(key: str) -> None:
    assert not keeps_secrets(key)


@pytest.mark.parametrize(
    ("key", "may"), [("signingKey", True), ("cookie", True), ("replicas", False)]
)
def test_some_keys_keep_secrets_only_if_they_look_like_it(key: str, *, may: bool) -> None:
    assert may_keep_secrets(key) is may
