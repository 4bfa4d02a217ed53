"""What a recording may say of an answer: shape, settings and sizes, and never who or where.

It is a list of what stays, not of what goes: a text stays where Google's discovery document lists
it as one of the field's values, where it is a small number, where it is a scope that nodes have by
default, or where it looks like one of Google's words for hardware, in a field for those. Whatever
is not documented is left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rehearsal.recordings.fields import ANY_TEXT, fields_of

if TYPE_CHECKING:
    from rehearsal.emulator.discovery import Api
    from rehearsal.emulator.document import Document
    from rehearsal.recordings.fields import Fields

_HARDWARE = {
    "acceleratorType": re.compile(r"nvidia(?:-[a-z0-9]{1,8}){1,4}"),
    "diskType": re.compile(r"(?:pd|hyperdisk)(?:-[a-z]{2,12}){1,3}"),
    "imageType": re.compile(r"(?:COS|UBUNTU|WINDOWS)(?:_[A-Z]{2,12}){0,2}"),
    "machineType": re.compile(r"[a-z]{1,2}\d{1,2}[a-z]{0,2}-[a-z]{4,9}(?:-\d{1,3}[gt]?)?"),
}
"""Google's own words for hardware, which no document lists."""

_SCOPES = frozenset(
    f"https://www.googleapis.com/auth/{scope}"
    for scope in (
        "cloud-platform",
        "devstorage.read_only",
        "logging.write",
        "monitoring",
        "service.management.readonly",
        "servicecontrol",
        "trace.append",
    )
)
"""Scopes that nodes have by default, and the one that stands for all; any other is a user's own."""

_GOOGLES_KEYS = {
    "disable-legacy-endpoints",
    "goog-gke-accelerator-type",
    "goog-gke-node-pool-provisioning-model",
}
"""Labels and metadata that GKE gives by itself; any other key is a user's own."""

_SMALL_NUMBER = re.compile(r"\d{1,6}")
_INT64 = {"int64", "uint64"}
_STATUSES = {
    *("ABORTED", "ALREADY_EXISTS", "CANCELLED", "DATA_LOSS", "DEADLINE_EXCEEDED"),
    *("FAILED_PRECONDITION", "INTERNAL", "INVALID_ARGUMENT", "NOT_FOUND", "OUT_OF_RANGE"),
    *("PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "UNAUTHENTICATED", "UNAVAILABLE"),
    *("UNIMPLEMENTED", "UNKNOWN"),
}
"""Google's words for errors (google.rpc.Code)."""

_HIGHEST_STATUS = 599
_DEEPEST = 20
"""Google's own documents are half as deep; without an end, what is hostile exhausts the stack."""


def redacted(api: Api, schema: str, answer: Document) -> tuple[Fields, int]:
    """Return what may be told of an answer, and how many fields are left out as undocumented."""
    walk = _Walk(api)
    document = walk.object_of(api.schemas[schema], answer, depth=0)
    return fields_of(document), walk.left_out


def redacted_refusal(answer: Document) -> Fields:
    """Return what may be told of an error: its code and Google's word for it."""
    error = answer.get("error")
    if not isinstance(error, dict):
        return {}
    code, status = error.get("code"), error.get("status")
    told: Fields = {}
    if isinstance(code, int) and 0 <= code <= _HIGHEST_STATUS:
        told["/error/code"] = int(code)
    if isinstance(status, str):
        told["/error/status"] = status if status in _STATUSES else ANY_TEXT
    if isinstance(error.get("message"), str):
        told["/error/message"] = ANY_TEXT
    return told


class _Walk:
    def __init__(self, api: Api) -> None:
        self._api = api
        self.left_out = 0

    def object_of(self, schema: Document, value: Any, *, depth: int) -> Document:
        if not isinstance(value, dict) or depth > _DEEPEST:
            self.left_out += 1
            return {}
        properties: Document = schema.get("properties", {})
        entries: Document | None = schema.get("additionalProperties")
        told: Document = {}
        for key, inner in value.items():
            field = properties.get(key, entries)
            if field is None:
                self.left_out += 1
                continue
            known = key in properties or key in _GOOGLES_KEYS
            name = key if known else f"key-{len(told) + 1}"
            told[name] = self._value(name, field, inner, depth=depth + 1)
        return told

    def _value(self, name: str, field: Document, value: Any, *, depth: int) -> Any:
        if "$ref" in field:
            return self.object_of(self._api.schemas[field["$ref"]], value, depth=depth)
        kind = field.get("type")
        if kind == "object":
            return self.object_of(field, value, depth=depth)
        if kind == "array":
            items = value if isinstance(value, list) else []
            return [self._value(name, field["items"], item, depth=depth + 1) for item in items]
        if kind == "boolean" and isinstance(value, bool):
            return value
        if kind in {"integer", "number"} and type(value) in {int, float}:
            return value
        return self._text(name, field, value)

    def _text(self, name: str, field: Document, value: Any) -> str | None:
        if not isinstance(value, str):
            return None if value is None else ANY_TEXT
        listed = value in field.get("enum", ())
        small = field.get("format") in _INT64 and _SMALL_NUMBER.fullmatch(value)
        hardware = name in _HARDWARE and _HARDWARE[name].fullmatch(value)
        scope = name == "oauthScopes" and value in _SCOPES
        return value if listed or small or hardware or scope else ANY_TEXT
