"""What becomes of a change, by the schema's rules: a replacement, or nothing at all."""

from collections.abc import Iterator
from typing import Any

from rehearsal.providers.gcp.provider_fields import Fields, ProviderField
from rehearsal.providers.protocol import Path, Properties


def needs_replacement(path: Path, *, old: Properties, new: Properties, fields: Fields) -> bool:
    """Tell whether a change at ``path`` needs another resource.

    The field itself says so, or a block around it that is there on one side only: Terraform then
    compares the number of blocks. A block that the server fills in is there on both.
    """
    chain = list(_fields_on_the_way(path, fields))
    if not chain:
        return False
    _, own = chain[-1]
    return own.force_new or any(
        field.force_new and not field.computed and _is_absent(old, at) != _is_absent(new, at)
        for at, field in chain[:-1]
    )


def keeps_what_it_was(path: Path, *, new: Properties, fields: Fields) -> bool:
    """Tell whether what is left out at ``path`` stays: it is optional and computed there.

    An empty map is not left out: it says that there is nothing.
    """
    return any(
        field.computed and _is_absent(new, at, or_empty=field.kind in ("list", "set"))
        for at, field in _fields_on_the_way(path, fields)
    )


def _fields_on_the_way(path: Path, fields: Fields) -> Iterator[tuple[Path, ProviderField]]:
    """Yield each field from the root to the path, with where it lies."""
    for length in range(1, len(path) + 1):
        at = path[:length]
        if isinstance(at[-1], str):
            field = fields.get(".".join(part for part in at if isinstance(part, str)))
            if field is not None:
                yield at, field


def _is_absent(inputs: Properties, path: Path, *, or_empty: bool = False) -> bool:
    value: Any = inputs
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return True
    return value is None or (or_empty and value == [])
