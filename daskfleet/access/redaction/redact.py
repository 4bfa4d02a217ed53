"""Pure: any value or text as it may be shown to everybody who reads a pull request."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from daskfleet.access.redaction.keys import keeps_secrets, looks_random, may_keep_secrets
from daskfleet.access.redaction.shapes import HIDDEN, without_credentials

_ASSIGNMENT = re.compile(
    r"""(?P<key> (?<! [\w.-] )
        [\w.-]* (?i: passw(?:or)?d | passphrase | secret | token | credentials?
        | private[_-]?key | api[_-]?key | access[_-]?key | client-key-data )
        [\w.-]* \\? ["']? \s* [=:] \s* )
    (?: (?P<quote> \\? ["'] ) (?P<quoted> .+? ) (?P=quote) | (?P<plain> [^\s"'(] [^\s"']* ) )""",
    re.VERBOSE | re.DOTALL,
)
_LOGIN_FILES = ("client-key-data", "client-certificate-data", "service_account", '"auths"')
"""Words of kubeconfigs, service account keys and registry logins, little of which is harmless."""


def redacted_text(text: str) -> str:
    """A message without what may be a secret: credentials, and values given to suspicious names."""
    return _ASSIGNMENT.sub(_hide_value, without_credentials(text))


Path = Sequence[str | int]
"""Keys and list positions that lead to a value."""


def redacted(value: Any, path: Path = ()) -> Any:
    """The value at a path without what may be a secret; the path decides too."""
    if value is None or isinstance(value, bool):
        return value
    if any(isinstance(key, str) and keeps_secrets(key) for key in path):
        return HIDDEN
    match value:
        case Mapping():
            return _redacted_mapping(value, path)
        case list() | tuple():
            return [redacted(item, path) for item in value]
        case str():
            return _redacted_string(value, path)
        case _:
            return value


def _redacted_mapping(value: Mapping[str, Any], path: Path) -> dict[str, Any]:
    # An environment variable's name stands beside its value and not above it.
    name = value.get("name")
    own = (name,) if isinstance(name, str) and "value" in value else ()
    return {
        key: redacted(item, (*path, *(own if key == "value" else ()), key))
        for key, item in value.items()
    }


def _redacted_string(text: str, path: Path) -> str:
    if any(word in text for word in _LOGIN_FILES):
        return HIDDEN
    if looks_random(text) and any(isinstance(key, str) and may_keep_secrets(key) for key in path):
        return HIDDEN
    if text[:1] in {"{", "["}:
        try:
            document = json.loads(text)
        except ValueError:
            return redacted_text(text)
        return json.dumps(redacted(document, path))
    return redacted_text(text)


def _hide_value(found: re.Match[str]) -> str:
    return f"{found['key']}{found['quote'] or ''}{HIDDEN}{found['quote'] or ''}"
