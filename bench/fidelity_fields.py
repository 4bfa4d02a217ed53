"""Fields of two answers, and how one differs."""

import json
import textwrap

from rehearsal.recordings.fields import ANY_TEXT, Fields, Leaf

OPERATION = "/operationType"
HOW_FAR = {"status", "progress", "endTime"}
"""Fields of an operation, with all that they hold."""


def comparable(fields: Fields) -> Fields:
    """Return the fields with each list of plain values in one order: Google promises none.

    How far an operation was when its answer was sent is left out: chance decides, there and here.
    """
    if OPERATION in fields:
        fields = {
            pointer: value
            for pointer, value in fields.items()
            if pointer.split("/")[1] not in HOW_FAR
        }
    lists: dict[str, list[Leaf]] = {}
    for pointer, value in fields.items():
        if pointer.endswith("]"):
            lists.setdefault(pointer.rpartition("/")[0], []).append(value)
    ordered = {
        f"{pointer}/[{index}]": value
        for pointer, values in lists.items()
        for index, value in enumerate(sorted(values, key=str))
    }
    return fields | ordered


def difference(pointer: str, recorded: Fields, answered: Fields) -> str | None:
    """Return how a field differs, None when it agrees."""
    if pointer not in answered:
        return "missing"
    if pointer not in recorded:
        return "not Google's"
    theirs, ours = recorded[pointer], answered[pointer]
    if theirs == ANY_TEXT:
        return None if isinstance(ours, str) else f"a text recorded, {_shown(ours)} here"
    if type(theirs) is type(ours) and theirs == ours:
        return None
    return f"{_shown(theirs)} recorded, {_shown(ours)} here"


def _shown(value: Leaf) -> str:
    return textwrap.shorten(json.dumps(value), 60, placeholder=" ...")
