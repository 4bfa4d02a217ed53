"""What Google's own provider says of each input: the one place that says what a field is.

``data/provider_fields.csv`` holds every settable field of the resource types that the stand-in
serves, under its Pulumi path and its Terraform name; of a cluster's ``nodePools`` only itself, as
pools are resources of their own. The provider's own code read them out of its schema
(terraform-provider-google-beta at 93c65b2d60fe, 2026-08-21); the Pulumi paths are the inputs of
pulumi-gcp 10.2.0 that bear these names. Rules in the provider's ``CustomizeDiff`` are not in a
schema: where one replaces, the resource type has it in ``replaced_by_value`` (a subnetwork's range
can only grow). Those about Autopilot, which the emulator does not have, are left out.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

DATA: Final = Path(__file__).parent / "data" / "provider_fields.csv"

Kind: TypeAlias = Literal["bool", "float", "int", "list", "map", "set", "string"]
"""Terraform's type; a block is a list."""


@dataclass(frozen=True, kw_only=True)
class ProviderField:
    """One field of the provider's schema."""

    terraform_name: str
    kind: Kind
    computed: bool
    """Left out, it keeps what the server has."""
    force_new: bool
    """Another value needs another resource."""
    default: bool | int | float | str | None
    """What the provider takes where nothing is said."""


Fields: TypeAlias = Mapping[str, ProviderField]
"""Fields by dotted Pulumi path, list positions left out."""


@cache
def provider_fields(token: str) -> Fields:
    """Fields of a resource type by its token; KeyError for a type that is not served."""
    return _all_fields()[token]


@cache
def _all_fields() -> Mapping[str, Fields]:
    fields: dict[str, dict[str, ProviderField]] = {}
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind = cast("Kind", row["kind"])
            fields.setdefault(row["type"], {})[row["path"]] = ProviderField(
                terraform_name=row["field"],
                kind=kind,
                computed=row["computed"] == "1",
                force_new=row["force_new"] == "1",
                default=_default(row["default"], kind),
            )
    return fields


def _default(text: str, kind: Kind) -> bool | int | float | str | None:
    if not text:
        return None
    match kind:
        case "bool":
            return text == "True"
        case "int":
            return int(text)
        case "float":
            return float(text)
        case _:
            return text


def with_defaults(inputs: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """Return the inputs with the provider's defaults, at the root and in blocks that are there."""
    filled: dict[str, Any] = _filled("", inputs, fields)
    return filled


def _filled(prefix: str, value: Any, fields: Fields) -> Any:
    match value:
        case list():
            return [_filled(prefix, item, fields) for item in value]
        case Mapping() if not prefix or _is_block(prefix, fields):
            start = f"{prefix}." if prefix else ""
            block = {
                name: _filled(f"{start}{name}", item, fields)
                for name, item in value.items()
                if item is not None
            }
            return _defaults_of(start, fields) | block
        case _:
            return value


def _is_block(path: str, fields: Fields) -> bool:
    field = fields.get(path)
    return field is not None and field.kind in ("list", "set")


def _defaults_of(start: str, fields: Fields) -> dict[str, Any]:
    """Return the defaults of one block's own fields."""
    return {
        path.removeprefix(start): field.default
        for path, field in fields.items()
        if field.default is not None
        and path.startswith(start)
        and "." not in path.removeprefix(start)
    }
