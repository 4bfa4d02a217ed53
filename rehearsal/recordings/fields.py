"""JSON documents as flat tables of their fields, which is what recordings hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rehearsal.emulator.document import Document

Leaf = str | int | float | bool | None | list[None] | dict[str, None]
"""A value that holds no others; the list and the object are empty ones."""
Fields = dict[str, Leaf]
"""Values by where they stand: ``/nodePools/[0]/config/machineType``.

Segments are escaped as in a JSON pointer (RFC 6901); an index stands in brackets, so that a table
can be made a document again.
"""

ANY_TEXT = "<text>"
"""In a recording: there was a text here, and which one is not said."""


def fields_of(document: Document) -> Fields:
    """Return all fields of a document; an empty object or list is a field too."""
    return dict(_walk("", document)) if document else {}


def document_of(fields: Fields) -> Document:
    """Return the document that has these fields: ``fields_of`` backwards."""
    root: Document = {}
    for pointer, value in fields.items():
        at: Any = root
        segments = pointer.split("/")[1:]
        for segment, following in zip(segments, [*segments[1:], None], strict=True):
            inner: Any = [] if following is not None and following.startswith("[") else {}
            if following is None:
                inner = value
            at = _entered(at, segment, inner)
    return root


def name_of(pointer: str) -> str:
    """Return the key that a field has in its object; of a list's entry that of the list."""
    named = [segment for segment in pointer.split("/") if not segment.startswith("[")]
    return _unescaped(named[-1])


def readable(pointer: str) -> str:
    """Return a pointer as people write it, one for all entries of a list: ``nodePools[].name``."""
    parts = [
        "[]" if segment.startswith("[") else f".{_unescaped(segment)}"
        for segment in pointer.split("/")[1:]
    ]
    return "".join(parts).removeprefix(".")


def _walk(pointer: str, value: Any) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            escaped = key.replace("~", "~0").replace("/", "~1")
            yield from _walk(f"{pointer}/{escaped}", inner)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _walk(f"{pointer}/[{index}]", inner)
    else:
        yield pointer, value


def _entered(at: Any, segment: str, inner: Any) -> Any:
    """Return what stands at a segment of ``at``, which is ``inner`` where nothing did."""
    if not isinstance(at, list):
        return at.setdefault(_unescaped(segment), inner)
    index = int(segment.strip("[]"))
    if index == len(at):
        at.append(inner)
    return at[index]


def _unescaped(segment: str) -> str:
    return segment.replace("~1", "/").replace("~0", "~")
