"""From YAML's events to plain data, one level at a time and with everything counted.

libyaml's parser keeps its own stack and is asked for one event after the other, so a text that is
nested too deeply is put down before anything recurses: libyaml's and PyYAML's own composers do,
and the one in C ends the process (30,000 brackets: SIGSEGV, seen with PyYAML 6.0.3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import yaml

from daskfleet.stack_text.limits import MOST_DEPTH, MOST_NODES
from daskfleet.stack_text.mistakes import (
    Misread,
    Mistake,
    Place,
    TooMuchError,
)
from daskfleet.stack_text.scalars import resolve
from daskfleet.stack_text.wording import (
    ENDLESS_ALIAS,
    KEY_IS_NO_TEXT,
    NO_MAPPING_TO_MERGE,
    SECOND_DOCUMENT,
    TOO_DEEP,
    TOO_MANY,
    UNKNOWN_ALIAS,
    tagged,
    twice,
)

Event: TypeAlias = Any
"""One of PyYAML's, which have no types; ``None`` at the end."""

TAG = "tag:yaml.org,2002:"
MERGE = "<<"
NOTHING = object()
"""In place of a value that is a mistake."""


@dataclass(frozen=True)
class _Built:
    value: object
    nodes: int
    """This value and all in it."""

    height: int
    """Mappings and lists in each other, this one among them."""


@dataclass
class Composer:
    """One text.

    Raises:
        TooMuchError: a bound was exceeded.
        yaml.YAMLError: the text is not YAML.
    """

    events: Iterator[Event]
    lines: dict[Place, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    _anchors: dict[str, _Built | None] = field(default_factory=dict)
    """``None``: not complete yet, so that an alias to it would hold itself."""

    _nodes: int = 0

    def document(self) -> object:
        """The content of the one document; ``None`` of an empty text."""
        next(self.events)  # the stream begins
        start = next(self.events)
        if isinstance(start, yaml.StreamEndEvent):
            return None
        value = self._build(next(self.events), (), 0).value
        next(self.events)  # the document ends
        further = next(self.events)
        if not isinstance(further, yaml.StreamEndEvent):
            self._mistake(further, (), "---", SECOND_DOCUMENT)
        return None if value is NOTHING else value

    def _build(self, event: Event, place: Place, depth: int) -> _Built:
        self.lines.setdefault(place, _line(event))
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, place, depth)
        self._count(1, event, place)
        anchor = event.anchor
        if anchor:
            self._anchors[anchor] = None
        built = self._built(event, place, depth)
        if anchor:
            self._anchors[anchor] = built
        return built

    def _built(self, event: Event, place: Place, depth: int) -> _Built:
        if isinstance(event, yaml.ScalarEvent):
            return _Built(self._scalar(event, place), 1, 0)
        self._check_depth(depth + 1, event, place)
        is_list = isinstance(event, yaml.SequenceStartEvent)
        expected = {None, "!", TAG + ("seq" if is_list else "map")}
        if event.tag not in expected:
            self._tag(event, place, "a list" if is_list else "a mapping")
        built = self._list if is_list else self._mapping
        return built(place, depth + 1)

    def _list(self, place: Place, depth: int) -> _Built:
        parts: list[_Built] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            parts.append(self._build(event, (*place, len(parts)), depth))
        return _around([part.value for part in parts if part.value is not NOTHING], parts)

    def _mapping(self, place: Place, depth: int) -> _Built:
        own: dict[str, object] = {}
        merged: dict[str, object] = {}
        parts: list[_Built] = []
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if _is_merge(event):
                parts.append(self._build(next(self.events), (*place, MERGE), depth))
                self._merge(merged, parts[-1].value, event, place)
                continue
            key = self._key(event, place, depth)
            inside = place if key is None else (*place, key)
            is_twice = key in own
            if key is not None and is_twice:
                self._mistake(event, inside, "", twice(key, self.lines[inside]))
            parts.append(self._build(next(self.events), inside, depth))
            if key is not None and not is_twice and parts[-1].value is not NOTHING:
                own[key] = parts[-1].value
        return _around({**merged, **own}, parts)

    def _key(self, event: Event, place: Place, depth: int) -> str | None:
        if isinstance(event, yaml.ScalarEvent) and _is_text(event):
            self._count(1, event, place)
            return str(event.value)
        self._mistake(event, place, getattr(event, "value", None) or "", KEY_IS_NO_TEXT)
        if isinstance(event, yaml.CollectionStartEvent):
            self._build(event, place, depth)
        return None

    def _merge(self, into: dict[str, object], value: object, event: Event, place: Place) -> None:
        """What ``<<`` brings in, without what stands there already."""
        sources = value if isinstance(value, list) else [value]
        for source in sources:
            if isinstance(source, Mapping):
                for key, each in source.items():
                    into.setdefault(key, each)
            elif source is not NOTHING:
                self._mistake(event, (*place, MERGE), "", NO_MAPPING_TO_MERGE)
                return

    def _scalar(self, event: Event, place: Place) -> object:
        if event.tag in {"!", TAG + "str"} or (event.tag is None and event.style):
            return event.value
        found = resolve(event.value) if not event.style else None
        if isinstance(found, Misread):
            self._mistake(event, place, event.value, found)
            return NOTHING
        if found is None or event.tag not in {None, TAG + found.kind}:
            self._tag(event, place, "a word")
            return NOTHING
        return found.value

    def _tag(self, event: Event, place: Place, what: str) -> None:
        self._mistake(event, place, getattr(event, "value", ""), tagged(event.tag, what))

    def _alias(self, event: Event, place: Place, depth: int) -> _Built:
        built = self._anchors.get(event.anchor)
        if built is not None:
            self._count(built.nodes, event, place)
            self._check_depth(depth + built.height, event, place)
            return built
        misread = ENDLESS_ALIAS if event.anchor in self._anchors else UNKNOWN_ALIAS
        self._mistake(event, place, f"*{event.anchor}", misread)
        return _Built(NOTHING, 1, 0)

    def _count(self, nodes: int, event: Event, place: Place) -> None:
        self._nodes += nodes
        if self._nodes > MOST_NODES:
            raise TooMuchError(_told(event, place, "", TOO_MANY))

    def _check_depth(self, depth: int, event: Event, place: Place) -> None:
        if depth > MOST_DEPTH:
            raise TooMuchError(_told(event, place, "", TOO_DEEP))

    def _mistake(self, event: Event, place: Place, value: str, misread: Misread) -> None:
        self.mistakes.append(_told(event, place, value, misread))


def _told(event: Event, place: Place, value: str, misread: Misread) -> Mistake:
    return Mistake(misread=misread, place=place, value=value, line=_line(event))


def _line(event: Event) -> int:
    return int(event.start_mark.line) + 1


def _around(value: object, parts: Sequence[_Built]) -> _Built:
    return _Built(
        value,
        1 + sum(part.nodes for part in parts),
        1 + max((part.height for part in parts), default=0),
    )


def _is_merge(event: Event) -> bool:
    return (
        isinstance(event, yaml.ScalarEvent)
        and event.value == MERGE
        and not event.style
        and event.tag is None
    )


def _is_text(event: Event) -> bool:
    if event.tag in {"!", TAG + "str"} or (event.tag is None and event.style):
        return True
    found = resolve(event.value) if event.tag is None else None
    return found is not None and not isinstance(found, Misread) and found.kind == "str"
