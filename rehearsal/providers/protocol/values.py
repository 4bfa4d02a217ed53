"""Pulumi's wire values as Python values.

`decode` turns a protobuf Struct into dicts, lists, strings, booleans, numbers (whole numbers
become `int`, which Kubernetes and Google insist on) and two explicit types: `UNKNOWN` for a value
that only exists after an update, and `Secret` for one that must stay encrypted in the state.
`encode` is the inverse. Signatures and the unknown's UUID are those of the engine
(pulumi/pulumi `sdk/go/common/resource/sig`, `sdk/go/common/resource/plugin/rpc.go`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

from google.protobuf import struct_pb2

Properties: TypeAlias = dict[str, Any]
"""A resource's inputs or outputs: a JSON object that may also hold `UNKNOWN` and `Secret`."""

UNKNOWN_UUID: Final = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SIGNATURE_KEY: Final = "4dabf18193072939515e22adb298388d"
SECRET_SIGNATURE: Final = "1b47061264138c4ac30d75fd1eb44270"  # noqa: S105 - a type tag
OUTPUT_SIGNATURE: Final = "d0e6a833031e9bbcd3f4e8bde6ca49a4"


class Unknown(Enum):
    """The type of `UNKNOWN`, an enum so that there is exactly one of it."""

    UNKNOWN = "unknown until the update"


UNKNOWN: Final = Unknown.UNKNOWN


@dataclass(frozen=True)
class Secret:
    """A value that the engine keeps encrypted; never printed."""

    value: Any

    def __repr__(self) -> str:
        return "Secret([secret])"


def decode(struct: struct_pb2.Struct) -> Properties:
    """Read the properties of a Struct, sorted by name: a protobuf map has no order of its own."""
    return {key: _decode_value(value) for key, value in sorted(struct.fields.items())}


def encode(properties: Mapping[str, Any]) -> struct_pb2.Struct:
    """Write properties as a Struct; raises TypeError for a value that has no wire form."""
    return struct_pb2.Struct(fields={key: _encode_value(v) for key, v in properties.items()})


def reveal(value: Any) -> Any:
    """Return the value without `Secret`: what goes to an API, never into a message or log."""
    match value:
        case Secret():
            return reveal(value.value)
        case dict():
            return {key: reveal(item) for key, item in value.items()}
        case list():
            return [reveal(item) for item in value]
        case _:
            return value


def conceal(value: Any, *, like: Any) -> Any:
    """Mark as `Secret` whatever is one in `like`, so that echoed inputs stay secret."""
    if isinstance(like, Secret):
        return value if isinstance(value, Secret) else Secret(value)
    if isinstance(value, dict) and isinstance(like, dict):
        return {key: conceal(item, like=like.get(key)) for key, item in value.items()}
    if isinstance(value, list) and isinstance(like, list):
        padded = [*like, *[None] * (len(value) - len(like))]
        return [conceal(item, like=old) for item, old in zip(value, padded, strict=False)]
    return value


def contains_unknown(value: Any) -> bool:
    """Tell whether anything in the value is only known after the update."""
    match value:
        case Unknown():
            return True
        case Secret():
            return contains_unknown(value.value)
        case dict():
            return any(contains_unknown(item) for item in value.values())
        case list():
            return any(contains_unknown(item) for item in value)
        case _:
            return False


def _decode_value(value: struct_pb2.Value) -> Any:
    match value.WhichOneof("kind"):
        case "bool_value":
            return value.bool_value
        case "number_value":
            number = value.number_value
            return int(number) if number.is_integer() else number
        case "string_value":
            return UNKNOWN if value.string_value == UNKNOWN_UUID else value.string_value
        case "list_value":
            return [_decode_value(item) for item in value.list_value.values]
        case "struct_value":
            return _decode_struct(value.struct_value)
        case _:
            return None


def _decode_struct(struct: struct_pb2.Struct) -> Any:
    fields = struct.fields
    signature = fields[SIGNATURE_KEY].string_value if SIGNATURE_KEY in fields else None
    if signature == SECRET_SIGNATURE:
        return Secret(_decode_value(fields["value"]))
    if signature == OUTPUT_SIGNATURE:
        inner = _decode_value(fields["value"]) if "value" in fields else UNKNOWN
        return Secret(inner) if "secret" in fields and fields["secret"].bool_value else inner
    return decode(struct)


def _encode_value(value: Any) -> struct_pb2.Value:  # noqa: PLR0911 - one return per wire type
    match value:
        case None:
            return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
        case bool():
            return struct_pb2.Value(bool_value=value)
        case int() | float():
            return struct_pb2.Value(number_value=value)
        case str():
            return struct_pb2.Value(string_value=value)
        case Unknown():
            return struct_pb2.Value(string_value=UNKNOWN_UUID)
        case Secret():
            wrapped = {SIGNATURE_KEY: SECRET_SIGNATURE, "value": value.value}
            return struct_pb2.Value(struct_value=encode(wrapped))
        case Mapping():
            return struct_pb2.Value(struct_value=encode(value))
        case list() | tuple():
            items = [_encode_value(item) for item in value]
            return struct_pb2.Value(list_value=struct_pb2.ListValue(values=items))
        case _:
            raise TypeError(
                f"{type(value).__name__} has no wire form; a provider's properties hold only "
                "None, bool, int, float, str, list, dict, Secret and UNKNOWN"
            )
