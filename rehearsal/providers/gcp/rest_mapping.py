"""Tables that say how a resource's Pulumi inputs differ from Google's REST fields.

Most names are the same in both (camelCase); a table holds only the differences. A key is the
dotted Pulumi path without list positions. A rule's `rest` is the dotted REST path from the root
of the document, or from the list item that the input is in; without one the field keeps its
name under its parent's REST path.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Final, TypeAlias

Document: TypeAlias = dict[str, Any]
"""A JSON object of Google's REST API."""

Table: TypeAlias = Mapping[str, "Rule"]


class Form(Enum):
    """How a value's form differs between the two."""

    SAME = auto()
    INT64 = auto()  # a number here, a decimal string there
    INVERTED = auto()  # `disable...` here, `enable...` there
    SPELLED = auto()  # "TRUE" or "FALSE" here, a boolean there
    LOCAL = auto()  # only the provider knows it: the API never hears of it
    WRITE_ONLY = auto()  # sent at creation; what the API answers later means something else
    ONLY_ITEM = auto()  # a list of at most one here, an object there
    KEYED = auto()  # a list of objects here, a map by one of their fields there
    DECLARED_ONLY = auto()  # the API adds entries of its own; only declared keys are compared
    REFERENCE = auto()  # a resource's name, relative path or full URL


@dataclass(frozen=True)
class Rule:
    """One difference; `key_field` names the field that a KEYED or DECLARED_ONLY list goes by."""

    rest: str | None = None
    form: Form = Form.SAME
    key_field: str = ""


_SAME: Final = Rule()


def rule_at(table: Table, key: str) -> Rule:
    """Find the rule of an input, the empty rule when nothing differs."""
    return table.get(key, _SAME)


def rest_path(table: Table, key: str, parent: str) -> str:
    """Tell where an input lies in REST, given where its parent lies."""
    rule = rule_at(table, key)
    name = key.rpartition(".")[2]
    return rule.rest or (f"{parent}.{name}" if parent else name)


def get_path(document: Document, path: str) -> Any:
    """Read a dotted path, None when any part is missing."""
    value: Any = document
    for part in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(part)
    return value


def put_path(document: Document, path: str, value: Any) -> None:
    """Write a dotted path, making the objects on the way; a path through a value is left alone."""
    *parents, last = path.split(".")
    for part in parents:
        document = document.setdefault(part, {})
        if not isinstance(document, dict):
            return
    if isinstance(value, dict) and isinstance(document.get(last), dict):
        document[last].update(value)
    else:
        document[last] = value


def relative_name(reference: str) -> str:
    """Strip the API's address from a resource URL: `projects/p/global/networks/n`."""
    _, marker, rest = reference.partition("projects/")
    return marker + rest if marker else reference


def same_reference(one: str, other: str) -> bool:
    """Tell whether two references name one resource; a bare name matches any path to it."""
    one, other = relative_name(one), relative_name(other)
    if "/" in one and "/" in other:
        return one == other
    return one.rpartition("/")[2] == other.rpartition("/")[2]
