"""Paths of inputs, in the engine's spelling and as the keys that the table has rows for."""

import re
from collections.abc import Iterable

Keys = tuple[str, ...]
"""A path without list positions: which element of a list changed does not matter."""

_IS_PUNCTUATED = re.compile(r"[./\[\]]")

_PART = re.compile(
    r"""\[ (?P<position> \d+ | \* ) \]            # nodeConfig.taints[0]
    | \[ " (?P<quoted> (?: \\. | [^"\\] )* ) " \] # metadata.labels["app.kubernetes.io/name"]
    | \.? (?P<plain> [^.\[\]]+ )                  # nodeConfig.machineType
    """,
    re.VERBOSE,
)


def keys_of(path: str) -> Keys:
    """The keys of a property path as the engine spells it.

    Raises:
        ValueError: this is no property path.
    """
    return tuple(part for part in parts_of(path) if isinstance(part, str))


def parts_of(path: str) -> tuple[str | int, ...]:
    """The keys and list positions of a property path; a position of ``*`` is none.

    Raises:
        ValueError: this is no property path.
    """
    parts: list[str | int] = []
    at = 0
    while at < len(path):
        part = _PART.match(path, at)
        if part is None:
            raise ValueError(f"{path!r} is not a property path: {path[at:]!r} is no key.")
        at = part.end()
        if part["quoted"] is not None:
            parts.append(re.sub(r"\\(.)", r"\1", part["quoted"]))
        elif part["plain"] is not None:
            parts.append(part["plain"])
        elif part["position"] != "*":
            parts.append(int(part["position"]))
    return tuple(parts)


def path_text(parts: Iterable[str | int]) -> str:
    """Spell a property path such that ``parts_of`` reads it again: ``spec.ports[0].name``.

    The engine quotes every key that is no identifier (`PropertyPath.String`); here labels like
    ``cost-center``, which nobody could misread, stay without.
    """
    text = ""
    for part in parts:
        match part:
            case int():
                text += f"[{part}]"
            case _ if not part or _IS_PUNCTUATED.search(part):
                text += '["' + re.sub(r'(["\\])', r"\\\1", part) + '"]'
            case _:
                text += f".{part}" if text else part
    return text


def is_within(inner: Keys, outer: Keys) -> bool:
    """Whether a path is another one or lies below it."""
    return inner[: len(outer)] == outer
