"""Request bodies against the schemas of a discovery document: nothing unknown passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rehearsal.emulator.errors import InvalidArgumentError
from rehearsal.emulator.proto3 import enum_names

if TYPE_CHECKING:
    from rehearsal.emulator.discovery import Api
    from rehearsal.emulator.document import Document

UNDOCUMENTED_FIELDS = frozenset({("compute", "RouterNat", "initialNatIps")})
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
    gives them a meaning). Raises InvalidArgumentError naming the field path and what is allowed.
    """
    value = _Reader(api).object_of(schema, body, "")
    if not isinstance(value, dict):
        raise InvalidArgumentError("Invalid JSON payload received: an object is expected.")
    return value


class _Reader:
    """Walks one body along its schema."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def object_of(self, name: str, value: object, path: str) -> Any:
        return self._object(name, self._api.schemas[name], value, path)

    def _object(self, name: str, schema: Document, value: object, path: str) -> Any:
        if not isinstance(value, dict):
            raise self._wrong(path, schema, value)
        properties: Document = schema.get("properties", {})
        extra: Document | None = schema.get("additionalProperties")
        result: Document = {}
        for given, item in value.items():
            key = given if given in properties or extra else self._json_name(given)
            at = f"{path}.{key}" if path else key
            field = properties.get(key, extra)
            if field is not None:
                result[key] = self._value(field, self._named_enums(name, key, item), at)
            elif (self._api.name, name, key) in UNDOCUMENTED_FIELDS:
                result[key] = item
            else:
                where = f" at '{path}'" if path else ""
                raise InvalidArgumentError(
                    f'Invalid JSON payload received. Unknown name "{given}"{where}: '
                    f"Cannot find field. {name} has: {', '.join(sorted(properties))}."
                )
        return result

    def _json_name(self, key: str) -> str:
        """Return the name in JSON of a field that is called as in its ``.proto``."""
        if self._api.name in _NOT_PROTO3:
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
        if "$ref" in field:
            return self.object_of(field["$ref"], value, path)
        if field["type"] == "array":
            if not isinstance(value, list):
                raise self._wrong(path, field, value)
            return [
                self._value(field["items"], item, f"{path}[{index}]")
                for index, item in enumerate(value)
            ]
        if field["type"] == "object":
            return self._object(path, field, value, path)
        return self._scalar(field, value, path)

    def _scalar(self, field: Document, value: object, path: str) -> Any:
        if "enum" in field:
            return self._enum(field["enum"], value, path)
        if field.get("format") in _INT64 or field["type"] == "integer":
            number = self._integer(field, value, path)
            return str(number) if field.get("format") in _INT64 else number
        is_stray_bool = isinstance(value, bool) and field["type"] != "boolean"
        if is_stray_bool or not isinstance(value, _SCALARS[field["type"]]):
            raise self._wrong(path, field, value)
        return value

    def _integer(self, field: Document, value: object, path: str) -> int:
        if isinstance(value, (int, str, float)) and not isinstance(value, bool):
            try:
                if float(value) == int(value):
                    return int(value)
            except ValueError:
                pass
        raise self._wrong(path, field, value)

    @staticmethod
    def _enum(names: list[str], value: object, path: str) -> str:
        # Google's gRPC-transcoding clients send enums as numbers; the documents list the
        # names in the order of their numbers.
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
            return names[value]
        if value in names:
            return str(value)
        raise InvalidArgumentError(
            f"Invalid value at '{path}': {value!r}. Allowed: {', '.join(names)}."
        )

    @staticmethod
    def _wrong(path: str, field: Document, value: object) -> InvalidArgumentError:
        expected = field.get("format") or field.get("type") or field.get("id", "object")
        return InvalidArgumentError(
            f"Invalid value at '{path}' ({expected}): {value!r} is {type(value).__name__}."
        )
