"""What a message means by what it does not name, by the rules of proto3. Pure.

A boolean, a list or a map that is absent from a message is false or empty: on the wire that is one
and the same. So whoever names a message switches off what it does not repeat. Only fields with
presence (messages, ``optional`` ones, wrappers) can be absent, and stay as they are: gcloud
switches one addon without naming the others. A message that is named and says nothing at all is
as one that a new resource is made with: so Google's provider switches ``autoIpamConfig`` and
``secretSyncConfig`` off, whose ``enabled`` has presence.
"""

from __future__ import annotations

import copy
import functools
from typing import TYPE_CHECKING, Any

import yaml

from rehearsal.emulator import discovery
from rehearsal.emulator.document import merged
from rehearsal.emulator.machines import DATA

if TYPE_CHECKING:
    from rehearsal.emulator.document import Document

_NO_CHANGE = "No change"
"""How the document of an enum begins whose zero, in an update, leaves what there is."""

_FILLED_IN = {"string", "integer", "number"}
"""What GKE gives its default where a client leaves it at zero."""

_MEANT_AT_ZERO = {("ReleaseChannel", "channel")}
"""Except here: an unspecified channel is none."""


@functools.cache
def _data() -> Document:
    data: Document = yaml.safe_load((DATA / "proto3.yaml").read_text(encoding="utf-8"))
    return data


def enum_names(schema: str, field: str) -> dict[int, str] | None:
    """Return an enum's names by number, None where the document lists them in that order."""
    names: dict[int, str] | None = _data()["numbers"].get(f"{schema}.{field}")
    return names


_ZERO: dict[str, Any] = {
    "array": [],
    "boolean": False,
    "integer": 0,
    "number": 0,
    "object": {},
    "string": "",
}
"""What each type of field is when nothing is said."""


def zero_of(schema: str, name: str, field: Document) -> Any:
    """Return what a field is when nothing is said, None where it can be anything.

    ``field`` is its description in a discovery document.
    """
    if "enum" in field:
        return (enum_names(schema, name) or dict(enumerate(field["enum"])))[0]
    if field.get("format") in {"int64", "uint64"}:
        return "0"
    return _ZERO.get(field.get("type", ""))


def is_distinguished(schema: str, name: str) -> bool:
    """Tell whether a field that is zero is another one on the wire than one that is absent."""
    properties = discovery.load("container", "v1beta1").schemas.get(schema, {})
    field: Document = properties.get("properties", {}).get(name, {})
    return "$ref" in field or name in _data()["presence"].get(schema, ())


def _properties(schema: str) -> Document:
    properties: Document = discovery.load("container", "v1beta1").schemas[schema]["properties"]
    return properties


def field_message(schema: str, field: str) -> str | None:
    """Return the message that a field holds, None for a field that holds something else."""
    message: str | None = _properties(schema)[field].get("$ref")
    return message


def has_presence(schema: str, name: str) -> bool:
    """Tell whether a field that is absent differs from one that is false, zero or empty."""
    descriptions: list[str] = _properties(schema)[name].get("enumDescriptions", [""])
    return is_distinguished(schema, name) or descriptions[0].startswith(_NO_CHANGE)


def named(schema: str, wished: Document, *, standing: Document, defaults: Document) -> Document:
    """Return what a message of container.v1beta1 becomes when a request names it.

    What the request does not name is false or empty, or as ``standing`` has it where absence can
    be told and the message is not empty, and a number or text that GKE fills in is that of
    ``defaults``. A new resource has nothing but the defaults standing. Output-only fields are not
    the client's to write.
    """
    properties = _properties(schema)
    result: Document = {}
    for name in dict.fromkeys([*standing, *wished, *defaults]):
        field: Document | None = properties.get(name)
        old, default = standing.get(name), defaults.get(name)
        value: Any
        if field is None:  # of another version of the API, or of another message
            value = copy.deepcopy(wished.get(name, old))
        elif field.get("readOnly"):
            value = copy.deepcopy(old)
        elif name in wished:
            value = _written(field, wished[name], standing=old, default=default)
        elif not wished and "$ref" not in field and is_distinguished(schema, name):
            value = copy.deepcopy(default)
        elif has_presence(schema, name):
            value = copy.deepcopy(old)
        else:
            is_filled_in = field["type"] in _FILLED_IN and (schema, name) not in _MEANT_AT_ZERO
            value = default if is_filled_in else None
        if value is not None:
            result[name] = value
    return result


def _written(field: Document, value: Any, *, standing: Any, default: Any) -> Any:
    if "$ref" not in field:
        return copy.deepcopy(value)
    return named(field["$ref"], value, standing=standing or {}, defaults=default or {})


def created(schema: str, wished: Document, *, defaults: Document) -> Document:
    """Return a resource of ``schema`` as its first request makes it.

    GKE fills in whatever the resource itself does not name; within a message that it names,
    proto3 speaks.
    """
    result = merged(defaults, wished)
    for name, field in _properties(schema).items():
        if "$ref" in field and name in wished:
            default = defaults.get(name, {})
            result[name] = named(field["$ref"], wished[name], standing=default, defaults=default)
    return result
