"""Names of keys under which people keep secrets, and names that only sound like it."""

import math
import re
from collections import Counter
from functools import lru_cache

_WORDS = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "credential",
    "kubeconfig",
    "privatekey",
    "apikey",
    "accesskey",
    "secretkey",
    "signingkey",
    "encryptionkey",
    "clientkeydata",
    "connectionstring",
    "dockerconfigjson",
    "authorization",
    "bearer",
    "webhookurl",
    "stringdata",
    "lastappliedconfiguration",
)
"""A key that contains one of these, whatever its spelling, has a secret for its value."""

_HARMLESS = frozenset(
    {
        # Kubernetes: references by name, switches and durations.
        "automountserviceaccounttoken",
        "imagepullsecrets",
        "secretkeyref",
        "secretname",
        "secretref",
        "serviceaccounttoken",
        "tokenexpirationseconds",
    }
)

_HINTS = re.compile(r"key|auth|cert|sign|salt|hash|nonce|cookie|session|login|dsn|sas|pat\b|pin\b")
"""A key that contains one of these has a secret for its value if the value looks random."""

_RANDOM_LENGTH = 16
_HEX = re.compile(r"[0-9a-fA-F]+")
_ENCODED = re.compile(r"[A-Za-z0-9+/_=.~-]+")
_LEAST_BITS_OF_HEX = 2.5
_LEAST_BITS_OF_BASE64 = 3.2
"""Shannon entropy per character. Random text of 16 characters has at least this much; words and
identifiers of that length mostly less."""


@lru_cache(maxsize=4096)
def keeps_secrets(key: str) -> bool:
    """Whether what stands under a key is a secret, whatever it looks like."""
    letters = _letters(key)
    return letters not in _HARMLESS and any(word in letters for word in _WORDS)


@lru_cache(maxsize=4096)
def may_keep_secrets(key: str) -> bool:
    """Whether what stands under a key is a secret if it looks like one."""
    return _HINTS.search(_letters(key)) is not None


def looks_random(text: str) -> bool:
    """Whether a value may be key material: long, encoded, and without pattern."""
    if len(text) < _RANDOM_LENGTH:
        return False
    if _HEX.fullmatch(text):
        return _bits_per_character(text) >= _LEAST_BITS_OF_HEX
    return (
        _ENCODED.fullmatch(text) is not None
        and any(letter.isdigit() for letter in text)
        and _bits_per_character(text) >= _LEAST_BITS_OF_BASE64
    )


def _letters(key: str) -> str:
    """``client-key-data``, ``client_key_data`` and ``clientKeyData`` alike."""
    return re.sub(r"[^a-z0-9]", "", key.lower())


def _bits_per_character(text: str) -> float:
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
