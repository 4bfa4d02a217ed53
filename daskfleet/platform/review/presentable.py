"""Pure: a property's value as a comment shows it: nothing secret, nothing unknown, not too long."""

import json
from collections.abc import Mapping
from typing import Any

from daskfleet.access.redaction.redact import Path, redacted, redacted_text
from daskfleet.platform.review.markup import without_markup

LONGEST = 200
"""Characters of a value that are shown."""

LONGEST_MESSAGE = 2000
"""Characters of a message that are shown."""

KNOWN_LATER = "(known after up)"

UNKNOWN = frozenset(
    {
        "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",  # bool
        "3eeb2bf0-c639-47a8-9e75-3b44932eb421",  # number
        "04da6b54-80e4-46f7-96ec-b56ff0331ba9",  # string, and in a digest anything
        "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",  # array
        "030794c1-ac77-496b-92df-f27374a8bd58",  # asset
        "e48ece36-62e2-4504-bad9-02848725956a",  # archive
        "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",  # object
    }
)
"""What stands for a value that is not known yet (pulumi/pulumi
sdk/go/common/resource/plugin/rpc.go)."""

_SIGNATURE = "4dabf18193072939515e22adb298388d"
"""Key of an object that is no object but what its value says (sdk/go/common/resource/sig)."""

_OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4"
_FILES = {
    "c44067f5952c0a294b673a41bacd8c17": "(file)",
    "0def7320c3a5731c473e5ecbe6d01bc7": "(archive)",
}
_REFERENCE = "5cf8f73096256a8f31e491e813e4eb8e"
_ENGINES_SECRET = "[secret]"  # noqa: S105 - what the engine writes instead of one


def shown(value: Any, path: Path = ()) -> str:
    """A value at a path, as text; empty for none."""
    plain = redacted(without_signatures(value), path)
    if plain is None:
        return ""
    return shortened(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False))


def message(text: str) -> str:
    """What somebody said, without colours and secrets."""
    return shortened(redacted_text(without_markup(text)).strip(), most=LONGEST_MESSAGE)


def shortened(text: str, *, most: int = LONGEST) -> str:
    """The beginning of a text, and how much is missing."""
    if len(text) <= most:
        return text
    return f"{text[:most]}… ({len(text)} characters)"


def without_signatures(value: Any) -> Any:
    """The value with the engine's own objects and marks as people read them."""
    if isinstance(value, str):
        return KNOWN_LATER if value in UNKNOWN else value
    if isinstance(value, list):
        return [without_signatures(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, Mapping):
        return value
    signature = value.get(_SIGNATURE)
    if signature is None:
        return {key: without_signatures(item) for key, item in value.items()}
    return _without_signature(signature, value)


def _without_signature(signature: Any, value: Mapping[str, Any]) -> Any:
    if signature == _OUTPUT and not value.get("secret"):
        return without_signatures(value["value"]) if "value" in value else KNOWN_LATER
    if signature == _REFERENCE:
        return value.get("id") or value.get("urn")
    # What else there is, and may come to be, is a secret or as good as one.
    return _FILES.get(signature, _ENGINES_SECRET)
