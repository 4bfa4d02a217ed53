"""Pure: every field of a kind's schema, set, changed and left out, one in each document."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
Document = dict[str, Any]
Step = str | int

ABSENT = object()


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field, and what it becomes; ``ABSENT`` where it is left out."""

    steps: tuple[Step, ...]
    value: Any

    @property
    def path(self) -> str:
        """As people write it: ``spec.worker.spec.containers[0].image``."""
        return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in self.steps)[1:]

    def __str__(self) -> str:
        """Name it in the output of a test."""
        return f"{self.path}: {'left out' if self.value is ABSENT else repr(self.value)[:80]}"

    def made_in(self, document: Document) -> Document:
        """Return the document with it."""
        changed = copy.deepcopy(document)
        place: Any = changed
        for step in self.steps[:-1]:
            place = place[step]
        last = self.steps[-1]
        if self.value is ABSENT:
            del place[last]
        elif isinstance(place, list) and last == len(place):
            place.append(self.value)
        else:
            place[last] = self.value
        return changed


def changes(schema: Schema, value: Any, *, steps: tuple[Step, ...] = ()) -> Iterator[Change]:
    """Change what a document has, everywhere, and add what the schema knows besides."""
    if isinstance(value, dict):
        yield from _of_object(schema, value, steps)
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from changes(schema["items"], element, steps=(*steps, index))
            yield Change(steps=(*steps, index), value=ABSENT)
        for element in (_instance(schema["items"], full=full) for full in (False, True)):
            yield Change(steps=(*steps, len(value)), value=element)
    else:
        for other in _others(value):
            if other != value:
                yield Change(steps=steps, value=other)


def _of_object(schema: Schema, value: Document, steps: tuple[Step, ...]) -> Iterator[Change]:
    properties: dict[str, Schema] = schema.get("properties", {})
    free = schema.get("additionalProperties")
    if free:
        yield Change(steps=(*steps, "example.com/x"), value=_instance(free, full=True))
    for key, below in (properties or dict.fromkeys(value, free)).items():
        assert isinstance(below, dict)
        if key not in value:
            yield Change(steps=(*steps, key), value=_instance(below, full=True))
            continue
        yield from changes(below, value[key], steps=(*steps, key))
        if key not in schema.get("required", []) and below.get("default") != value[key]:
            yield Change(steps=(*steps, key), value=ABSENT)


def _others(value: object) -> list[object]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 2, max(value - 2, 0), 0, 2**31 - 1]  # the next port is in use
        case str():
            return [f"{value}1", "1"]
    raise TypeError(value)


def _instance(schema: Schema, *, full: bool) -> Any:
    """Make a value that the schema takes: with all fields that it knows, or those it wants."""
    match schema["type"]:
        case "object":
            properties = schema.get("properties", {})
            wanted = properties if full else schema.get("required", [])
            made = {key: _instance(properties[key], full=full) for key in wanted}
            if not properties and full and isinstance(schema.get("additionalProperties"), dict):
                made["example.com/x"] = _instance(schema["additionalProperties"], full=full)
            return made
        case "array":
            return [_instance(schema["items"], full=full)] if full else []
        case "string":
            return "2026-01-01T00:00:00Z" if schema.get("format") == "date-time" else "x"
        case "integer":
            return 7
        case "boolean":
            return True
        case "number":
            return 7.5
    raise TypeError(schema["type"])
