"""What is sent of a message of GKE's API: the fields of that version that proto3 JSON has. Pure.

A number that is zero, a text, list or map that is empty, a boolean that is false and an enum's
first name are not sent: on the wire they are what an absent field is. A message that is there
stays, even if it says nothing, and so does a field with presence
(https://protobuf.dev/programming-guides/json/, "Implicit presence"). Each of Google's answers in
``bench/recordings`` is so: who sends ``"autopilot": {"enabled": false}`` reads ``"autopilot": {}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehearsal.emulator.proto3 import is_distinguished, zero_of

if TYPE_CHECKING:
    from rehearsal.emulator.discovery import Api
    from rehearsal.emulator.document import Document


def said(api: Api, schema: str, message: Document) -> Document:
    """Return a message without the fields that are not sent, at any depth.

    A cluster is one, whatever version of the API made it; v1 does not speak of what is in beta.
    """
    properties: Document = api.schemas[schema].get("properties", {})
    kept: Document = {}
    for name in filter(properties.__contains__, message):
        field: Document = properties[name]
        inner = _said(api, field, message[name])
        if is_distinguished(schema, name) or inner != zero_of(schema, name, field):
            kept[name] = inner
    return kept


def _said(api: Api, field: Document, value: Any) -> Any:
    if "$ref" in field and isinstance(value, dict):
        return said(api, field["$ref"], value)
    if isinstance(value, list):
        return [_said(api, field.get("items", {}), item) for item in value]
    if isinstance(value, dict) and "additionalProperties" in field:
        return {key: _said(api, field["additionalProperties"], each) for key, each in value.items()}
    return value
