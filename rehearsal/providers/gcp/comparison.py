"""Comparison of old and new inputs as Google's provider does it: by meaning, not by spelling."""

from collections.abc import Callable, Mapping
from typing import Any

from rehearsal.providers.gcp.check import BOOKKEEPING
from rehearsal.providers.gcp.rest_mapping import Form, Table, rule_at, same_reference
from rehearsal.providers.protocol import (
    Change,
    Path,
    Properties,
    changed_paths,
    reveal,
    with_replacements,
)


def compare(
    old: Properties,
    new: Properties,
    *,
    table: Table,
    replacing: Callable[[Path], bool],
    kept: Callable[[Path], bool],
) -> Mapping[Path, Change]:
    """Find the changes: empty blocks mean nothing, lists of scalars are sets, references agree.

    To leave out what is ``kept`` changes nothing: the provider has it as optional and computed.
    """
    before, after = _normalised(reveal(old)), _normalised(reveal(new))
    changes = {
        path: change
        for path, change in changed_paths(before, after).items()
        if not _same_resource(path, before, after, table)
        and not (change is Change.DELETE and kept(path))
    }
    return with_replacements(changes, replacing=replacing)


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
