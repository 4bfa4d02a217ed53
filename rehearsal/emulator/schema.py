"""Request bodies against the schemas of a discovery document: nothing unknown passes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from rehearsal.emulator.errors import BadRequestError, FieldViolation
from rehearsal.emulator.proto3 import enum_names

if TYPE_CHECKING:
    from rehearsal.emulator.discovery import Api
    from rehearsal.emulator.document import Document

UNDOCUMENTED_FIELDS = frozenset(
    {
        ("compute", "NetworkRoutingConfig", "deleteBgpAlwaysCompareMed"),
        ("compute", "RouterNat", "initialNatIps"),
    }
)
"""(api, schema, field) that Google's own provider sends and the documents lack (provider 7.45)."""

_NOT_PROTO3 = {"compute", "storage"}
"""APIs older than proto3; the others take a field by either of its names, ``node_pool`` too."""

_INT64 = {"int64", "uint64"}
_SCALARS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int,),
}


def accepted(*, api: Api, schema: str, body: object) -> Document:
    """Return ``body`` in canonical proto3 JSON, as Google would answer it.

    64-bit integers become strings, 32-bit ones numbers, enum numbers names; nulls stay (PATCH
    gives them a meaning). Raises BadRequestError with all that is wrong.
    """
    reader = _Reader(api)
    value = reader.object_of(schema, body, "")
    if reader.violations:
        raise BadRequestError(reader.violations)
    return value if isinstance(value, dict) else {}


class _Reader:
    """Walks one body along its schema and notes what is wrong with it.

    The words are Google's, as gemini-cli issue 4415 (paths, types, all violations at once),
    ansible issue 50252 and kubeflow/pipelines issues 2211 and 6612 quote them.
    """

    def __init__(self, api: Api) -> None:
        self._api = api
        self._is_proto3 = api.name not in _NOT_PROTO3
        self.violations: list[FieldViolation] = []

    def object_of(self, name: str, value: object, path: str) -> Any:
        return self._object(name, self._api.schemas[name], value, path)

    def _object(self, name: str, schema: Document, value: object, path: str) -> Any:
        if not isinstance(value, dict):
            return self._wrong(path, self._message_type(name), value)
        properties: Document = schema.get("properties", {})
        extra: Document | None = schema.get("additionalProperties")
        result: Document = {}
        for index, (given, item) in enumerate(value.items()):
            key = given if given in properties or extra else self._json_name(given)
            field = properties.get(key, extra)
            if field is not None:
                at = self._path_of(path, key) if key in properties else f"{path}[{index}].value"
                result[key] = self._value(field, self._named_enums(name, key, item), at)
            elif (self._api.name, name, key) in UNDOCUMENTED_FIELDS:
                result[key] = item
            else:
                allowed = f"{name} has: {', '.join(sorted(properties))}."
                self._unknown(given, path, "Cannot find field.", allowed=allowed)
        return result

    def _path_of(self, parent: str, key: str) -> str:
        name = _proto_name(key) if self._is_proto3 else key
        return f"{parent}.{name}" if parent else name

    def _message_type(self, name: str) -> str:
        package = f"google.{self._api.name}.{self._api.version}"
        return f"type.googleapis.com/{package}.{name}"

    def _json_name(self, key: str) -> str:
        """Return the name in JSON of a field that is called as in its ``.proto``."""
        if not self._is_proto3:
            return key
        first, *others = key.split("_")
        return first + "".join(word[:1].upper() + word[1:] for word in others)

    def _named_enums(self, schema: str, key: str, value: object) -> object:
        """Put names in the place of numbers that the document's order does not tell."""
        names = enum_names(schema, key) if self._api.name == "container" else None
        if names is None:
            return value
        if isinstance(value, list):
            return [self._named_enums(schema, key, item) for item in value]
        return names.get(value, str(value)) if isinstance(value, int) else value

    def _value(self, field: Document, value: object, path: str) -> Any:
        if value is None or field.get("type") == "any":
            return value
        if isinstance(value, list) and field.get("type") != "array":
            return self._not_repeating(path)
        name = field.get("$ref", path)
        if "$ref" in field or field["type"] == "object":
            return self._object(name, self._api.schemas.get(name, field), value, path)
        if field["type"] == "array":
            if not isinstance(value, list):
                return self._wrong(path, _type_of(field["items"]), value)
            return [
                self._value(field["items"], item, f"{path}[{index}]")
                for index, item in enumerate(value)
            ]
        return self._scalar(field, value, path)

    def _scalar(self, field: Document, value: object, path: str) -> Any:
        if isinstance(value, dict):
            parent, _, name = path.rpartition(".")
            where = f" at '{parent}'" if parent else ""
            return self._note(
                path, f"Invalid value{where} ({name}), Starting an object on a scalar field"
            )
        if "enum" in field:
            return self._enum(field["enum"], value, path)
        if field.get("format") in _INT64 or field["type"] == "integer":
            number = _integer(value)
            if number is None:
                return self._wrong(path, _type_of(field), value)
            return str(number) if field.get("format") in _INT64 else number
        is_stray_bool = isinstance(value, bool) and field["type"] != "boolean"
        if is_stray_bool or not isinstance(value, _SCALARS[field["type"]]):
            return self._wrong(path, _type_of(field), value)
        return value

    def _enum(self, names: list[str], value: object, path: str) -> Any:
        # Google's gRPC-transcoding clients send enums as numbers; the documents list the
        # names in the order of their numbers.
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
            return names[value]
        if value in names:
            return value
        return self._wrong(path, "TYPE_ENUM", value, allowed=f"Allowed: {', '.join(names)}.")

    def _wrong(self, path: str, expected: str, value: object, *, allowed: str = "") -> Any:
        words = f"Invalid value at '{path}' ({expected}), {json.dumps(value)}"
        self._note(path, words, allowed=allowed)

    def _not_repeating(self, path: str) -> Any:
        parent, _, name = path.rpartition(".")
        why = "Proto field is not repeating, cannot start list."
        self._unknown(name, parent, why, allowed="")

    def _unknown(self, name: str, path: str, why: str, *, allowed: str) -> Any:
        where = f" at '{path}'" if path else ""
        words = f'Invalid JSON payload received. Unknown name "{name}"{where}: {why}'
        self._note(path, words, allowed=allowed)

    def _note(self, path: str, words: str, *, allowed: str = "") -> Any:
        """Note a violation; the field has no value then."""
        self.violations.append(FieldViolation(field=path, description=words, allowed=allowed))


def _proto_name(key: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", key).lower()


def _type_of(field: Document) -> str:
    if "enum" in field:
        return "TYPE_ENUM"
    kind = field.get("format") or {"boolean": "bool"}.get(field.get("type", ""), field.get("type"))
    return f"TYPE_{str(kind or 'message').upper()}"


def _integer(value: object) -> int | None:
    if isinstance(value, (int, str, float)) and not isinstance(value, bool):
        try:
            if float(value) == int(value):
                return int(value)
        except (ValueError, OverflowError):
            pass
    return None
