"""A live REST document to Pulumi inputs: refreshed against declared ones, or whole for an import."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rehearsal.providers.gcp.check import BOOKKEEPING
from rehearsal.providers.gcp.input_schema import Block, InputType, ListOf, MapOf, Scalar
from rehearsal.providers.gcp.rest_mapping import (
    Document,
    Form,
    Table,
    get_path,
    rest_path,
    rule_at,
    same_reference,
)
from rehearsal.providers.protocol import Properties

_ABSENT: Final = object()


def refreshed(
    declared: Mapping[str, Any], live: Document, *, block: Block, table: Table
) -> Properties:
    """Return the declared inputs with the values that the live resource has.

    What the server filled in by itself stays out; what was declared and is gone drops out, so
    that the next diff shows it. JSON of Google's APIs omits false, zero and empty values.
    """
    reader = _Reader(table, live)
    fresh = {
        name: reader.read(name, value, block.inputs[name], parent="")
        for name, value in declared.items()
        if name != BOOKKEEPING and value is not None
    }
    kept = {name: value for name, value in fresh.items() if value is not _ABSENT}
    bookkeeping = {BOOKKEEPING: declared[BOOKKEEPING]} if BOOKKEEPING in declared else {}
    return kept | bookkeeping


def imported(live: Document, *, block: Block, table: Table, server_filled: frozenset[str]) -> Any:
    """Return every input that the live resource has, but for those the server fills by itself."""
    return _Reader(table, live, server_filled).read_all("", block, parent="")


@dataclass(frozen=True)
class _Reader:
    """Reads from one scope: the root document, or one item of a list."""

    table: Table
    scope: Document
    server_filled: frozenset[str] = frozenset()

    def read(self, key: str, declared: Any, expected: InputType, *, parent: str) -> Any:
        """Read one declared input."""
        rule = rule_at(self.table, key)
        path = rest_path(self.table, key, parent)
        if rule.form is Form.LOCAL:
            return declared
        if rule.form is Form.ONLY_ITEM and isinstance(expected, ListOf):
            return [self.read_block(key, only, expected.item, path) for only in declared]
        if isinstance(expected, Block):
            return self.read_block(key, declared, expected, path)
        live = get_path(self.scope, path)
        if live is None:
            empty = not declared or rule.form is Form.INVERTED
            return declared if empty else _ABSENT
        if isinstance(expected, ListOf) and isinstance(expected.item, Block):
            return self._read_items(key, declared, live, expected.item)
        if isinstance(expected, MapOf) and rule.form is Form.DECLARED_ONLY:
            return {name: value for name, value in live.items() if name in declared}
        return _settled(declared, _converted(live, expected, rule.form), rule.form)

    def read_block(self, key: str, declared: Any, block: InputType, path: str) -> Properties:
        """Read the declared inputs of a block."""
        assert isinstance(block, Block)  # noqa: S101 - narrows the type for the checker
        fresh = {
            name: self.read(f"{key}.{name}", value, block.inputs[name], parent=path)
            for name, value in declared.items()
            if value is not None
        }
        return {name: value for name, value in fresh.items() if value is not _ABSENT}

    def read_all(self, key: str, block: Block, *, parent: str) -> Properties:
        """Read every input that is set in the live document."""
        found: Properties = {}
        for name, expected in block.inputs.items():
            child = f"{key}.{name}" if key else name
            if child in self.server_filled or rule_at(self.table, child).form is Form.LOCAL:
                continue
            value = self._read_any(child, expected, rest_path(self.table, child, parent))
            if value not in (None, {}, []):
                found[name] = value
        return found

    def _read_any(self, key: str, expected: InputType, path: str) -> Any:
        form = rule_at(self.table, key).form
        if isinstance(expected, Block):
            return self.read_all(key, expected, parent=path)
        live = get_path(self.scope, path)
        if live is None:
            return None
        if isinstance(expected, ListOf) and isinstance(expected.item, Block):
            if form is Form.ONLY_ITEM:
                return [self.read_all(key, expected.item, parent=path)]
            return [self._whole(key, item, expected.item) for item in self._items(key, live)]
        return _converted(live, expected, form)

    def _read_items(self, key: str, declared: Any, live: Any, block: Block) -> list[Properties]:
        rule = rule_at(self.table, key)
        items = self._items(key, live)
        if rule.key_field:
            by_key = {item[rule.key_field]: item for item in items}
            names = [entry[rule.key_field] for entry in declared]
            extra = [] if rule.form is Form.DECLARED_ONLY else sorted(by_key.keys() - set(names))
            items = [by_key[name] for name in [*names, *extra] if name in by_key]
        old = {entry[rule.key_field]: entry for entry in declared} if rule.key_field else {}
        return [
            self._item(key, old.get(item.get(rule.key_field)) or _at(declared, index), item, block)
            for index, item in enumerate(items)
        ]

    def _items(self, key: str, live: Any) -> list[Document]:
        rule = rule_at(self.table, key)
        if rule.form is Form.KEYED:
            return [{**item, rule.key_field: name} for name, item in live.items()]
        return list(live)

    def _item(self, key: str, declared: Any, item: Document, block: Block) -> Properties:
        if declared is None:
            return self._whole(key, item, block)
        return _Reader(self.table, item, self.server_filled).read_block(key, declared, block, "")

    def _whole(self, key: str, item: Document, block: Block) -> Properties:
        return _Reader(self.table, item, self.server_filled).read_all(key, block, parent="")


def _at(declared: Any, index: int) -> Any:
    return declared[index] if index < len(declared) else None


def _converted(live: Any, expected: InputType, form: Form) -> Any:
    if form is Form.INVERTED:
        return not live
    if isinstance(expected, Scalar) and expected.python_type is int and isinstance(live, str):
        return int(live)
    return live


def _settled(declared: Any, live: Any, form: Form) -> Any:
    """Keep the declared spelling where the live value means the same."""
    if form is Form.REFERENCE and isinstance(live, str) and same_reference(declared, live):
        return declared
    if isinstance(declared, list) and isinstance(live, list) and sorted(declared) == sorted(live):
        return declared
    return live
