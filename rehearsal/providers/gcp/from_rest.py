"""A live REST document to Pulumi inputs: refreshed declared ones, or all for an import."""

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


def imported(live: Document, *, block: Block, table: Table, wanted: frozenset[str]) -> Properties:
    """Return the wanted inputs (dotted paths, with all below) that the live resource has."""
    return _Reader(table, live, wanted).read_all("", block, parent="")


@dataclass(frozen=True)
class _Reader:
    """Reads from one scope: the root document, or one item of a list."""

    table: Table
    scope: Document
    wanted: frozenset[str] = frozenset()

    def read(self, key: str, declared: Any, expected: InputType, *, parent: str) -> Any:
        """Read one declared input."""
        rule = rule_at(self.table, key)
        path = rest_path(self.table, key, parent)
        match rule.form, expected:
            case ((Form.LOCAL | Form.WRITE_ONLY), _):
                return declared
            case Form.ONLY_ITEM, ListOf(Block() as item):
                return [self.read_block(key, only, item, path) for only in declared]
            case _, Block():
                return self.read_block(key, declared, expected, path)
            case _:
                live = get_path(self.scope, path)
                return self._read_value(key, declared, live, expected)

    def _read_value(self, key: str, declared: Any, live: Any, expected: InputType) -> Any:
        rule = rule_at(self.table, key)
        if live is None:
            return declared if not declared or rule.form is Form.INVERTED else _ABSENT
        match expected:
            case ListOf(Block() as item):
                return self._read_items(key, declared, live, item)
            case MapOf() if rule.form is Form.DECLARED_ONLY:
                return {name: value for name, value in live.items() if name in declared}
            case _:
                return _settled(declared, _converted(live, expected, rule.form), rule.form)

    def read_block(self, key: str, declared: Any, block: Block, path: str) -> Properties:
        """Read the declared inputs of a block."""
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
            form = rule_at(self.table, child).form
            if form in (Form.LOCAL, Form.WRITE_ONLY) or not self._is_wanted(child):
                continue
            value = self._read_any(child, expected, rest_path(self.table, child, parent))
            if value not in (None, {}, []):
                found[name] = value
        return found

    def _is_wanted(self, key: str) -> bool:
        if not self.wanted:
            return True
        return any(
            key == path or key.startswith(f"{path}.") or path.startswith(f"{key}.")
            for path in self.wanted
        )

    def _read_any(self, key: str, expected: InputType, path: str) -> Any:
        form = rule_at(self.table, key).form
        if isinstance(expected, Block):
            return self.read_all(key, expected, parent=path)
        live = get_path(self.scope, path)
        if live is None:
            return 0 if self._is_zero(expected, path) else None
        if isinstance(expected, ListOf) and isinstance(expected.item, Block):
            if form is Form.ONLY_ITEM:
                return [self.read_all(key, expected.item, parent=path)]
            return [self._whole(key, item, expected.item) for item in self._items(key, live)]
        return _converted(live, expected, form)

    def _is_zero(self, expected: InputType, path: str) -> bool:
        """Tell whether it is a number that is not sent: a message that is there has them all."""
        message = path.rpartition(".")[0]
        is_number = isinstance(expected, Scalar) and expected.python_type is int
        return is_number and isinstance(get_path(self.scope, message), dict)

    def _read_items(self, key: str, declared: Any, live: Any, block: Block) -> list[Properties]:
        rule = rule_at(self.table, key)
        items = self._items(key, live)
        if not rule.key_field:
            return [
                self._item(key, declared[index] if index < len(declared) else None, item, block)
                for index, item in enumerate(items)
            ]
        known = {entry[rule.key_field]: entry for entry in declared}
        order = list(known)
        ours = [item for item in items if item[rule.key_field] in known]
        ours.sort(key=lambda item: order.index(item[rule.key_field]))
        theirs = [item for item in items if item[rule.key_field] not in known]
        shown = ours if rule.form is Form.DECLARED_ONLY else [*ours, *theirs]
        return [self._item(key, known.get(item[rule.key_field]), item, block) for item in shown]

    def _items(self, key: str, live: Any) -> list[Document]:
        rule = rule_at(self.table, key)
        if rule.form is Form.KEYED:
            return [{**item, rule.key_field: name} for name, item in live.items()]
        return list(live)

    def _item(self, key: str, declared: Any, item: Document, block: Block) -> Properties:
        if declared is None:
            return self._whole(key, item, block)
        return _Reader(self.table, item).read_block(key, declared, block, "")

    def _whole(self, key: str, item: Document, block: Block) -> Properties:
        return _Reader(self.table, item).read_all(key, block, parent="")


def _converted(live: Any, expected: InputType, form: Form) -> Any:
    if form is Form.INVERTED:
        return not live
    if form is Form.SPELLED:
        return str(live).upper()
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
