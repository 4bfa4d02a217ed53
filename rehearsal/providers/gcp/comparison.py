"""Comparison of old and new inputs as Google's provider does it: by meaning, not by spelling."""

from collections.abc import Callable, Mapping
from typing import Any

from rehearsal.providers.gcp.check import BOOKKEEPING
from rehearsal.providers.gcp.field_rules import keeps_what_it_was, needs_replacement
from rehearsal.providers.gcp.provider_fields import Fields, with_defaults
from rehearsal.providers.gcp.rest_mapping import Form, Table, rule_at, same_reference
from rehearsal.providers.protocol import (
    Change,
    Path,
    Properties,
    changed_paths,
    reveal,
    with_replacements,
)

_ZEROS = (0, False, "")
"""Leaving one of them out is no change: Terraform's SDK takes what is not there for it
(hashicorp/terraform-plugin-sdk v2.40.1, helper/schema/schema.go, ``diffString``)."""


def compare(
    old: Properties,
    new: Properties,
    *,
    table: Table,
    fields: Fields,
    replaced_by_value: Callable[[Path], bool],
) -> Mapping[Path, Change]:
    """Find the changes: empty blocks mean nothing, lists of scalars are sets, references agree.

    Whether a change replaces is the schema's word, or ``replaced_by_value`` knows it: what the
    provider decides from the values.
    """
    declared, wanted = reveal(old), reveal(new)
    before = _normalised(with_defaults(declared, fields))
    after = _normalised(with_defaults(wanted, fields))
    changes = {
        path: change
        for path, change in changed_paths(before, after).items()
        if not _same_resource(path, before, after, table)
        and not (
            change is Change.DELETE
            and (_at(before, path) in _ZEROS or keeps_what_it_was(path, new=wanted, fields=fields))
        )
    }
    return with_replacements(
        changes,
        replacing=lambda path: (
            replaced_by_value(path)
            or needs_replacement(path, old=declared, new=wanted, fields=fields)
        ),
    )


def _normalised(value: Any) -> Any:
    match value:
        case dict():
            block = {key: _normalised(item) for key, item in value.items() if key != BOOKKEEPING}
            return {key: item for key, item in block.items() if item not in (None, {}, [])}
        case list():
            items = [_normalised(item) for item in value]
            scalar = not any(isinstance(item, dict | list) for item in items)
            return sorted(items, key=str) if scalar else items
        case _:
            return value


def _same_resource(path: Path, before: Any, after: Any, table: Table) -> bool:
    key = ".".join(part for part in path if isinstance(part, str))
    if rule_at(table, key).form is not Form.REFERENCE:
        return False
    one, other = _at(before, path), _at(after, path)
    return isinstance(one, str) and isinstance(other, str) and same_reference(one, other)


def _at(value: Any, path: Path) -> Any:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError):
            return None
    return value
