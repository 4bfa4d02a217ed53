"""Bounds that hold for settings wherever they come from: a file, or Pulumi's configuration."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from daskfleet.stack_text.limits import (
    LARGEST_NUMBER,
    LONGEST_KEY,
    MOST_DEPTH,
    MOST_NODES,
)
from daskfleet.stack_text.mistakes import Misread, Mistake, Place
from daskfleet.stack_text.wording import TOO_DEEP, TOO_LARGE, TOO_MANY

BIDIRECTIONAL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Characters that turn the direction of what follows, so that a value looks like another one."""

BITS_SHOWN = 4096
"""Of a number; Python refuses to write more than 4,300 digits."""

WHITE_SPACE = frozenset("\t\n\r")

_Waiting: TypeAlias = list[tuple[Place, object]]


def value_mistakes(document: object) -> tuple[Mistake, ...]:
    """What no setting may hold: keys that are no text, hidden characters, numbers without end."""
    return tuple(_mistakes(document))


def _mistakes(document: object) -> Iterator[Mistake]:
    """No recursion, because nobody has looked yet how deep the document is."""
    waiting: _Waiting = [((), document)]
    seen = 0
    while waiting:
        place, value = waiting.pop()
        seen += 1
        if seen > MOST_NODES or len(place) > MOST_DEPTH:
            yield Mistake(misread=TOO_MANY if seen > MOST_NODES else TOO_DEEP, place=place[:1])
            return
        if isinstance(value, str):
            yield from _text(place, value)
        elif isinstance(value, Mapping):
            for key, each in reversed(list(value.items())):
                if not isinstance(key, str) or len(key) > LONGEST_KEY or _hidden(key):
                    yield _key(place, key)
                else:
                    waiting.append(((*place, key), each))
        elif isinstance(value, list | tuple):
            waiting += [((*place, at), value[at]) for at in reversed(range(len(value)))]
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            yield _number(place, value)


def _key(place: Place, key: object) -> Mistake:
    if not isinstance(key, str):
        reason = "A key here is not text."
    elif len(key) > LONGEST_KEY:
        reason = f"A key here has {len(key)} characters."
    else:
        reason = "A key here has characters that no screen shows."
    return Mistake(
        place=(*place, key) if isinstance(key, str) else place,
        value="" if isinstance(key, str) else str(key)[:LONGEST_KEY],
        misread=Misread(
            reason=reason,
            allowed=f"keys that are words of at most {LONGEST_KEY} characters",
            next_step="correct the key.",
        ),
    )


def _text(place: Place, value: str) -> Iterator[Mistake]:
    if hidden := _hidden(value):
        yield Mistake(
            place=place,
            value=value,
            misread=Misread(
                reason="The value has characters that control a terminal or the direction of "
                f"text: {hidden}. It would look like another value.",
                allowed="text without such characters",
                next_step="remove them.",
            ),
        )


def _number(place: Place, value: int) -> Mistake:
    is_short = value.bit_length() < BITS_SHOWN
    return Mistake(misread=TOO_LARGE, place=place, value=str(value) if is_short else "")


def _hidden(text: str) -> str:
    """Control and bidirectional characters of a text, as their code points."""
    if text.isprintable():
        return ""
    found = sorted(
        {each for each in text if each in BIDIRECTIONAL or _is_control(each)},
    )
    return ", ".join(f"U+{ord(each):04X}" for each in found[:5])


def _is_control(character: str) -> bool:
    code = ord(character)
    is_c0_or_c1 = code < ord(" ") or ord("\x7f") <= code < ord("\xa0")
    return (is_c0_or_c1 and character not in WHITE_SPACE) or "\ud800" <= character <= "\udfff"
