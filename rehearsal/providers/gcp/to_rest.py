"""Pulumi inputs to a REST document, by a resource's mapping table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rehearsal.providers.gcp.check import BOOKKEEPING
from rehearsal.providers.gcp.input_schema import Block, InputType, ListOf
from rehearsal.providers.gcp.rest_mapping import (
    Document,
    Form,
    Table,
    put_path,
    relative_name,
    rest_path,
    rule_at,
)


def to_rest(inputs: Mapping[str, Any], block: Block, table: Table) -> Document:
    """Translate known, revealed inputs; LOCAL ones are left out."""
    document: Document = {}
    writer = _Writer(table, document)
    for name, value in inputs.items():
        if name != BOOKKEEPING and value is not None:
            writer.write(name, value, block.inputs[name], parent="")
    return document


@dataclass(frozen=True)
class _Writer:
    """Writes into one scope: the root document, or one item of a list."""

    table: Table
    scope: Document

    def write(self, key: str, value: Any, expected: InputType, *, parent: str) -> None:
        rule = rule_at(self.table, key)
        path = rest_path(self.table, key, parent)
        match rule.form, expected:
            case Form.LOCAL, _:
                return
            case Form.ONLY_ITEM, ListOf(Block() as item):
                for only in value[:1]:
                    self._write_block(key, only, item, path)
            case Form.KEYED, ListOf(Block() as item):
                put_path(self.scope, path, self._keyed(key, value, item, rule.key_field))
            case _, ListOf(Block() as item):
                put_path(self.scope, path, [self._item(key, entry, item) for entry in value])
            case _, Block():
                self._write_block(key, value, expected, path)
            case _:
                put_path(self.scope, path, _converted(value, rule.form))

    def _write_block(self, key: str, value: Any, block: Block, path: str) -> None:
        if not value:
            put_path(self.scope, path, {})
        for name, child in value.items():
            if child is not None:
                self.write(f"{key}.{name}", child, block.inputs[name], parent=path)

    def _item(self, key: str, value: Any, block: Block) -> Document:
        writer = _Writer(self.table, {})
        for name, child in value.items():
            if child is not None:
                writer.write(f"{key}.{name}", child, block.inputs[name], parent="")
        return writer.scope

    def _keyed(self, key: str, value: Any, block: Block, key_field: str) -> Document:
        items = {entry[key_field]: self._item(key, entry, block) for entry in value}
        for item in items.values():
            item.pop(key_field, None)
        return items


def _converted(value: Any, form: Form) -> Any:
    match form:
        case Form.INT64:
            return str(value)
        case Form.INVERTED:
            return not value
        case Form.SPELLED:
            return value == "TRUE"
        case Form.REFERENCE:
            return relative_name(value)
        case _:
            return value
